/** The pages of platform administration. */
import { useSearch } from '@tanstack/react-router';
import { AdminPage } from '../features/admin/admin-page.tsx';
import { AuditLog } from '../features/admin/audit-log.tsx';
import { GrantForm } from '../features/admin/grant-form.tsx';
import { GrantList } from '../features/admin/grant-list.tsx';
import { Health } from '../features/admin/health.tsx';
import { Overview } from '../features/admin/overview.tsx';
import { UsageTable } from '../features/admin/usage.tsx';
import { AdminWorkspaces } from '../features/admin/workspaces.tsx';
import { Section } from '../ui/section.tsx';

export function AdminHealthPage() {
  return (
    <AdminPage title="Health">
      <Health />
    </AdminPage>
  );
}

export function AdminTotalsPage() {
  return (
    <AdminPage title="Totals">
      <Overview />
    </AdminPage>
  );
}

export function AdminWorkspacesPage() {
  const choice = useSearch({ from: '/administrator/admin/workspaces' });
  return (
    <AdminPage title="Workspaces">
      <AdminWorkspaces {...choice} />
    </AdminPage>
  );
}

export function SupportGrantsPage() {
  const { report } = useSearch({ from: '/administrator/admin/support-grants' });
  return (
    <AdminPage title="Support grants">
      <Section
        id="new"
        title="New support grant"
        note="Gives you access to one report for up to four hours. Administrators can’t read reports without a grant."
      >
        <GrantForm key={report} reportId={report} />
      </Section>
      <Section id="grants" title="Grants" note="Each access is recorded and shown to the report’s owner.">
        <GrantList />
      </Section>
    </AdminPage>
  );
}

export function AdminAuditPage() {
  const { before } = useSearch({ from: '/administrator/admin/audit' });
  return (
    <AdminPage title="Audit log">
      <AuditLog before={before} />
    </AdminPage>
  );
}

export function AdminUsagePage() {
  return (
    <AdminPage title="Usage">
      <UsageTable />
    </AdminPage>
  );
}
