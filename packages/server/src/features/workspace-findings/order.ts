/** The sort orders of the list, and positions in it, which cursors represent. */
import { severities, type FindingSort } from '@svc/contract';
import type { ListedFinding } from './listed.ts';

/** What a finding is sorted by, before its key. */
type SortValue = number | string;

export interface Position {
  readonly value: SortValue;
  readonly findingKey: string;
}

const rankOf = Object.fromEntries(severities.map((severity, rank) => [severity, rank]));

const valueOf: Readonly<Record<FindingSort, (finding: ListedFinding) => SortValue>> = {
  severity: ({ severity }) => rankOf[severity] ?? severities.length,
  newest: ({ firstSeenAt }) => -firstSeenAt,
  oldest: ({ firstSeenAt }) => firstSeenAt,
  project: ({ projectName }) => projectName.toLowerCase(),
};

export function positionOf(sort: FindingSort, finding: ListedFinding): Position {
  return { value: valueOf[sort](finding), findingKey: finding.findingKey };
}

/** Negative when `one` comes before `other`. */
export function comparePositions(one: Position, other: Position): number {
  if (one.value !== other.value) return one.value < other.value ? -1 : 1;
  if (one.findingKey === other.findingKey) return 0;
  return one.findingKey < other.findingKey ? -1 : 1;
}

export function cursorOf(sort: FindingSort, { value, findingKey }: Position): string {
  return Buffer.from(JSON.stringify([sort, value, findingKey])).toString('base64url');
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
  if (given !== sort || !isValue || typeof findingKey !== 'string') return null;
  return { value: value as SortValue, findingKey };
}
