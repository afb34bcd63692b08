/**
 * Pending usage events: one small file for each, created by one rename, so that parallel processes lose nothing. Number
 * and age are bounded, and the oldest are deleted first.
 *
 * One process sends at a time. If two ever send at the same time, for example after one was killed, the service still
 * counts an event once.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AnalyticsEvent } from '@svc/contract';
import { createOwn, readOwn } from '../files/own-file.ts';
import { makeFolder, rejectLinks } from '../files/own-folders.ts';
import { DAY_MS } from '../time.ts';

const EVENTS_MAX = 200;
const KEPT_MS = 7 * DAY_MS;
/** Longer than any process takes to send. */
const SENDING_MS_MAX = 10_000;

export interface Waiting {
  readonly file: string;
  /** The service that the ids in the event belong to. */
  readonly origin: string;
  readonly event: AnalyticsEvent;
}

const LOCK = 'sending';
/** The time and the id of an event, so that names sort by age. */
const NAME = /^(\d{13})-[0-9a-f-]{36}\.json$/;

export async function add(folder: string, origin: string, events: readonly AnalyticsEvent[]): Promise<void> {
  makeFolder(folder);
  for (const event of events) {
    const temporary = path.join(folder, `.${randomUUID()}`);
    await createOwn(temporary, JSON.stringify({ origin, event }), 0o600);
    await rename(temporary, path.join(folder, `${Date.parse(event.occurredAt)}-${event.eventId}.json`));
  }
}

/** The events, oldest first. Deletes all but the newest files, and those that are too old or not events. */
export async function waiting(folder: string): Promise<Waiting[]> {
  rejectLinks(folder);
  const found: Waiting[] = [];
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).toSorted();
  const oldest = Date.now() - KEPT_MS;
  for (const [at, name] of names.entries()) {
    const file = path.join(folder, name);
    const isFresh = at >= names.length - EVENTS_MAX && Number(name.slice(0, 13)) > oldest;
    const read = isFresh ? await readWaiting(file) : null;
    if (read) found.push(read);
    else await remove([{ file }]);
  }
  return found;
}

export async function remove(sent: readonly Pick<Waiting, 'file'>[]): Promise<void> {
  for (const { file } of sent) await rm(file, { force: true });
}

export async function removeAll(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** Does nothing while another process sends. */
export async function sendingAlone(folder: string, work: () => Promise<void>): Promise<void> {
  const lock = path.join(folder, LOCK);
  if (!(await taken(lock)) && !((await isLeftBehind(lock)) && (await taken(lock)))) return;
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await createOwn(lock, '', 0o600);
    return true;
  } catch {
    return false;
  }
}

/** Whether the lock is gone or so old that its process must have been killed. Deletes an old one. */
async function isLeftBehind(lock: string): Promise<boolean> {
  const made = await stat(lock).catch(() => null);
  if (made === null || Math.abs(Date.now() - made.mtimeMs) < SENDING_MS_MAX) return made === null;
  await rm(lock, { force: true });
  return true;
}

async function readWaiting(file: string): Promise<Waiting | null> {
  try {
    const { origin, event } = JSON.parse(String(await readOwn(file))) as Waiting;
    return typeof origin === 'string' && typeof event === 'object' ? { file, origin, event } : null;
  } catch {
    return null;
  }
}
