/** Processes that add findings to one report: at once, and killed at any moment. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, newReport, submission, TemporaryFolder } from '../../test/local-reports.ts';
import { addSubmission } from '../report/intake.ts';
import { eventsAfter } from './events.ts';
import { findingsOf } from './findings.ts';
import { createReport, findReport } from './reports.ts';
import { openStore, STORE_FILE_NAME } from './store.ts';

const PROGRAM = path.join(import.meta.dirname, '../../test/adding-process.ts');
const REPORT = 'local-report-1';

type Adding = ChildProcessByStdio<Writable, Readable, null>;

function startAdding(folder: string): Adding {
  return spawn(process.execPath, [PROGRAM, folder, REPORT], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Hands all submissions over at once. @returns the ids as they are acknowledged. */
function hand(child: Adding, submissions: readonly unknown[]): AsyncIterable<string> {
  // A process that was killed reads no more.
  child.stdin.on('error', () => undefined);
  child.stdin.end(submissions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return createInterface({ input: child.stdout });
}

async function collected(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function withReport(folder: string): Promise<void> {
  using store = await openStore(folder);
  createReport(store, newReport());
}

describe('findings added', { timeout: 120_000 }, () => {
  test('by two processes at once are all there, each under an id of its own', async () => {
    using folder = new TemporaryFolder();
    await withReport(folder.path);
    const names = (who: string) =>
      Array.from({ length: 100 }, (_, index) => submission(`${who}${'x'.repeat(index + 1)}`));
    const [one, other] = await Promise.all(
      ['a', 'b'].map((who) => collected(hand(startAdding(folder.path), names(who)))),
    );
    const ids = [...one!, ...other!];
    expect(new Set(ids).size).toBe(200);
    using store = await openStore(folder.path);
    const { findings, lastNumber } = findingsOf(store, REPORT);
    expect(new Set(findings.map(({ id }) => id))).toEqual(new Set(ids));
    expect(lastNumber).toBe(200);
    expect(eventsAfter(store, REPORT)).toHaveLength(200);
    expect(findReport(store, REPORT)).toMatchObject({ candidateCount: 200, duplicateCount: 0 });
  });

  test('by a process that is killed at any moment are there when they were acknowledged, and whole', async () => {
    using folder = new TemporaryFolder();
    await withReport(folder.path);
    const acknowledged: string[] = [];
    // Killed after so many acknowledgements and so many turns of the loop more: within a transaction, or between two.
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
      // Counters, events and findings are written in one step.
      expect(findReport(store, REPORT)?.candidateCount).toBe(findings.length);
      expect(eventsAfter(store, REPORT)).toHaveLength(findings.length);
    }
    const database = new DatabaseSync(path.join(folder.path, STORE_FILE_NAME));
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  });

  test('in any split over processes are the same as in one', async () => {
    // Few names, so that many are the same; other evidence, so that some merge with something new.
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      evidence: fc.constantFrom('one', 'two'),
      rejected: fc.boolean(),
    });
    const parts = fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(parts, async (split) => {
        using folder = new TemporaryFolder();
        await withReport(folder.path);
        const given = split.map((steps) => steps.map(submissionOf));
        for (const part of given) await collected(hand(startAdding(folder.path), part));
        using store = await openStore(folder.path);

        using otherFolder = new TemporaryFolder();
        await withReport(otherFolder.path);
        using other = await openStore(otherFolder.path);
        for (const one of given.flat()) addSubmission(other, REPORT, one, AT);

        expect(findingsOf(store, REPORT)).toEqual(findingsOf(other, REPORT));
        expect(findReport(store, REPORT)).toEqual(findReport(other, REPORT));
        const types = [store, other].map((each) => eventsAfter(each, REPORT).map(({ event }) => event.type));
        expect(types[0]).toEqual(types[1]);
      }),
      { numRuns: 5 },
    );
  });
});

function submissionOf({
  name,
  evidence,
  rejected,
}: {
  name: string;
  evidence: string;
  rejected: boolean;
}): unknown {
  const whole = submission(name, {
    evidence: [{ kind: 'source', description: `Seen here: ${evidence}, ${name}.` }],
  });
  return rejected ? { ...whole, id: 'F-7' } : whole;
}
