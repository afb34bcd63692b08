/** The sort orders of the list, and positions in it, which cursors represent. */
import { severities, type FindingSort } from '@svc/contract';
import { findingKeyOf, identityOf } from './finding-key.ts';
import type { ListedFinding } from './listed.ts';

/** What a finding is sorted by, before its identity. */
type SortValue = number | string;

export interface Position {
  readonly value: SortValue;
  /** In hexadecimal digits. */
  readonly identity: string;
}

const rankOf = Object.fromEntries(severities.map((severity, rank) => [severity, rank]));

const valueOf: Readonly<Record<FindingSort, (finding: ListedFinding) => SortValue>> = {
  severity: ({ severity }) => rankOf[severity] ?? severities.length,
  newest: ({ firstSeenAt }) => -firstSeenAt,
  oldest: ({ firstSeenAt }) => firstSeenAt,
  project: ({ projectName }) => projectName.toLowerCase(),
};

export function positionOf(sort: FindingSort, finding: ListedFinding): Position {
  return { value: valueOf[sort](finding), identity: finding.identity };
}

/** Negative when `one` comes before `other`. */
export function comparePositions(one: Position, other: Position): number {
  if (one.value !== other.value) return one.value < other.value ? -1 : 1;
  if (one.identity === other.identity) return 0;
  return one.identity < other.identity ? -1 : 1;
}

export function cursorOf(sort: FindingSort, { value, identity }: Position): string {
  return Buffer.from(JSON.stringify([sort, value, findingKeyOf(identity)])).toString('base64url');
}

/** Null for a cursor that no page with this sort returned. */
export function positionIn(cursor: string, sort: FindingSort): Position | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return null;
  const [given, value, findingKey] = parts as unknown[];
  const isValue = sort === 'project' ? typeof value === 'string' : Number.isSafeInteger(value);
  const identity = typeof findingKey === 'string' ? identityOf(findingKey) : null;
  return given === sort && isValue && identity !== null ? { value: value as SortValue, identity } : null;
}
