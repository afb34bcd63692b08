/** The frame of the administration pages, with their navigation. */
import type { ReactNode } from 'react';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { Page } from '../../ui/page.tsx';

const parts = [
  ['/admin', 'Health'],
  ['/admin/totals', 'Totals'],
  ['/admin/workspaces', 'Workspaces'],
  ['/admin/support-grants', 'Support grants'],
  ['/admin/audit', 'Audit log'],
  ['/admin/usage', 'Usage'],
] as const;

export interface AdminPageProps {
  readonly title: (typeof parts)[number][1];
  readonly children: ReactNode;
}

export function AdminPage({ title, children }: AdminPageProps) {
  return (
    <Page title={`${title}: administration`} heading={title}>
      <LinkTabs
        label="Administration"
        tabs={parts.map(([to, label]) => ({ label, to: { to }, isCurrent: label === title }))}
      />
      {children}
    </Page>
  );
}
