/** Events come in, are counted once for their account, and are read as counts of days by the administrator alone. */
import { randomBytes, randomUUID } from 'node:crypto';
import { analyticsNames, limits, type AnalyticsEvent } from '@svc/contract';
import {
  APP_ORIGIN,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createTestDatabase,
  postgresUrl,
  shellOf,
  startServer,
  startTeamServer,
  syncReport,
  type BoundProject,
  type TeamServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const TODAY = '2026-11-18';
const { keptDays, eventsPerDayMax, versionsPerDayMax } = limits.analytics;
let server: TeamServer;
let project: BoundProject;
let reportId: string;

beforeAll(async () => {
  server = await startTeamServer(createFakeClock());
  project = await bindProject(server.owner, server.team);
  ({ reportId } = await syncReport(server.device, { project }));
});
afterAll(() => server.close());

function event(given: Partial<AnalyticsEvent> = {}): AnalyticsEvent {
  return { eventId: randomUUID(), name: 'report_viewed', occurredAt: '2026-11-18T11:00:00Z', ...given };
}

async function countsOf(of: TeamServer, days?: string) {
  const query = days === undefined ? {} : { days };
  return bodyOf(await of.operator.api.getAnalytics({ query })).days;
}

/** All that an answer shows but its id and its time. */
async function seen(events: readonly unknown[], headers: Record<string, string>) {
  const response = await fetch(`${server.url}/api/v1/analytics/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: APP_ORIGIN, ...headers },
    body: JSON.stringify({ events }),
  });
  const id = response.headers.get('x-request-id') ?? '';
  const kept = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status: response.status, text: (await response.text()).replace(id, ''), headers: kept };
}

describe('events', () => {
  test('[D13] of every name are counted by day, name, surface, format and release', async () => {
    await using own = await startTeamServer(createFakeClock());
    const everything = analyticsNames.map((name) => event({ name }));
    expect(bodyOf(await own.owner.api.sendAnalytics({ body: { events: everything } }))).toEqual({
      accepted: 14,
    });
    const said = { surface: 'cli', format: 'sarif', clientVersion: '1.2.3' } as const;
    const events = [event(said), event(said), event({ ...said, clientVersion: '1.2.3 of ann@example.test' })];
    expect(bodyOf(await own.device.api.sendAnalytics({ body: { events } }))).toEqual({ accepted: 3 });
    const counts = await countsOf(own);
    expect(counts).toHaveLength(16);
    expect(counts.filter(({ name }) => name === 'report_viewed')).toEqual([
      { day: TODAY, name: 'report_viewed', count: 1 },
      { day: TODAY, name: 'report_viewed', surface: 'cli', format: 'sarif', count: 1 },
      { day: TODAY, name: 'report_viewed', ...said, count: 2 },
    ]);
    expect(new Set(counts.map(({ name }) => name))).toEqual(new Set(analyticsNames));
  });

  test('[D13] may name what the caller holds, which an expired report is too', async () => {
    const clock = createFakeClock();
    await using own = await startTeamServer(clock);
    const held = await bindProject(own.owner, own.team);
    const synced = await syncReport(own.device, { project: held });
    const send = (actor: { api: TeamServer['owner']['api'] }) =>
      actor.api.sendAnalytics({ body: { events: [event({ ...held, reportId: synced.reportId })] } });
    for (const actor of [own.owner, own.member]) expect(bodyOf(await send(actor))).toEqual({ accepted: 1 });
    const byDevice = { events: [event({ ...held, reportId: synced.reportId })] };
    expect(codeOf(await own.device.api.sendAnalytics({ body: byDevice }))).toBe('ok');
    // Membership lends an administrator no reports.
    expect(codeOf(await send(own.operator))).toBe('FORBIDDEN');
    await own.owner.api.deleteReport({ params: { id: synced.reportId } });
    expect(codeOf(await send(own.member))).toBe('ok');
    const params = { id: own.team, userId: own.member.user.userId };
    bodyOf(await own.owner.api.removeMember({ params }));
    expect(codeOf(await send(own.member))).toBe('FORBIDDEN');
  });

  test('[T20] that name what the caller does not hold are refused the same, and none of the call is counted', async () => {
    const stranger = await server.signUp();
    const device = await server.linkDevice(stranger);
    const live = bodyOf(await server.device.api.createReport({ body: shellOf(project) }));
    const before = await countsOf(server);
    const foreign = [
      { workspaceId: server.team },
      { projectId: project.projectId },
      { reportId },
      { reportId: live.reportId },
    ];
    const kinds = ['workspaceId', 'projectId', 'reportId'] as const;
    const malformed = ['', 'x', '\u0000', 'ws_', `${reportId}0`, reportId.toUpperCase(), '__proto__', ' '];
    const unknown = [server.team, project.projectId, reportId].map((id) =>
      id.replace(/.{20}$/, '0'.repeat(20)),
    );
    const names = [
      ...foreign,
      ...kinds.flatMap((kind) => [...malformed, ...unknown, 'a'.repeat(3000)].map((id) => ({ [kind]: id }))),
    ];
    for (const headers of [
      { cookie: stranger.cookie },
      { authorization: `Bearer ${device.deviceToken}` },
    ] as Record<string, string>[]) {
      const first = await seen([event(), event(foreign[0])], headers);
      expect(first).toMatchObject({ status: 403 });
      expect(first.text).toContain('"FORBIDDEN"');
      for (const name of names) {
        expect(await seen([event(), event(), event(name as Partial<AnalyticsEvent>)], headers)).toEqual(
          first,
        );
        expect(await seen([event(name as Partial<AnalyticsEvent>), event()], headers)).toEqual(first);
      }
    }
    expect(await countsOf(server)).toEqual(before);
  });

  test('[T20] that were refused can be sent again without what was wrong', async () => {
    const right = event();
    const events = [right, event({ workspaceId: 'ws_nothing' })];
    expect(codeOf(await server.owner.api.sendAnalytics({ body: { events } }))).toBe('FORBIDDEN');
    expect(bodyOf(await server.owner.api.sendAnalytics({ body: { events: [right] } }))).toEqual({
      accepted: 1,
    });
  });

  const wrong: [string, unknown][] = [
    ['no events', []],
    ['51 events', Array.from({ length: 51 }, () => event())],
    ['an unknown name', [event({ name: 'report_deleted' as 'report_viewed' })]],
    ['an unknown field', [{ ...event(), properties: { page: 'x' } }]],
    ['a user id', [{ ...event(), userId: 'usr_x' }]],
    ['an unknown format', [event({ format: 'pdf' as 'json' })]],
    ['an unknown surface', [event({ surface: 'api' as 'cli' })]],
    ['an id that is no UUID', [event({ eventId: 'event-1' })]],
    ['a time that is none', [event({ occurredAt: 'yesterday' })]],
    ['a version that is too long', [event({ clientVersion: '1'.repeat(61) })]],
    ['no name', [{ eventId: randomUUID(), occurredAt: '2026-11-18T11:00:00Z' }]],
    ['a right one before it', [event(), { ...event(), name: 'x' }]],
  ];
  test.each(wrong)('[D13] with %s are refused as a whole', async (_title, events) => {
    const before = await countsOf(server);
    const body = { events: events as AnalyticsEvent[] };
    for (const { api } of [server.owner, server.device])
      expect(codeOf(await api.sendAnalytics({ body }))).toBe('VALIDATION_FAILED');
    expect(await countsOf(server)).toEqual(before);
  });

  test('[D13] up to 50 are taken at once, whenever they are said to have happened', async () => {
    const times = ['1970-01-01T00:00:00Z', '2999-12-31T23:59:59Z'];
    const events = Array.from({ length: 50 }, (_, at) => event({ occurredAt: times[at % 2] ?? '' }));
    expect(bodyOf(await server.member.api.sendAnalytics({ body: { events } }))).toEqual({ accepted: 50 });
    expect(new Set((await countsOf(server, '90')).map(({ day }) => day))).toEqual(new Set([TODAY]));
  });

  test('[T20] need a session or a device, and their own pages', async () => {
    const gone = await server.linkDevice(server.owner);
    bodyOf(await gone.api.revokeCurrentDevice());
    const before = await countsOf(server);
    const answers: [string, number, Record<string, string>][] = [
      ['UNAUTHENTICATED', 401, {}],
      ['UNAUTHENTICATED', 401, { cookie: `svc_session=${'a'.repeat(43)}` }],
      ['UNAUTHENTICATED', 401, { authorization: `Bearer svc_dev_${'a'.repeat(40)}` }],
      ['DEVICE_REVOKED', 401, { authorization: `Bearer ${gone.deviceToken}` }],
      ['FORBIDDEN', 403, { cookie: server.owner.cookie, origin: 'https://elsewhere.test' }],
    ];
    for (const [code, status, headers] of answers) {
      const answer = await seen([event()], headers);
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"${code}"`)]);
    }
    expect(await countsOf(server)).toEqual(before);
  });

  test('[T20] of one account are bounded in a day, and none of a call beyond that counts', async () => {
    const clock = createFakeClock();
    await using own = await startServer({ clock });
    const person = await own.signUp();
    const send = async (count: number) =>
      codeOf(
        await person.api.sendAnalytics({ body: { events: Array.from({ length: count }, () => event()) } }),
      );
    const calls = Array.from({ length: eventsPerDayMax / 50 }, () => 50);
    for (const count of calls.slice(1)) expect(await send(count)).toBe('ok');
    expect(await send(49)).toBe('ok');
    expect(await send(2)).toBe('RATE_LIMITED');
    expect(await send(1)).toBe('ok');
    expect(await send(1)).toBe('RATE_LIMITED');
    clock.advance(DAY_MS);
    expect(await send(50)).toBe('ok');
  });

  test('[T20] what names an id that its sender does not hold costs nothing of them', async () => {
    await using own = await startServer({ clock: createFakeClock() });
    const person = await own.signUp();
    const workspaceId = 'ws_0123456789abcdefghjkmnpqrs';
    const events = Array.from({ length: 50 }, () => event({ workspaceId }));
    for (let sent = 0; sent < eventsPerDayMax; sent += events.length)
      expect(codeOf(await person.api.sendAnalytics({ body: { events } }))).toBe('FORBIDDEN');
    expect(codeOf(await person.api.sendAnalytics({ body: { events: [event()] } }))).toBe('ok');
  });
});

describe('a repeat', () => {
  test('[T20] is not counted: in one call, later, by another device, in other letters', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const [one, other] = [event(), event()];
    const accepted = async (api: TeamServer['owner']['api'], events: AnalyticsEvent[]) =>
      bodyOf(await api.sendAnalytics({ body: { events } })).accepted;
    expect(await accepted(person.api, [one, one, { ...one, eventId: one.eventId.toUpperCase() }])).toBe(1);
    expect(await accepted(person.api, [one])).toBe(0);
    expect(await accepted(device.api, [other, { ...one, name: 'share_created' }])).toBe(1);
  });

  test('[T20] of another account is no repeat', async () => {
    const same = event();
    for (const person of [await server.signUp(), await server.signUp()])
      expect(bodyOf(await person.api.sendAnalytics({ body: { events: [same] } }))).toEqual({ accepted: 1 });
  });

  test('[T20] counts once however many come at the same time', async () => {
    await using own = await startTeamServer(createFakeClock());
    const events = Array.from({ length: 20 }, (_, at) =>
      event({ name: at % 2 === 0 ? 'report_viewed' : 'share_created', clientVersion: `1.0.${at % 4}` }),
    );
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        own.owner.api.sendAnalytics({ body: { events: at % 2 === 0 ? events : events.toReversed() } }),
      ),
    );
    expect(outcomes.reduce((sum, outcome) => sum + bodyOf(outcome).accepted, 0)).toBe(20);
    expect((await countsOf(own)).reduce((sum, { count }) => sum + count, 0)).toBe(20);
  });

  test.skipIf(postgresUrl === undefined)(
    '[T20] counts once over replicas, and nothing is lost (only on PostgreSQL)',
    async () => {
      const { config: database, drop } = await createTestDatabase();
      const config = { database, masterKey: randomBytes(32) };
      {
        await using one = await startServer({ config });
        await using other = await startServer({ config });
        const people = await Promise.all([one.signUp(), one.signUp(), one.signUp()]);
        const shared = Array.from({ length: 25 }, (_, at) => event({ clientVersion: `${at}.0.0` }));
        const outcomes = await Promise.all(
          people.flatMap(({ cookie }) =>
            Array.from({ length: 12 }, async (_, at) => {
              const target = at % 2 === 0 ? one : other;
              const response = await fetch(`${target.url}/api/v1/analytics/events`, {
                method: 'POST',
                headers: { 'content-type': 'application/json', origin: APP_ORIGIN, cookie },
                body: JSON.stringify({ events: at % 3 === 0 ? shared.toReversed() : shared }),
              });
              return (await response.json()) as { accepted: number };
            }),
          ),
        );
        expect(outcomes.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(75);
        const rows = await one.service.database.read.selectFrom('analyticsCounts').selectAll().execute();
        expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(75);
        const releases = new Set(rows.map(({ clientVersion }) => clientVersion).filter(Boolean));
        expect(releases.size).toBe(versionsPerDayMax);
      }
      await drop();
    },
  );
});

describe('counts', () => {
  test('[D13] are of the day of reception, sorted, of the last 30 days unless others are asked for', async () => {
    const clock = createFakeClock('2026-03-01T23:59:59.999Z');
    await using own = await startTeamServer(clock);
    const person = await own.signUp();
    const send = async (...names: AnalyticsEvent['name'][]) =>
      bodyOf(await person.api.sendAnalytics({ body: { events: names.map((name) => event({ name })) } }));
    await send('share_created', 'cli_linked', 'share_created');
    clock.advance(1);
    await send('cli_linked');
    const first = [
      { day: '2026-03-01', name: 'cli_linked', count: 1 },
      { day: '2026-03-01', name: 'share_created', count: 2 },
    ];
    const second = { day: '2026-03-02', name: 'cli_linked', count: 1 };
    expect(await countsOf(own)).toEqual([...first, second]);
    expect(await countsOf(own, '1')).toEqual([second]);
    clock.set('2026-03-30T12:00:00Z');
    expect(await countsOf(own)).toEqual([...first, second]);
    expect(await countsOf(own, '28')).toEqual([]);
    expect(await countsOf(own, '29')).toEqual([second]);
  });

  test.each(['0', '91', '-1', '1.5', 'x', '', '007', '1e1'])('[D13] of %j days are refused', async (days) => {
    expect(codeOf(await server.operator.api.getAnalytics({ query: { days } }))).toBe('VALIDATION_FAILED');
  });

  test('[D13] know so many releases on a day, and the further ones as none', async () => {
    const clock = createFakeClock();
    await using own = await startTeamServer(clock);
    const events = Array.from({ length: 30 }, (_, at) => event({ clientVersion: `1.0.${at}` }));
    bodyOf(await own.owner.api.sendAnalytics({ body: { events } }));
    bodyOf(await own.owner.api.sendAnalytics({ body: { events: [event({ clientVersion: '1.0.0' })] } }));
    const counts = await countsOf(own);
    expect(counts.filter(({ clientVersion }) => clientVersion !== undefined)).toHaveLength(versionsPerDayMax);
    expect(counts.find(({ clientVersion }) => clientVersion === undefined)?.count).toBe(10);
    expect(counts.find(({ clientVersion }) => clientVersion === '1.0.0')?.count).toBe(2);
    clock.advance(DAY_MS);
    bodyOf(await own.owner.api.sendAnalytics({ body: { events: [event({ clientVersion: '2.0.0' })] } }));
    expect(await countsOf(own, '1')).toMatchObject([{ clientVersion: '2.0.0', count: 1 }]);
  });

  test('[D13] and what is remembered of events go after 90 days', async () => {
    const clock = createFakeClock();
    await using own = await startTeamServer(clock);
    const job = own.service.app.jobs.find(({ name }) => name === 'old analytics');
    const [old, recent] = [event(), event()];
    const accepted = async (given: AnalyticsEvent) => {
      const { api } = await own.signUp();
      const events = [given, ...Array.from({ length: 49 }, () => event())];
      return bodyOf(await api.sendAnalytics({ body: { events } })).accepted;
    };
    const kept = async () => {
      const db = own.service.database.read;
      const seenOf = await db.selectFrom('analyticsSeen').select('day').execute();
      const days = await db.selectFrom('analyticsCounts').select(['day', 'count']).execute();
      return { seen: seenOf.length, counted: days.reduce((sum, { count }) => sum + count, 0) };
    };
    expect(await accepted(old)).toBe(50);
    clock.advance(DAY_MS);
    expect(await accepted(recent)).toBe(50);
    clock.advance((keptDays - 2) * DAY_MS);
    await job?.run();
    expect(await kept()).toEqual({ seen: 100, counted: 100 });
    clock.advance(DAY_MS);
    await job?.run();
    expect(await kept()).toEqual({ seen: 50, counted: 50 });
    clock.advance(DAY_MS);
    await job?.run();
    expect(await kept()).toEqual({ seen: 0, counted: 0 });
  });

  test('[D13] are read by the administrator and nobody else', async () => {
    for (const person of [server.owner, server.member])
      expect(codeOf(await person.api.getAnalytics())).toBe('NOT_FOUND');
    expect(codeOf(await server.anonymous.api.getAnalytics())).toBe('UNAUTHENTICATED');
    expect(codeOf(await server.operator.api.getAnalytics())).toBe('ok');
  });
});
