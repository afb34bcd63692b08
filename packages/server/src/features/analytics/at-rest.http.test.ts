/** What is stored of events contains nothing about the person, the report or the network. */
import { randomUUID } from 'node:crypto';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  contentOf,
  filesIn,
  postgresUrl,
  startServer,
  syncReport,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import type { AnalyticsEvent } from '@svc/contract';
import { beforeAll, expect, test } from 'vitest';

const server = sharedServer({ clock: createFakeClock() });
/** Ids that the events name, and that other tables also contain. */
let held: readonly string[];
/** Where these ids were stored before the events arrived. */
let before: Readonly<Record<string, number>>;
let rejection: string;

const CANARY = 'canary-of-a-version';
const eventIds = Array.from({ length: 20 }, () => randomUUID());
const rejectedIds = [randomUUID(), randomUUID()];

/** The forms in which these tests look for an id or a text. */
function spellingsOf(text: string): string[] {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  return [
    text,
    text.toUpperCase(),
    text.replaceAll('-', ''),
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('base64').slice(0, -4),
    ...(bytes.length === 16
      ? [bytes.toString('latin1'), bytes.toString('base64url'), bytes.toString('base64')]
      : []),
  ];
}

/** The number of column values of each table that contain each text. */
async function placesOf(texts: readonly string[]): Promise<Record<string, number>> {
  const db = server.service.database.read;
  const places: Record<string, number> = {};
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    for (const value of rows.flatMap(Object.values)) {
      const shown = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
      for (const text of texts)
        if (shown.includes(text)) places[`${name} ${text}`] = (places[`${name} ${text}`] ?? 0) + 1;
    }
  }
  return places;
}

/** A report, and events about it by its owner's session and device; some are rejected. */
beforeAll(async () => {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const project = await bindProject(owner);
  const { reportId } = await syncReport(device, { project });
  held = [owner.user.userId, device.deviceId, project.workspaceId, project.projectId, reportId];
  before = await placesOf(held);
  const eventOf = (eventId: string): AnalyticsEvent => ({
    eventId,
    name: 'report_viewed',
    occurredAt: '2026-11-18T03:04:05.678Z',
    ...project,
    reportId,
    format: 'sarif',
    surface: 'cli',
    clientVersion: CANARY,
  });
  const send = (api: typeof owner.api, ids: readonly string[], changed: Partial<AnalyticsEvent> = {}) =>
    api.sendAnalytics({ body: { events: ids.map((id) => ({ ...eventOf(id), ...changed })) } });
  bodyOf(await send(owner.api, eventIds.slice(0, 10)));
  bodyOf(await send(device.api, eventIds.slice(10)));
  bodyOf(await send(device.api, eventIds));
  rejection = codeOf(await send(owner.api, rejectedIds, { reportId: 'rep_0000000000000000000canary0' }));
});

const forbidden = [...eventIds, ...rejectedIds, CANARY, '0000000canary0', '03:04:05'].flatMap(spellingsOf);

test('[D13] no table contains the id, time or free text of an event, or another id where it was not stored before', async () => {
  expect(rejection).toBe('FORBIDDEN');
  expect(await placesOf(held)).toEqual(before);
  for (const id of held) expect(Object.keys(before).join(' '), 'the search can find').toContain(id);
  expect(await placesOf(forbidden)).toEqual({});
  const db = server.service.database.read;
  expect(await db.selectFrom('analyticsCounts').selectAll().execute()).toEqual([
    {
      day: '2026-11-18',
      name: 'report_viewed',
      surface: 'cli',
      format: 'sarif',
      clientVersion: '',
      count: 20,
    },
  ]);
  const seen = await db.selectFrom('analyticsSeen').selectAll().execute();
  expect(seen).toHaveLength(20);
  expect(seen.every(({ digest, day }) => digest.byteLength === 16 && day === '2026-11-18')).toBe(true);
});

test('[D13] no log line contains a value or an id of an event', () => {
  const log = server.logLines.join('\n');
  expect(log).toContain('/api/v1/analytics/events');
  expect([...forbidden, 'report_viewed', 'sarif'].filter((text) => log.includes(text))).toEqual([]);
});

test.skipIf(postgresUrl !== undefined)('[D13] no file contains an event’s id or text (SQLite only)', () => {
  const files = filesIn(server.dataDir).map(contentOf);
  const holds = (text: string, encoding: BufferEncoding) =>
    files.some((bytes) => bytes.includes(Buffer.from(text, encoding)));
  expect(holds('2026-11-18', 'latin1'), 'the search can find').toBe(true);
  expect(forbidden.filter((text) => holds(text, 'latin1') || holds(text, 'utf8'))).toEqual([]);
});

test('[D13] the same event of another account, or under another master key, has another digest', async () => {
  const digests = async () => {
    await using own = await startServer({ clock: createFakeClock() });
    const [eventId = ''] = eventIds;
    const event = { eventId, name: 'cli_linked', occurredAt: '2026-11-18T03:04:05Z' } as const;
    for (const { api } of [await own.signUp(), await own.signUp()])
      bodyOf(await api.sendAnalytics({ body: { events: [event] } }));
    const rows = await own.service.database.read.selectFrom('analyticsSeen').select('digest').execute();
    return rows.map(({ digest }) => Buffer.from(digest).toString('hex'));
  };
  const all = [...(await digests()), ...(await digests())];
  expect(new Set(all).size).toBe(4);
});
