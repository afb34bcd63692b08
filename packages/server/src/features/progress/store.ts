/** Progress events, numbered within their report. */
import { CompiledQuery } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { ProgressEventsTable } from '#platform/database/schema';

export type EventRow = ProgressEventsTable;
export type NewEvent = Omit<EventRow, 'number'>;

/** Resolves to the number of stored events. Those whose id the report already has are skipped. */
export async function insertEvents(tx: Tx, events: readonly EventRow[]): Promise<number> {
  const parameters = events.flatMap((event) => COLUMNS.map((column) => event[column]));
  const { numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(insertText(tx, events), parameters));
  return Number(numAffectedRows);
}

/** The columns in the order of the values in the statement. */
const COLUMNS = ['reportId', 'number', 'eventId', 'type', 'occurredAt', 'phase', 'safeCode'] as const;

function inOrder({ reportId, number, eventId, type, occurredAt, phase, safeCode }: EventRow): EventRow {
  return { reportId, number, eventId, type, occurredAt, phase, safeCode };
}

/** The statements by database and number of events. Building the SQL for 25 rows takes longer than storing them. */
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

interface Page {
  readonly reportId: string;
  readonly number: number;
  readonly most: number;
}

/** The events after a number, in order. */
export function listAfter(db: Db, reportId: string, number: number, most: number): Promise<EventRow[]> {
  return after(db, { reportId, number, most });
}

const after = compiledOnce((db, { reportId, number, most }: Page) =>
  db
    .selectFrom('progressEvents')
    .selectAll()
    .where('reportId', '=', reportId)
    .where('number', '>', number)
    .orderBy('number')
    .limit(most),
);
