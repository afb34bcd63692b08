/** What must hold after every sync, and ways to interrupt a sync: a lost call, or a kill. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestServer } from '@svc/testkit';
import { expect } from 'vitest';
import type { GatedCall, CallName } from './gate.ts';
import type { CommandResult } from './svc.ts';
import { containing } from './svc.ts';
import { sarifLog, syncingMachine, type Syncing } from './syncing.ts';

/** Expects the store to agree with the service about every report that was ever begun. */
export async function expectAgreement(syncing: Syncing, note = ''): Promise<void> {
  const local = await syncing.local();
  const own = await syncing.reports();
  const synced = local.filter(({ report }) => report.state === 'synced');
  const states = local.map(({ report }) => report.state);
  const finalized = own.filter(({ state }) => state === 'finalized');
  const [newest] = synced;
  const streamed = newest ? await syncing.streamed(newest.report.sync.reportId ?? '') : [];
  expect({
    note,
    open: states.filter((state) => state !== 'synced' && state !== 'aborted'),
    ids: new Set(finalized.map(({ reportId }) => reportId)),
    live: own.length - finalized.length,
    used: await syncing.used(),
    streamed,
  }).toEqual({
    note,
    open: [],
    ids: new Set(synced.map(({ report }) => report.sync.reportId ?? '')),
    live: 0,
    used: synced.length,
    streamed: newest?.events.map(({ eventId }) => eventId) ?? [],
  });
}

/** Expects one final report, for one unit. */
export async function expectOneReport(syncing: Syncing): Promise<void> {
  await expectAgreement(syncing);
  expect(await syncing.local()).toMatchObject([{ report: { state: 'synced' } }]);
}

/**
 * Loses a call of a scan once, or each time until the scan has ended. In the second case it then syncs. Expects one
 * report in the service.
 * @returns the result of one more sync.
 */
export async function syncAfterLoss(
  server: TestServer,
  lost: CallName,
  fate: 'lose_request' | 'lose_answer',
  times: 'once' | 'always',
): Promise<CommandResult> {
  await using syncing = await syncingMachine(server);
  await writeFile(path.join(syncing.machine.folder, 'linter.sarif'), sarifLog(3));
  syncing.gate.decide = ({ name, number }) =>
    name === lost && (times === 'always' || number === 1) ? fate : 'pass';
  const { code, stderr } = await syncing.svc(['scan', '.', '--sarif', 'linter.sarif']);
  expect(code).toBe(times === 'once' ? 0 : 5);
  syncing.gate.decide = () => 'pass';
  if (times === 'always') {
    expect(stderr).toContain('svc sync');
    expect(await syncing.svc(['sync'])).toMatchObject({ code: 0 });
  }
  await expectOneReport(syncing);
  return await syncing.svc(['sync']);
}

/** The point before a call arrives, or after the service has executed it and its response is lost. */
export type Point = readonly [name: CallName, moment: 'before' | 'after'];

export async function killedAt(
  syncing: Syncing,
  words: readonly string[],
  [name, moment]: Point,
): Promise<void> {
  const { child, ended } = syncing.start(words);
  let isDone = false;
  const kill = (call: GatedCall) => {
    if (call.name !== name || isDone) return;
    isDone = true;
    child.kill('SIGKILL');
  };
  if (moment === 'before') {
    syncing.gate.decide = (call) => {
      kill(call);
      return isDone && call.name === name ? 'lose_request' : 'pass';
    };
  } else {
    syncing.gate.answered = kill;
  }
  await ended;
  syncing.gate.decide = () => 'pass';
  syncing.gate.answered = () => undefined;
}

export const nothingLeft = { code: 0, stdout: containing('Nothing to sync') };
