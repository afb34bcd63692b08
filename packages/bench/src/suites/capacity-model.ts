/** Prints the costs as tables, and what they mean for a million people. */
import type { Calls } from '../harness/calls.ts';
import type { ProcessorTimes, Stored } from '../harness/modes.ts';
import { workNames, type WorkName } from './capacity-work.ts';

/** What one piece of work costs. */
export interface Cost {
  /** Processor time in milliseconds. */
  readonly processor: ProcessorTimes;
  readonly calls: Calls;
}

export interface Costs {
  readonly mode: 'embedded' | 'distributed';
  readonly works: Readonly<Record<WorkName, Cost>>;
  /** What one report of 50 KB occupies. */
  readonly stored: Stored;
  /** Milliseconds of processor time in a second without requests. */
  readonly idle: ProcessorTimes;
}

const PEOPLE = 1_000_000;
/** What a person does on average, each day. One person in ten scans on a day, and many of their scans are watched. */
const perPersonAndDay: Readonly<Partial<Record<WorkName, number>>> = {
  sync: 0.1,
  progress: 0.4,
  watched: 0.1,
  quota: 0.2,
  report: 0.5,
  share: 1,
  exportFirst: 0.05,
  exportAgain: 0.05,
};
/** The busiest hour has this many times the load of an average one. */
const PEAK = 4;
const DAYS_KEPT = 21;
const SECONDS_PER_DAY = 86_400;
const GB = 1e9;

export function printModel(embedded: Costs, distributed: Costs): void {
  console.log('\nProcessor time in ms, and calls, for one piece of work:\n');
  printRows([
    [
      '',
      'embedded',
      'distributed',
      '+ PostgreSQL',
      '+ storage',
      '+ Redis',
      'statements',
      'blobs',
      'counters',
    ],
    ...(Object.keys(workNames) as WorkName[]).map((name) => rowOf(name, embedded, distributed)),
  ]);
  for (const { mode, stored, idle } of [embedded, distributed])
    console.log(
      `${mode}: a report of 50 KB takes ${stored.databaseBytes.toFixed(0)} bytes in the database and ${stored.blobBytes.toFixed(0)} in blobs; ` +
        `idle, the engines use ${(idle.postgres + idle.storage + idle.redis).toFixed(1)} ms a second, the service ${idle.service.toFixed(1)} ms`,
    );
  const day = Object.entries(perPersonAndDay).map(([name, count]) => `${name} ${count}`);
  console.log(`\n${PEOPLE} people, each day: ${day.join(', ')}; a peak of ${PEAK} times the average:`);
  for (const costs of [embedded, distributed]) printDemand(costs);
}

function rowOf(name: WorkName, embedded: Costs, distributed: Costs): string[] {
  const { processor, calls } = distributed.works[name];
  const { processor: alone, calls: callsAlone } = embedded.works[name];
  return [
    workNames[name],
    alone.service.toFixed(2),
    processor.service.toFixed(2),
    processor.postgres.toFixed(2),
    processor.storage.toFixed(2),
    processor.redis.toFixed(2),
    `${calls.statements} (${callsAlone.statements})`,
    String(calls.blobs),
    String(calls.counters),
  ];
}

function printDemand({ mode, works, stored }: Costs): void {
  const sum = (figure: (cost: Cost) => number) =>
    Object.entries(perPersonAndDay).reduce(
      (total, [name, count]) => total + count * figure(works[name as WorkName]),
      0,
    );
  const cores = (figure: (cost: Cost) => number) => ((sum(figure) / 1000) * PEOPLE * PEAK) / SECONDS_PER_DAY;
  const reports = (perPersonAndDay.sync ?? 0) * PEOPLE * DAYS_KEPT;
  const parts = [
    `service ${cores(({ processor }) => processor.service).toFixed(2)}`,
    `PostgreSQL ${cores(({ processor }) => processor.postgres).toFixed(2)}`,
    `storage ${cores(({ processor }) => processor.storage).toFixed(2)}`,
    `Redis ${cores(({ processor }) => processor.redis).toFixed(2)}`,
  ];
  console.log(
    `${mode}: busy cores at the peak: ${parts.join(', ')}; ` +
      `${((sum(({ calls }) => calls.statements) * PEOPLE * PEAK) / SECONDS_PER_DAY).toFixed(0)} statements a second; ` +
      `${reports} reports stored: ${((reports * stored.databaseBytes) / GB).toFixed(1)} GB of database, ${((reports * stored.blobBytes) / GB).toFixed(1)} GB of blobs`,
  );
}

function printRows(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    );
  console.log('');
}
