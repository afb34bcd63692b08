/** The frame of the administration pages, with their navigation. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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
      <nav aria-label="Administration" className="-mt-2 flex flex-wrap gap-x-6 border-b border-line">
        {parts.map(([address, name]) => (
          <Link
            key={address}
            to={address}
            activeOptions={{ exact: true, includeSearch: false }}
            className="-mb-px border-b-2 border-transparent py-2 text-quiet hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
          >
            {name}
          </Link>
        ))}
      </nav>
      {children}
    </Page>
  );
}
