/** What is kept of events: nothing that says of whom, of what or from where they were. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  postgresUrl,
  startServer,
  syncReport,
  type TestServer,
} from '@svc/testkit';
import type { AnalyticsEvent } from '@svc/contract';
import { expect, test } from 'vitest';

const CANARY = 'canary-of-a-version';
const eventIds = Array.from({ length: 20 }, () => randomUUID());
const refusedIds = [randomUUID(), randomUUID()];

/** In every form in which an id or a text could be kept. */
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

/** How often each text is in the columns of each table. */
async function placesOf(server: TestServer, texts: readonly string[]): Promise<Record<string, number>> {
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

/** A report, and events about it by its owner's session and device; some are refused. */
async function live(server: TestServer) {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const project = await bindProject(owner);
  const { reportId } = await syncReport(device, { project });
  const held = [owner.user.userId, device.deviceId, project.workspaceId, project.projectId, reportId];
  const before = await placesOf(server, held);
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
  expect(codeOf(await send(owner.api, refusedIds, { reportId: 'rep_0000000000000000000canary0' }))).toBe(
    'FORBIDDEN',
  );
  return { held, before, after: await placesOf(server, held) };
}

const told = [...eventIds, ...refusedIds, CANARY, '0000000canary0', '03:04:05'].flatMap(spellingsOf);

test('[D13] no table has a word of an event, nor more of its ids than before', async () => {
  await using server = await startServer({ clock: createFakeClock() });
  const { held, before, after } = await live(server);
  expect(after).toEqual(before);
  for (const id of held) expect(Object.keys(before).join(' '), 'the search can find').toContain(id);
  expect(await placesOf(server, told)).toEqual({});
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

test('[D13] nor does a line of the log', async () => {
  await using server = await startServer({ clock: createFakeClock() });
  await live(server);
  const log = server.logLines.join('\n');
  expect(log).toContain('/api/v1/analytics/events');
  expect([...told, 'report_viewed', 'sarif'].filter((text) => log.includes(text))).toEqual([]);
});

test.skipIf(postgresUrl !== undefined)('[D13] nor does any file (SQLite only)', async () => {
  await using server = await startServer({ clock: createFakeClock() });
  await live(server);
  const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  const holds = (text: string, encoding: BufferEncoding) =>
    files.some((bytes) => bytes.includes(Buffer.from(text, encoding)));
  expect(holds('2026-11-18', 'latin1'), 'the search can find').toBe(true);
  expect(told.filter((text) => holds(text, 'latin1') || holds(text, 'utf8'))).toEqual([]);
});

test('[D13] the same event of another account, or under another master key, is remembered as another', async () => {
  const digests = async () => {
    await using server = await startServer({ clock: createFakeClock() });
    for (const { api } of [await server.signUp(), await server.signUp()]) {
      const event = {
        eventId: eventIds[0] ?? '',
        name: 'cli_linked',
        occurredAt: '2026-11-18T03:04:05Z',
      } as const;
      bodyOf(await api.sendAnalytics({ body: { events: [event] } }));
    }
    const rows = await server.service.database.read.selectFrom('analyticsSeen').select('digest').execute();
    return rows.map(({ digest }) => Buffer.from(digest).toString('hex'));
  };
  const all = [...(await digests()), ...(await digests())];
  expect(new Set(all).size).toBe(4);
});
