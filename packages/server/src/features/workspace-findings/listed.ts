/** A finding as lists over several projects hold it in memory: with its status now, and the text that is searched. */
import type { FindingStatus, Severity, WorkspaceFinding } from '@svc/contract';
import { isoTime } from '#platform/clock';
import { findingKeyOf } from './finding-key.ts';

export interface ListedFinding extends Omit<WorkspaceFinding, 'findingKey' | 'firstSeenAt' | 'until'> {
  /** In hexadecimal digits; the key of the finding is made from it. */
  readonly identity: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
  /** Milliseconds since 1970. */
  readonly firstSeenAt: number;
  /** Milliseconds since 1970; null when the status has no end. */
  readonly until: number | null;
  /** The owner of the report when the view was built. */
  readonly ownerId: string;
  /** The digest of its tool in hexadecimal digits. */
  readonly tool: string;
  /** The searched text, case-folded. */
  readonly searchText: string;
}

/** The finding without the fields that only the service needs. */
export function toFinding({
  searchText: _text,
  ownerId: _owner,
  tool: _tool,
  identity,
  until,
  firstSeenAt,
  ...finding
}: ListedFinding): WorkspaceFinding {
  return {
    findingKey: findingKeyOf(identity),
    ...finding,
    firstSeenAt: isoTime(firstSeenAt),
    ...(until === null ? {} : { until: isoTime(until) }),
  };
}
