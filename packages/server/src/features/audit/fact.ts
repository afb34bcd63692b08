/** What an audit entry records. */
import type { AuditAction } from '@svc/contract';

/** What an actor did, in ids and enum values only. What does not apply is absent. */
export interface AuditFact {
  readonly action: AuditAction;
  /** Null for an actor without an account, and for the service. */
  readonly actorId: string | null;
  readonly workspaceId?: string;
  readonly reportId?: string;
  readonly subjectId?: string;
  readonly detail?: string;
}
