/** What the audit log records, in words. */
import type { AuditAction, AuditEntry } from '@svc/contract';

type Told = (detail: string) => string;

const formats: Readonly<Partial<Record<string, string>>> = {
  html: 'HTML',
  json: 'JSON',
  markdown: 'Markdown',
  sarif: 'SARIF',
};

/** Each leaves out who did it, and to what. */
const actions: Readonly<Record<AuditAction, Told>> = {
  share_created: () => 'Link made',
  share_changed: () => 'Link changed',
  share_revoked: () => 'Link revoked',
  report_exported: (format) => `Report exported as ${formats[format] ?? 'a file'}`,
  report_deleted: () => 'Report deleted',
  device_linked: () => 'Device linked',
  device_revoked: () => 'Device revoked',
  member_invited: () => 'Invitation made',
  invitation_revoked: () => 'Invitation withdrawn',
  member_joined: () => 'Member joined',
  member_role_changed: (role) => `Role changed to ${role}`,
  member_left: () => 'Member left',
  member_removed: () => 'Member removed',
  workspace_created: () => 'Workspace made',
  workspace_deleted: () => 'Workspace deleted',
  workspace_plan_changed: (plan) => `Plan changed to ${plan}`,
  support_granted: () => 'Support grant made',
  support_used: () => 'Report read by support',
  support_revoked: () => 'Support grant revoked',
};

export function actionOf({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): string {
  return actions[action](detail ?? '');
}

/** How often, where that is more than once. */
export function timesOf({ count }: Pick<AuditEntry, 'count'>): string {
  return count > 1 ? ` × ${count.toLocaleString('en')}` : '';
}

/** Who did what nobody's account did. */
export function nobodyOf({ action }: Pick<AuditEntry, 'action'>): string {
  return action === 'report_exported' ? 'a viewer without an account' : 'the service itself';
}

/** True for what is done for the whole service, by whoever administers it. */
export function isOfAdministration({ action }: Pick<AuditEntry, 'action'>): boolean {
  return action.startsWith('support_') || action === 'workspace_plan_changed';
}
