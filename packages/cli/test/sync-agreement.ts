/** What must hold after every sync, and how a process is killed in the middle of one. */
import { expect } from 'vitest';
import type { Call, CallName } from './gate.ts';
import type { Syncing } from './syncing.ts';

/** What the store says is what the service has, for every report that was ever begun. */
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

/** Before a call arrives, or when the service has done it and nobody knows. */
export type Point = readonly [name: CallName, moment: 'before' | 'after'];

export async function killedAt(
  syncing: Syncing,
  words: readonly string[],
  [name, moment]: Point,
): Promise<void> {
  const { child, ended } = syncing.start(words);
  let isDone = false;
  const kill = (call: Call) => {
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
