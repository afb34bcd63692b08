/** Triage decisions, across all reports of a project. */
import type { Db, Tx } from '#platform/database/database';
import type { FindingDecisionsTable } from '#platform/database/schema';

export type DecisionRow = FindingDecisionsTable;

const ROWS_AT_ONCE = 200;
const READ_AT_ONCE_MAX = 512;

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

/** The decisions about a finding, oldest first. */
export async function listDecisions(db: Db, projectId: string, identity: Uint8Array): Promise<DecisionRow[]> {
  return db
    .selectFrom('findingDecisions')
    .selectAll()
    .where('projectId', '=', projectId)
    .where('identity', '=', identity)
    .orderBy('number')
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

/** Whether a later call decided about the same finding. */
export async function isDecidedSince(tx: Tx, { projectId, identity, number, undoId }: DecisionRow) {
  const later = await tx
    .selectFrom('findingDecisions')
    .select('number')
    .where('projectId', '=', projectId)
    .where('identity', '=', identity)
    .where('number', '>', number)
    .where('undoId', '<>', undoId)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
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

export async function forgetNotes(
  tx: Tx,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<void> {
  for (let from = 0; from < identities.length; from += READ_AT_ONCE_MAX)
    await tx
      .updateTable('findingDecisions')
      .set({ note: null })
      .where('projectId', '=', projectId)
      .where('identity', 'in', identities.slice(from, from + READ_AT_ONCE_MAX))
      .where('note', 'is not', null)
      .execute();
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
