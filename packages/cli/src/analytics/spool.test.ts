/** Pending events are bounded, tolerate foreign files beside them, and are sent by one process at a time. */
import { randomUUID } from 'node:crypto';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AnalyticsEvent } from '@svc/contract';
import { expect, test } from 'vitest';
import { TemporaryFolder } from '../../test/local-reports.ts';
import * as spool from './spool.ts';

const DAY_MS = 86_400_000;
const ORIGIN = 'https://svc.example.test';

const event = (agoMs = 0): AnalyticsEvent => ({
  eventId: randomUUID(),
  name: 'cli_scan_started',
  occurredAt: new Date(Date.now() - agoMs).toISOString(),
});

const idsOf = (found: readonly spool.Waiting[]) => found.map(({ event: { eventId } }) => eventId);

test('[D13] the newest 200 pending events are kept, oldest first', async () => {
  using temporary = new TemporaryFolder();
  const folder = path.join(temporary.path, 'analytics');
  expect(await spool.waiting(folder)).toEqual([]);
  const events = Array.from({ length: 203 }, (_, at) => event(100_000 - at));
  await spool.add(folder, ORIGIN, events);
  const found = await spool.waiting(folder);
  expect(idsOf(found)).toEqual(events.slice(3).map(({ eventId }) => eventId));
  expect(found[0]).toMatchObject({ origin: ORIGIN, event: events[3] });
  expect(readdirSync(folder)).toHaveLength(200);
});

test('[D13] no pending event is kept for more than seven days', async () => {
  using folder = new TemporaryFolder();
  const [old, recent] = [event(7 * DAY_MS + 1000), event(7 * DAY_MS - 60_000)];
  await spool.add(folder.path, ORIGIN, [old, recent]);
  expect(idsOf(await spool.waiting(folder.path))).toEqual([recent.eventId]);
  expect(readdirSync(folder.path)).toHaveLength(1);
});

test('[D13] invalid event files are deleted, and other files in the folder stay', async () => {
  using folder = new TemporaryFolder();
  const right = event();
  await spool.add(folder.path, ORIGIN, [right]);
  for (const content of ['', '{', '[]', '{"origin":1}'])
    writeFileSync(path.join(folder.path, `${Date.now()}-${randomUUID()}.json`), content);
  writeFileSync(path.join(folder.path, 'notes.txt'), 'kept');
  expect(idsOf(await spool.waiting(folder.path))).toEqual([right.eventId]);
  expect(readdirSync(folder.path)).toHaveLength(2);
});

test('[D13] pending events are sent by one process at a time, and a killed process does not block others', async () => {
  using folder = new TemporaryFolder();
  let inner = 0;
  let outer = 0;
  await spool.sendingAlone(folder.path, async () => {
    outer += 1;
    await spool.sendingAlone(folder.path, async () => void (inner += 1));
  });
  await spool.sendingAlone(folder.path, async () => void (outer += 1));
  expect([outer, inner]).toEqual([2, 0]);
  const left = path.join(folder.path, 'sending');
  writeFileSync(left, '');
  await spool.sendingAlone(folder.path, async () => void (inner += 1));
  expect(inner).toBe(0);
  const then = new Date(Date.now() - 60_000);
  utimesSync(left, then, then);
  await spool.sendingAlone(folder.path, async () => void (inner += 1));
  expect(inner).toBe(1);
  expect(readdirSync(folder.path)).toEqual([]);
});
