/** Reads what projects know about their findings, as digests, enum values and times. */
import type { FindingStatus } from '@svc/contract';
import { identityKey } from '@svc/report';
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { ProjectFindingsTable } from '#platform/database/schema';
import type { Known } from './policy.ts';

export type IdentityRow = ProjectFindingsTable;
/** What a project knows about a finding, with its identity. */
export type KnownRow = Known & Pick<IdentityRow, 'identity'>;

/** Large enough that few statements are needed, small enough that no other transaction waits long. */
export const IDENTITIES_AT_ONCE_MAX = 512;

const knownColumns = [
  'identity',
  'firstSeenAt',
  'lastSeenAt',
  'status',
  'severity',
  'statusAt',
  'decision',
  'until',
  'present',
  'isOpen',
  'isWeak',
  'isHeld',
  'presentFrom',
  'presentSeverity',
  'tool',
  'areas',
  'earlierIdentities',
] as const satisfies readonly (keyof IdentityRow)[];

/** Whether the project knows any finding. */
export async function knowsAny(tx: Tx, projectId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('projectFindings')
    .select('projectId')
    .where('projectId', '=', projectId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The known findings by `identityKey`. */
export async function findKnown(
  tx: Db,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<Map<string, KnownRow>> {
  const known = new Map<string, KnownRow>();
  for (let at = 0; at < identities.length; at += IDENTITIES_AT_ONCE_MAX) {
    const wanted = padded(identities.slice(at, at + IDENTITIES_AT_ONCE_MAX));
    const rows = await knownAmong(tx, { projectId, wanted });
    for (const row of rows) known.set(identityKey(row.identity), row);
  }
  return known;
}

const knownAmong = compiledOnce((db, { projectId, wanted }: { projectId: string; wanted: Uint8Array[] }) =>
  db
    .selectFrom('projectFindings')
    .select(knownColumns)
    .where('projectId', '=', projectId)
    .where('identity', 'in', wanted),
);

/** The present findings whose tool is one of these, by `identityKey`. */
export async function listPresent(
  tx: Tx,
  projectId: string,
  tools: readonly Uint8Array[],
): Promise<Map<string, KnownRow>> {
  if (tools.length === 0) return new Map();
  const rows = await presentByTools(tx, { projectId, tools: [...tools] });
  return new Map(rows.map((row) => [identityKey(row.identity), row]));
}

const presentByTools = compiledOnce((db, { projectId, tools }: { projectId: string; tools: Uint8Array[] }) =>
  db
    .selectFrom('projectFindings')
    .select(knownColumns)
    .where('projectId', '=', projectId)
    .where('present', '=', sql.lit(1))
    .where('tool', 'in', tools),
);

/** The present findings whose decision has lapsed, and that are not counted as open yet. */
export async function listLapsed(tx: Tx, projectId: string, now: number): Promise<KnownRow[]> {
  return tx
    .selectFrom('projectFindings')
    .select(knownColumns)
    .where('projectId', '=', projectId)
    .where('until', '<=', now)
    .where('present', '=', 1)
    .where('isOpen', '=', 0)
    .where('status', '=', 'accepted_risk')
    .orderBy('until')
    .execute();
}

/** The findings that had another identity earlier. */
export async function listRenamed(db: Db, projectId: string): Promise<KnownRow[]> {
  return db
    .selectFrom('projectFindings')
    .select(knownColumns)
    .where('projectId', '=', projectId)
    .where('earlierIdentities', 'is not', null)
    .execute();
}

/** When the next decision of the project lapses; null when none does. */
export async function findNextLapse(tx: Tx, projectId: string, now: number): Promise<number | null> {
  const { next } = await tx
    .selectFrom('projectFindings')
    .select(({ fn }) => fn.min<number | null>('until').as('next'))
    .where('projectId', '=', projectId)
    .where('until', '>', now)
    .executeTakeFirstOrThrow();
  return next;
}

export type SetAsideRow = Pick<
  IdentityRow,
  'identity' | 'status' | 'severity' | 'statusAt' | 'decision' | 'until'
>;

/** The findings among these whose stored status is set aside, for gates. Their decisions may have lapsed. */
export async function listSetAside(
  db: Db,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<SetAsideRow[]> {
  const rows: SetAsideRow[] = [];
  for (let at = 0; at < identities.length; at += IDENTITIES_AT_ONCE_MAX) {
    const wanted = padded(identities.slice(at, at + IDENTITIES_AT_ONCE_MAX));
    rows.push(...(await setAsideAmong(db, { projectId, wanted })));
  }
  return rows;
}

const setAsideAmong = compiledOnce((db, { projectId, wanted }: { projectId: string; wanted: Uint8Array[] }) =>
  db
    .selectFrom('projectFindings')
    .select(['identity', 'status', 'severity', 'statusAt', 'decision', 'until'])
    .where('projectId', '=', projectId)
    .where('identity', 'in', wanted)
    .where('status', 'in', [
      sql.lit<FindingStatus>('accepted_risk'),
      sql.lit<FindingStatus>('false_positive'),
    ]),
);

/** Padded to the next power of two, so that few different statements are prepared. */
export function padded(identities: Uint8Array[]): Uint8Array[] {
  const [first] = identities;
  const missing = 2 ** Math.ceil(Math.log2(identities.length)) - identities.length;
  return first ? [...identities, ...Array.from({ length: missing }, () => first)] : identities;
}
