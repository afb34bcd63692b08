/** Triage decisions, across all reports of a project. */
import { limits } from '@svc/contract';
import { identityKey } from '@svc/report';
import type { Db, Tx } from '#platform/database/database';
import type { FindingDecisionsTable } from '#platform/database/schema';

export type DecisionRow = FindingDecisionsTable;

const ROWS_AT_ONCE = 200;
const READ_AT_ONCE_MAX = 512;
/** Each may have a thousand decisions to skip. */
const KEPT_AT_ONCE_MAX = 128;

export async function insertDecisions(tx: Tx, rows: readonly DecisionRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto('findingDecisions')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
}

/** Some decisions of a project, by number. */
export async function findDecisions(
  db: Db,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, DecisionRow>> {
  const found = new Map<number, DecisionRow>();
  for (let from = 0; from < numbers.length; from += READ_AT_ONCE_MAX) {
    const rows = await db
      .selectFrom('findingDecisions')
      .selectAll()
      .where('projectId', '=', projectId)
      .where('number', 'in', numbers.slice(from, from + READ_AT_ONCE_MAX))
      .execute();
    for (const row of rows) found.set(row.number, row);
  }
  return found;
}

/** Some of the decisions about a finding, oldest first. */
export async function listDecisions(
  db: Db,
  {
    projectId,
    identity,
    after,
    most,
  }: { projectId: string; identity: Uint8Array; after: number; most: number },
): Promise<DecisionRow[]> {
  return db
    .selectFrom('findingDecisions')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('identity', '=', identity)
    .where('number', '>', after)
    .orderBy('number')
    .limit(most)
    .execute();
}

/** The decisions of one call, oldest first. */
export async function listByUndo(tx: Tx, undoId: string): Promise<DecisionRow[]> {
  return tx
    .selectFrom('findingDecisions')
    .selectAll()
    .where('undoId', '=', undoId)
    .orderBy('number')
    .execute();
}

/** Those among the decisions of one call about whose findings a later call decided. */
export async function decidedSince(tx: Tx, decisions: readonly DecisionRow[]): Promise<Set<DecisionRow>> {
  const since = new Set<DecisionRow>();
  for (let from = 0; from < decisions.length; from += READ_AT_ONCE_MAX) {
    const some = decisions.slice(from, from + READ_AT_ONCE_MAX);
    const [{ projectId, undoId } = { projectId: '', undoId: '' }] = some;
    const rows = await tx
      .selectFrom('findingDecisions')
      .select(['identity', ({ fn }) => fn.max('number').as('newest')])
      .where('projectId', '=', projectId)
      .where('undoId', '<>', undoId)
      .where(
        'identity',
        'in',
        some.map(({ identity }) => identity),
      )
      .groupBy('identity')
      .execute();
    const newest = new Map(rows.map((row) => [identityKey(row.identity), row.newest]));
    for (const each of some) if ((newest.get(identityKey(each.identity)) ?? 0) > each.number) since.add(each);
  }
  return since;
}

/**
 * Deletes all but the newest decisions about these findings.
 * @returns the bytes of the deleted notes
 */
export async function forgetOldest(
  tx: Tx,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<number> {
  let bytes = 0;
  for (let from = 0; from < identities.length; from += KEPT_AT_ONCE_MAX) {
    const rows = await tx
      .selectFrom('projectFindings')
      .select('identity')
      .select((eb) =>
        eb
          .selectFrom('findingDecisions')
          .select('number')
          .whereRef('findingDecisions.projectId', '=', 'projectFindings.projectId')
          .whereRef('findingDecisions.identity', '=', 'projectFindings.identity')
          .orderBy('number', 'desc')
          .limit(1)
          .offset(limits.decision.keptMax)
          .as('last'),
      )
      .where('projectId', '=', projectId)
      .where('identity', 'in', identities.slice(from, from + KEPT_AT_ONCE_MAX))
      .execute();
    for (const { identity, last } of rows) {
      if (last === null) continue;
      const deleted = await tx
        .deleteFrom('findingDecisions')
        .where('projectId', '=', projectId)
        .where('identity', '=', identity)
        .where('number', '<=', last)
        .returning('note')
        .execute();
      bytes += deleted.reduce((sum, { note }) => sum + (note?.length ?? 0), 0);
    }
  }
  return bytes;
}

/** The identities among these that have a decision. */
export async function decidedAmong(
  tx: Tx,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for (let from = 0; from < identities.length; from += READ_AT_ONCE_MAX) {
    const rows = await tx
      .selectFrom('findingDecisions')
      .select('identity')
      .distinct()
      .where('projectId', '=', projectId)
      .where('identity', 'in', identities.slice(from, from + READ_AT_ONCE_MAX))
      .execute();
    found.push(...rows.map(({ identity }) => identity));
  }
  return found;
}

/** Makes the decisions about a finding apply to another identity. */
export async function moveDecisions(
  tx: Tx,
  projectId: string,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
): Promise<void> {
  await tx
    .updateTable('findingDecisions')
    .set({ identity: to })
    .where('projectId', '=', projectId)
    .where('identity', '=', from)
    .execute();
}

/** The identities whose decisions have a note. */
export async function listNoted(tx: Tx, projectId: string): Promise<Uint8Array[]> {
  const rows = await tx
    .selectFrom('findingDecisions')
    .select('identity')
    .distinct()
    .where('projectId', '=', projectId)
    .where('note', 'is not', null)
    .execute();
  return rows.map(({ identity }) => identity);
}

/** @returns the bytes of the deleted notes */
export async function forgetNotes(
  tx: Tx,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<number> {
  let bytes = 0;
  for (let from = 0; from < identities.length; from += READ_AT_ONCE_MAX) {
    const some = identities.slice(from, from + READ_AT_ONCE_MAX);
    const { total } = await tx
      .selectFrom('findingDecisions')
      .select((eb) => eb.fn.sum<number | null>(eb.fn('length', ['note'])).as('total'))
      .where('projectId', '=', projectId)
      .where('identity', 'in', some)
      .executeTakeFirstOrThrow();
    bytes += total ?? 0;
    await tx
      .updateTable('findingDecisions')
      .set({ note: null })
      .where('projectId', '=', projectId)
      .where('identity', 'in', some)
      .where('note', 'is not', null)
      .execute();
  }
  return bytes;
}

/** Deletes the decisions about findings that the project no longer knows. */
export async function forgetUnknown(tx: Tx, keys: readonly { projectId: string; identity: Uint8Array }[]) {
  for (const { projectId, identity } of keys)
    await tx
      .deleteFrom('findingDecisions')
      .where('projectId', '=', projectId)
      .where('identity', '=', identity)
      .execute();
}

/** The display names of the accounts among these that still exist, for at most 512 ids. */
export async function findNames(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'displayName'])
    .where('id', 'in', userIds.slice(0, READ_AT_ONCE_MAX))
    .execute();
  return new Map(rows.map(({ id, displayName }) => [id, displayName]));
}

/** The wrapped key of a project's notes; null before the first note. */
export async function findNotesKey(db: Db, projectId: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('projects')
    .select('notesKey')
    .where('id', '=', projectId)
    .executeTakeFirst();
  return row?.notesKey ?? null;
}
