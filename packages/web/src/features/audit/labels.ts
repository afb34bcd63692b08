/** Labels of audit log entries. */
import type { AuditAction, AuditEntry } from '@svc/contract';

type LabelOf = (detail: string) => string;

const formats: Readonly<Partial<Record<string, string>>> = {
  html: 'HTML',
  json: 'JSON',
  markdown: 'Markdown',
  sarif: 'SARIF',
};

/** The detail is a status, or `undone`, and a number of findings. */
function decidedLabel(detail: string): string {
  const [status = '', count = ''] = detail.split(' ');
  const findings = `${count} ${count === '1' ? 'finding' : 'findings'}`;
  if (status === 'undone') return `Decisions about ${findings} undone`;
  return `Status of ${findings} set to ${status.replaceAll('_', ' ')}`;
}

/** The labels without the actor and the subject. */
const actions: Readonly<Record<AuditAction, LabelOf>> = {
  share_created: () => 'Share link created',
  share_changed: () => 'Share link changed',
  share_revoked: () => 'Share link revoked',
  report_exported: (format) => `Report exported as ${formats[format] ?? 'a file'}`,
  report_deleted: () => 'Report deleted',
  finding_decided: decidedLabel,
  device_linked: () => 'Device linked',
  device_revoked: () => 'Device revoked',
  member_invited: () => 'Invitation created',
  invitation_revoked: () => 'Invitation revoked',
  member_joined: () => 'Member joined',
  member_role_changed: (role) => `Role changed to ${role}`,
  member_left: () => 'Member left',
  member_removed: () => 'Member removed',
  workspace_created: () => 'Workspace created',
  workspace_deleted: () => 'Workspace deleted',
  workspace_plan_changed: (plan) => `Plan changed to ${plan}`,
  support_granted: () => 'Support grant created',
  support_used: () => 'Report read by support',
  support_revoked: () => 'Support grant revoked',
  decisions_queried: () => 'Triage decisions read for a gate',
};

export function actionOf({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): string {
  return actions[action](detail ?? '');
}

/** The count, if it is more than one. */
export function timesOf({ count }: Pick<AuditEntry, 'count'>): string {
  return count > 1 ? ` × ${count.toLocaleString('en')}` : '';
}

/** The actor of an entry without an account. */
export function actorWithoutAccount({ action }: Pick<AuditEntry, 'action'>): string {
  return action === 'report_exported' ? 'a viewer without an account' : 'the service';
}

/** True for actions of platform administrators. */
export function isOfAdministration({ action }: Pick<AuditEntry, 'action'>): boolean {
  return action.startsWith('support_') || action === 'workspace_plan_changed';
}
