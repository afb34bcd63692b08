/**
 * Fills an empty PostgreSQL database with the rows of an SQLite database that does not change meanwhile. After a kill,
 * the next run continues.
 */
import type { Database, Db } from '#platform/database/database';
import { readTableShapes, requireSameShapes } from '#platform/database/table-shapes';
import { compareRows, copyRows, tableWithRows, type RowCounts } from '#platform/database/transfer';
import {
  beginIncoming,
  findTargetState,
  finishIncoming,
  keepIncoming,
} from '#platform/database/transfer-marks';
import { StartError } from '#start-error';
import type { Invocation } from '../frame/command.ts';

export type Watch = Pick<Invocation, 'signal' | 'report'>;

export interface Filling {
  readonly from: Db;
  readonly to: Database;
  /** The target, as messages name it. */
  readonly described: string;
  /** Identifies the source; the same in every run. */
  readonly id: string;
  /** Facts of the target that differ from those of the source. */
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * Only marks the target, so that nothing else uses it from now on.
 * @returns false when an earlier run has filled the target from the same source.
 */
export async function beginFilling({ from, to, described, id }: Omit<Filling, 'facts'>): Promise<boolean> {
  const state = await findTargetState(to.read);
  if (state.kind === 'filled' && state.id === id) return false;
  if (state.kind === 'incoming' && state.id === id) return true;
  // A run that was killed in its first step leaves a mark and no rows, and its source does not name the target yet.
  const mayBeEmpty = state.kind === 'new' || (state.kind === 'incoming' && state.copiedTo === null);
  const table = mayBeEmpty ? await tableWithRows(await readTableShapes(from), to.read) : null;
  if (!mayBeEmpty || table !== null)
    throw new StartError(
      state.kind === 'incoming'
        ? `${described} contains part of the data of another source. Name an empty database.`
        : `${described} is not empty${table === null ? '' : `: the table ${table} has rows`}. Name an empty database.`,
    );
  await beginIncoming(to.read, id);
  return true;
}

/** @throws StartError when the rows of source and target differ after the copy. */
export async function fillDatabase(
  { from, to, described, id, facts }: Filling,
  { signal, report }: Watch,
): Promise<RowCounts> {
  const shapes = await readTableShapes(from);
  await requireSameShapes(shapes, to.read);
  const state = await findTargetState(to.read);
  if (state.kind !== 'incoming') throw new Error('the copy to this target was not begun');
  let incoming = { id, copiedTo: state.copiedTo };
  const watching = (step: string) => {
    let done = 0;
    return {
      onRows(_table: string, count: number) {
        signal.throwIfAborted();
        done += count;
        report(step, done);
      },
    };
  };
  await copyRows(
    shapes,
    { from, to },
    state.copiedTo,
    async (tx, place) => {
      incoming = await keepIncoming(tx, incoming, place);
    },
    watching('Copying rows'),
  );
  const { counts, differences } = await compareRows(
    shapes,
    { from, to: to.read },
    watching('Comparing rows'),
  );
  if (differences.length > 0)
    throw new StartError([
      `${described} differs from its source after the copy:`,
      ...differences.map((difference) => `- ${difference}`),
      'The service does not use this copy. Empty the database, and run the command again.',
    ]);
  await finishIncoming(to, from, id, facts);
  return counts;
}
