/** Processes that add findings to one report: in parallel, killed, and one after the other. */
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collected, hand, REPORT, startAdding, withReport } from '../../test/adding.ts';
import { AT, submission, TemporaryFolder } from '../../test/local-reports.ts';
import { addSubmission } from '../report/intake.ts';
import { eventsAfter } from './events.ts';
import { findingsOf } from './findings.ts';
import { findReport } from './reports.ts';
import { openStore } from './store.ts';

describe('findings added', () => {
  test('by two parallel processes are all stored, each under its own id', async () => {
    using folder = new TemporaryFolder();
    await withReport(folder.path);
    const names = (who: string) =>
      Array.from({ length: 20 }, (_, index) => submission(`${who}${'x'.repeat(index + 1)}`));
    const [one, other] = await Promise.all(
      ['a', 'b'].map((who) => collected(hand(startAdding(folder.path), names(who)))),
    );
    const ids = [...one!, ...other!];
    expect(new Set(ids).size).toBe(40);
    using store = await openStore(folder.path);
    const { findings, lastNumber } = findingsOf(store, REPORT);
    expect(new Set(findings.map(({ id }) => id))).toEqual(new Set(ids));
    expect(lastNumber).toBe(40);
    expect(eventsAfter(store, REPORT)).toHaveLength(40);
    expect(findReport(store, REPORT)).toMatchObject({ candidateCount: 40, duplicateCount: 0 });
  });

  test('by a killed process are stored completely if they were acknowledged', async () => {
    using folder = new TemporaryFolder();
    await withReport(folder.path);
    const child = startAdding(folder.path);
    const exited = once(child, 'exit');
    const submissions = Array.from({ length: 50 }, (_, index) => submission('x'.repeat(index + 1)));
    const acknowledged: string[] = [];
    for await (const id of hand(child, submissions)) if (acknowledged.push(id) === 3) child.kill('SIGKILL');
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
  });

  test('by any number of commands are the same as if one command had added them', async () => {
    // Few names, so that many findings are the same; different evidence, so that some merges add something.
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
        for (const part of given) {
          using opened = await openStore(folder.path);
          for (const one of part) addSubmission(opened, REPORT, one, AT);
        }
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
      { numRuns: 20 },
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
