/** What an audit entry records. */
import type { AuditAction } from '@svc/contract';

/** What somebody did. All ids and words; what does not apply is left out. */
export interface AuditFact {
  readonly action: AuditAction;
  /** Null for somebody without an account, and for the service itself. */
  readonly actorId: string | null;
  readonly workspaceId?: string;
  readonly reportId?: string;
  readonly subjectId?: string;
  readonly detail?: string;
}
