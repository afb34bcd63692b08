/** Progress events, numbered within their report. */
import { CompiledQuery } from 'kysely';
import type { Db, Tx } from '#platform/database/database';
import type { ProgressEventsTable } from '#platform/database/schema';

export type EventRow = ProgressEventsTable;
export type NewEvent = Omit<EventRow, 'number'>;

/**
 * Takes the next numbers of a live report, and with that its row: until the transaction ends nobody else takes any, so
 * numbers become visible in their order and a reader that asks for what follows a number misses none. Resolves to the
 * last one taken; null when the report takes no events any more.
 */
export async function takeNumbers(
  tx: Tx,
  reportId: string,
  count: number,
  now: number,
): Promise<number | null> {
  const row = await tx
    .updateTable('reports')
    .set((eb) => ({ lastEventNumber: eb('lastEventNumber', '+', count) }))
    .where('id', '=', reportId)
    .where('state', '=', 'live')
    .where('expiresAt', '>', now)
    .returning('lastEventNumber')
    .executeTakeFirst();
  return row?.lastEventNumber ?? null;
}

export async function setLastNumber(tx: Tx, reportId: string, lastEventNumber: number): Promise<void> {
  await tx.updateTable('reports').set({ lastEventNumber }).where('id', '=', reportId).execute();
}

/** Resolves to how many were stored: those whose id the report has already are left out. */
export async function insertEvents(tx: Tx, events: readonly EventRow[]): Promise<number> {
  const parameters = events.flatMap((event) => COLUMNS.map((column) => event[column]));
  const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(insertText(tx, events), parameters));
  return Number(numAffectedRows);
}

/** In the order in which the statement has their values. */
const COLUMNS = ['reportId', 'number', 'eventId', 'type', 'occurredAt', 'phase', 'safeCode'] as const;

function inOrder({ reportId, number, eventId, type, occurredAt, phase, safeCode }: EventRow): EventRow {
  return { reportId, number, eventId, type, occurredAt, phase, safeCode };
}

/** By the database, and by how many events. Making the text of 25 rows takes longer than storing them. */
const insertTexts = new WeakMap<object, Map<number, string>>();

function insertText(tx: Tx, events: readonly EventRow[]): string {
  const { adapter } = tx.getExecutor();
  const texts = insertTexts.get(adapter) ?? new Map<number, string>();
  insertTexts.set(adapter, texts);
  let text = texts.get(events.length);
  if (text === undefined) {
    ({ sql: text } = tx
      .insertInto('progressEvents')
      .values(events.map(inOrder))
      .onConflict((conflict) => conflict.columns(['reportId', 'eventId']).doNothing())
      .compile());
    texts.set(events.length, text);
  }
  return text;
}

export async function deleteEventsAfter(tx: Tx, reportId: string, number: number): Promise<void> {
  await tx
    .deleteFrom('progressEvents')
    .where('reportId', '=', reportId)
    .where('number', '>', number)
    .execute();
}

export async function listStoredIds(
  tx: Tx,
  reportId: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('progressEvents')
    .select('eventId')
    .where('reportId', '=', reportId)
    .where('eventId', 'in', eventIds)
    .execute();
  return new Set(rows.map(({ eventId }) => eventId));
}

/** What follows a number, in order. */
export async function listAfter(db: Db, reportId: string, number: number, most: number): Promise<EventRow[]> {
  return db
    .selectFrom('progressEvents')
    .selectAll()
    .where('reportId', '=', reportId)
    .where('number', '>', number)
    .orderBy('number')
    .limit(most)
    .execute();
}
