/**
 * The cost of small parallel transactions, compared with the bare driver that writes the same rows with one commit
 * per tick: the price of savepoints, of the query builder, and of separate results.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose } from '@svc/server/compose';
import { readConfig } from '@svc/server/config';
import type { Result, Suite } from '../harness/result.ts';
import { interleave, medianOf, ratios } from '../harness/rounds.ts';
import { median } from '../harness/statistics.ts';

const WRITERS = 64;
const VALUE = 'x'.repeat(200);

/** Writes a row in a transaction of its own; resolves when it is durable. */
type Write = (name: string) => Promise<unknown>;

interface Measured {
  readonly perSecond: number;
  readonly processorUs: number;
}

export const commitsSuite: Suite = {
  name: 'commits',
  async run({ smoke }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-commits-'));
    const service = await compose(readConfig({ DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'silent' }));
    const floor = openFloor(path.join(folder, 'floor.db'));
    const write: Write = (name) =>
      service.database.transaction((tx) =>
        tx.insertInto('deployment').values({ name, value: VALUE }).execute(),
      );
    try {
      const durationMs = smoke ? 60 : 1500;
      const compared = await interleave(
        smoke ? 2 : 7,
        () => measure(write, durationMs),
        () => measure(floor.write, durationMs),
      );
      return [resultOf(compared.a, compared.b)];
    } finally {
      floor.close();
      await service.close(0);
      await rm(folder, { recursive: true });
    }
  },
};

/** Uses the service's settings and table, prepared statements, and one commit for all writes of a tick. */
function openFloor(file: string): { readonly write: Write; close(): void } {
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    create table deployment (name text primary key not null, value text not null);
  `);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const insert = database.prepare('insert into deployment (name, value) values (?, ?)');
  const commit = database.prepare('COMMIT');
  let waiting: (() => void)[] = [];
  return {
    write: (name) =>
      new Promise<void>((resolve) => {
        if (waiting.length === 0) {
          begin.run();
          setImmediate(() => {
            commit.run();
            const committed = waiting;
            waiting = [];
            for (const each of committed) each();
          });
        }
        insert.run(name, VALUE);
        waiting.push(resolve);
      }),
    close: () => database.close(),
  };
}

let names = 0;

async function measure(write: Write, durationMs: number): Promise<Measured> {
  const processorBegan = process.cpuUsage();
  const began = performance.now();
  let written = 0;
  async function writeOn(): Promise<void> {
    while (performance.now() - began < durationMs) {
      names += 1;
      await write(`commits ${names}`);
      written += 1;
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writeOn));
  const { user, system } = process.cpuUsage(processorBegan);
  return {
    perSecond: (written * 1000) / (performance.now() - began),
    processorUs: (user + system) / written,
  };
}

function resultOf(service: readonly Measured[], floor: readonly Measured[]): Result {
  const rounds = ratios({ a: service, b: floor }, ({ perSecond }) => perSecond);
  return {
    target: null,
    name: 'small transactions in parallel',
    measured: median(rounds),
    unit: '×',
    bound: null,
    floor: `bare node:sqlite, one commit per tick, ${WRITERS} writers`,
    rounds,
    details: {
      perSecond: medianOf(service, ({ perSecond }) => perSecond),
      floorPerSecond: medianOf(floor, ({ perSecond }) => perSecond),
      processorUs: medianOf(service, ({ processorUs }) => processorUs),
      floorProcessorUs: medianOf(floor, ({ processorUs }) => processorUs),
    },
  };
}
