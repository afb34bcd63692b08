/** Processes that add findings to one report, killed at any moment. */
import { once } from 'node:events';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { hand, REPORT, startAdding, withReport } from '../../test/adding.ts';
import { submission, TemporaryFolder } from '../../test/local-reports.ts';
import { eventsAfter } from './events.ts';
import { findingsOf } from './findings.ts';
import { findReport } from './reports.ts';
import { openStore, STORE_FILE_NAME } from './store.ts';

test('findings added by a killed process are stored completely if they were acknowledged', async () => {
  using folder = new TemporaryFolder();
  await withReport(folder.path);
  const acknowledged: string[] = [];
  // The process is killed after different numbers of acknowledgements: within a transaction, or between two.
  for (let round = 0; round < 8; round += 1) {
    const child = startAdding(folder.path);
    const exited = once(child, 'exit');
    const submissions = Array.from({ length: 200 }, (_, index) =>
      submission(`r${'q'.repeat(round)}n${'x'.repeat(index)}`),
    );
    let left = 1 + ((round * 7) % 23);
    for await (const id of hand(child, submissions)) {
      acknowledged.push(id);
      left -= 1;
      if (left === 0) child.kill('SIGKILL');
    }
    await exited;
    using store = await openStore(folder.path);
    const { findings, lastNumber } = findingsOf(store, REPORT);
    const ids = findings.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    expect(ids).toEqual(findings.map((_, index) => `F-${index + 1}`));
    expect(lastNumber).toBe(findings.length);
    // Counters, events and findings are written in one transaction.
    expect(findReport(store, REPORT)?.candidateCount).toBe(findings.length);
    expect(eventsAfter(store, REPORT)).toHaveLength(findings.length);
  }
  const database = new DatabaseSync(path.join(folder.path, STORE_FILE_NAME));
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});
