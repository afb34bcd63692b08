/**
 * The load on several replicas under faults: syncs, progress events, shares that are read and revoked. Each call
 * returns the right response, or an error that a client retries.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { progressEvents, wholePolicy } from '@svc/testkit';
import type { Replicas } from '@svc/testkit/replicas';
import { systemClock } from '@svc/server/ports';
import { attempt, inWords, type Attempt } from './attempt.ts';
import { browserOf, createPerson, deviceOf, newReport, type Person } from './people.ts';
import { mustTake, stepsLeft, syncSteps, take, takeAgain } from './steps.ts';
import { storedEventIds } from './stored-events.ts';

const SYNCS_AT_ONCE = 3;
const BODY_BYTES = 20_000;
/** Fewer than a list of reports can contain. */
const REPORTS_KEPT = 50;
const RETRIED_AFTER_MS = 50;
/** The service accepts at most 600 events a minute for a report. */
const EVENTS_EVERY_MS = 500;
const ANSWERED_WITHIN_MS = 25_000;

export interface Load {
  /**
   * Ends the load, and checks that the stored events are the acknowledged ones. Returns the people whose reports it
   * created. Calling it again changes nothing.
   */
  stop(): Promise<readonly Person[]>;
  /** Calls that succeeded, and calls that were rejected or lost. */
  readonly done: () => number;
  readonly excused: () => number;
}

/** @param problems receives every wrong response, and every error that a client would not retry. */
export async function startLoad(replicas: Replicas, problems: string[]): Promise<Load> {
  const over = new AbortController();
  let done = 0;
  let excused = 0;

  /** Counts the outcome of a call. Returns true for a success. */
  function judge(what: string, came: Attempt): boolean {
    if (came.kind === 'done') done += 1;
    else excused += 1;
    if (came.kind === 'rejected' && inWords(came) !== '503 INTERNAL')
      problems.push(`${what} was ${inWords(came)}`);
    return came.kind === 'done';
  }

  /** Repeats a call as a client does, until it succeeds. */
  async function insist<Came extends Attempt>(what: string, call: () => Promise<Came>): Promise<Came> {
    for (;;) {
      const began = performance.now();
      const came = await call();
      const tookMs = performance.now() - began;
      if (tookMs > ANSWERED_WITHIN_MS) problems.push(`${what} took ${tookMs.toFixed(0)} ms`);
      if (judge(what, came)) return came;
      // A call that is rejected each time would be repeated forever.
      if (came.kind === 'rejected' && came.status < 500) throw new Error(`${what} was ${inWords(came)}`);
      await pause(RETRIED_AFTER_MS);
    }
  }

  async function syncOn(person: Person): Promise<void> {
    while (!over.signal.aborted) {
      const report = newReport(person, BODY_BYTES);
      for (const step of stepsLeft(report))
        await insist(step, () => take(step, { actors: replicas, person, report }));
      const old = person.reports.at(-REPORTS_KEPT);
      if (old !== undefined)
        await insist('delete', () => takeAgain('delete', { actors: replicas, person, report: old }));
    }
  }

  /** Shares a report, reads it, and revokes the share. No read that begins after the response may succeed. */
  async function shareOn(person: Person): Promise<void> {
    const report = newReport(person, BODY_BYTES);
    for (const step of syncSteps) await insist(step, () => take(step, { actors: replicas, person, report }));
    const owner = browserOf(replicas, person);
    const reportId = report.reportId ?? '';
    while (!over.signal.aborted) {
      const body = { defaultPolicy: wholePolicy, anonymousAllowed: true };
      const created = await insist('create share', () =>
        attempt((signal) => owner.api.createShare({ params: { id: reportId }, body, signal })),
      );
      if (created.kind !== 'done') return;
      const { slug, shareId } = created.body;
      const read = () => attempt((signal) => replicas.anonymous.api.readShare({ params: { slug }, signal }));
      await insist('read share', read);
      await insist('revoke share', () =>
        attempt((signal) => owner.api.revokeShare({ params: { shareId }, query: { reportId }, signal })),
      );
      for (const came of await Promise.all([read(), read(), read()])) {
        if (came.kind === 'done') problems.push('a revoked share was read');
        else if (came.kind === 'rejected' && came.status < 500 && came.code !== 'SHARE_NOT_AVAILABLE')
          problems.push(`a revoked share was ${inWords(came)}`);
      }
    }
  }

  /** Sends events, and repeats a failed call with the same events. Appends the ids of accepted events to `sent`. */
  async function progressOn(person: Person, reportId: string, sent: string[]): Promise<void> {
    while (!over.signal.aborted) {
      const events = progressEvents(systemClock, reportId, 2);
      await insist('progress', () =>
        attempt((signal) =>
          deviceOf(replicas, person).api.sendProgress({ params: { id: reportId }, body: { events }, signal }),
        ),
      );
      sent.push(...events.map(({ eventId }) => eventId));
      await pause(EVENTS_EVERY_MS);
    }
  }

  const people: Person[] = [];
  for (let number = 0; number < SYNCS_AT_ONCE + 2; number += 1) people.push(await createPerson(replicas));
  const [sharing, scanning, ...syncing] = people;
  if (!sharing || !scanning) throw new Error('There are too few people.');
  const progressing = scanning;
  const live = newReport(scanning, BODY_BYTES);
  await mustTake(['create'], { actors: replicas, person: scanning, report: live });
  const sent: string[] = [];
  const running = [
    ...syncing.map((person) => syncOn(person)),
    shareOn(sharing),
    progressOn(scanning, live.reportId ?? '', sent),
  ].map((loop) => loop.catch((error: unknown) => void problems.push(String(error))));

  let stopping: Promise<readonly Person[]> | undefined;
  async function end(): Promise<readonly Person[]> {
    over.abort();
    await Promise.all(running);
    const seen = await storedEventIds(replicas.url, progressing, live.reportId ?? '');
    if (JSON.stringify(seen) !== JSON.stringify(sent))
      problems.push(`the stream has ${seen.length} events, but ${sent.length} were acknowledged`);
    return people;
  }
  return { stop: () => (stopping ??= end()), done: () => done, excused: () => excused };
}
