/** Events are accepted, counted once for each account, and shown as daily counts to the administrator only. */
import { randomBytes, randomUUID } from 'node:crypto';
import { analyticsNames, limits, type AnalyticsEvent } from '@svc/contract';
import {
  atOnce,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  createTestStorage,
  postgresUrl,
  startServer,
  startTeamServer,
  syncReport,
  wholeAnswer,
  type BoundProject,
  type TeamServer,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const TODAY = '2026-11-18';
const { keptDays, eventsPerDayMax, versionsPerDayMax } = limits.analytics;
const server = sharedTeamServer(createFakeClock());
let project: BoundProject;
let reportId: string;

beforeAll(async () => {
  project = await bindProject(server.owner, server.team);
  ({ reportId } = await syncReport(server.device, { project }));
});

function event(given: Partial<AnalyticsEvent> = {}): AnalyticsEvent {
  return { eventId: randomUUID(), name: 'report_viewed', occurredAt: '2026-11-18T11:00:00Z', ...given };
}

const someEvents = (count: number, given: Partial<AnalyticsEvent> = {}) =>
  Array.from({ length: count }, () => event(given));
const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

type Sender = Pick<TeamServer['owner'], 'api'>;
const send = ({ api }: Sender, ...events: AnalyticsEvent[]) => api.sendAnalytics({ body: { events } });
const accepted = async (by: Sender, ...events: AnalyticsEvent[]) =>
  bodyOf(await send(by, ...events)).accepted;

async function countsOf(of: TeamServer, days?: string) {
  const query = days === undefined ? {} : { days };
  return bodyOf(await of.operator.api.getAnalytics({ query })).days;
}

describe('events', () => {
  test('[D13] are counted by day, name, surface, format and release', async () => {
    await using own = await startTeamServer(createFakeClock());
    const everything = analyticsNames.map((name) => event({ name }));
    expect(await accepted(own.owner, ...everything)).toBe(14);
    const said = { surface: 'cli', format: 'sarif', clientVersion: '1.2.3' } as const;
    const events = [event(said), event(said), event({ ...said, clientVersion: '1.2.3 of ann@example.test' })];
    expect(await accepted(own.device, ...events)).toBe(3);
    const counts = await countsOf(own);
    expect(counts).toHaveLength(16);
    expect(counts.filter(({ name }) => name === 'report_viewed')).toEqual([
      { day: TODAY, name: 'report_viewed', count: 1 },
      { day: TODAY, name: 'report_viewed', surface: 'cli', format: 'sarif', count: 1 },
      { day: TODAY, name: 'report_viewed', ...said, count: 2 },
    ]);
    expect(new Set(counts.map(({ name }) => name))).toEqual(new Set(analyticsNames));
  });

  test('[D13] may name what the caller can read, which includes an expired report', async () => {
    const clock = createFakeClock();
    await using own = await startTeamServer(clock);
    const held = await bindProject(own.owner, own.team);
    const synced = await syncReport(own.device, { project: held });
    const sendHeld = async (by: Sender) =>
      codeOf(await send(by, event({ ...held, reportId: synced.reportId })));
    for (const by of [own.owner, own.member, own.device]) expect(await sendHeld(by)).toBe('ok');
    // Membership in a workspace does not let an administrator read its reports.
    expect(await sendHeld(own.operator)).toBe('FORBIDDEN');
    await own.owner.api.deleteReport({ params: { id: synced.reportId } });
    expect(await sendHeld(own.member)).toBe('ok');
    const params = { id: own.team, userId: own.member.user.userId };
    bodyOf(await own.owner.api.removeMember({ params }));
    expect(await sendHeld(own.member)).toBe('FORBIDDEN');
  });

  test('[T20] that name a foreign id or an unknown one are denied alike, and the whole call counts nothing', async () => {
    const stranger = await server.signUp();
    const device = await server.linkDevice(stranger);
    const live = await createShell(server.device, project);
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
    for (const by of [stranger, device]) {
      const answerTo = async (...events: AnalyticsEvent[]) =>
        wholeAnswer(await by.post('/analytics/events', { events }));
      const first = await answerTo(event(), event(foreign[0]));
      expect(first).toMatch(/^\[403,.*FORBIDDEN/);
      for (const name of names as Partial<AnalyticsEvent>[]) {
        expect(await answerTo(event(), event(), event(name))).toBe(first);
        expect(await answerTo(event(name), event())).toBe(first);
      }
    }
    expect(await countsOf(server)).toEqual(before);
  });

  test('[T20] that were denied can be sent again without the foreign id', async () => {
    const right = event();
    expect(codeOf(await send(server.owner, right, event({ workspaceId: 'ws_nothing' })))).toBe('FORBIDDEN');
    expect(await accepted(server.owner, right)).toBe(1);
  });

  const wrong: [string, unknown][] = [
    ['no events', []],
    ['51 events', someEvents(51)],
    ['an unknown field', [{ ...event(), properties: { page: 'x' } }]],
    ['a valid event before an invalid one', [event(), { ...event(), name: 'x' }]],
  ];
  test.each(wrong)('[D13] with %s are rejected as a whole', async (_title, events) => {
    const before = await countsOf(server);
    for (const by of [server.owner, server.device])
      expect(codeOf(await send(by, ...(events as AnalyticsEvent[])))).toBe('VALIDATION_FAILED');
    expect(await countsOf(server)).toEqual(before);
  });

  test('[D13] up to 50 are accepted in one call, whatever their time', async () => {
    const times = ['1970-01-01T00:00:00Z', '2999-12-31T23:59:59Z'];
    const events = Array.from({ length: 50 }, (_, at) => event({ occurredAt: times[at % 2] ?? '' }));
    expect(await accepted(server.member, ...events)).toBe(50);
    expect(new Set((await countsOf(server, '90')).map(({ day }) => day))).toEqual(new Set([TODAY]));
  });

  test('[T20] of one account have a daily limit, and a call beyond it counts nothing', async () => {
    const clock = createFakeClock();
    await using own = await startServer({ clock });
    const person = await own.signUp();
    const sendMany = async (count: number) => codeOf(await send(person, ...someEvents(count)));
    for (let sent = 50; sent < eventsPerDayMax; sent += 50) expect(await sendMany(50)).toBe('ok');
    expect(await sendMany(49)).toBe('ok');
    expect(await sendMany(2)).toBe('RATE_LIMITED');
    expect(await sendMany(1)).toBe('ok');
    expect(await sendMany(1)).toBe('RATE_LIMITED');
    clock.advance(DAY_MS);
    expect(await sendMany(50)).toBe('ok');
  });

  test('[T20] that name a foreign id do not use up the daily limit', async () => {
    await using own = await startServer({ clock: createFakeClock() });
    const person = await own.signUp();
    const events = someEvents(50, { workspaceId: 'ws_0123456789abcdefghjkmnpqrs' });
    for (let sent = 0; sent < eventsPerDayMax; sent += events.length)
      expect(codeOf(await send(person, ...events))).toBe('FORBIDDEN');
    expect(await accepted(person, event())).toBe(1);
  });
});

describe('a repeat', () => {
  test('[T20] is not counted: in one call, later, by another device, in another letter case', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const [one, other] = [event(), event()];
    expect(await accepted(person, one, one, { ...one, eventId: one.eventId.toUpperCase() })).toBe(1);
    expect(await accepted(person, one)).toBe(0);
    expect(await accepted(device, other, { ...one, name: 'share_created' })).toBe(1);
  });

  test('[T20] by another account is counted', async () => {
    const same = event();
    for (const person of [await server.signUp(), await server.signUp()])
      expect(await accepted(person, same)).toBe(1);
  });

  test('[T20] counts once however many arrive at the same time', async () => {
    await using own = await startTeamServer(createFakeClock());
    const events = Array.from({ length: 20 }, (_, at) =>
      event({ name: at % 2 === 0 ? 'report_viewed' : 'share_created', clientVersion: `1.0.${at % 4}` }),
    );
    const counts = await atOnce(30, (at) =>
      accepted(own.owner, ...(at % 2 === 0 ? events : events.toReversed())),
    );
    expect(sumOf(counts)).toBe(20);
    expect(sumOf((await countsOf(own)).map(({ count }) => count))).toBe(20);
  });

  test.skipIf(postgresUrl === undefined)(
    '[T20] counts once over replicas, and no event is lost (only on PostgreSQL)',
    async () => {
      await using storage = await createTestStorage();
      const config = { database: storage.database, masterKeys: [randomBytes(32)] };
      await using one = await startServer({ config });
      await using other = await startServer({ config });
      const people = await Promise.all([one.signUp(), one.signUp(), one.signUp()]);
      const shared = Array.from({ length: 25 }, (_, at) => event({ clientVersion: `${at}.0.0` }));
      const counts = await Promise.all(
        people.map(({ cookie }) =>
          atOnce(12, (at) =>
            accepted(
              (at % 2 === 0 ? one : other).withCookie(cookie),
              ...(at % 3 === 0 ? shared.toReversed() : shared),
            ),
          ),
        ),
      );
      expect(sumOf(counts.flat())).toBe(75);
      const rows = await one.service.database.read.selectFrom('analyticsCounts').selectAll().execute();
      expect(sumOf(rows.map(({ count }) => count))).toBe(75);
      const releases = new Set(rows.map(({ clientVersion }) => clientVersion).filter(Boolean));
      expect(releases.size).toBe(versionsPerDayMax);
    },
  );
});

describe('counts', () => {
  test('[D13] are by day of reception, sorted, and by default for the last 30 days', async () => {
    const clock = createFakeClock('2026-03-01T23:59:59.999Z');
    await using own = await startTeamServer(clock);
    const person = await own.signUp();
    const share = () => event({ name: 'share_created' });
    const link = () => event({ name: 'cli_linked' });
    await accepted(person, share(), link(), share());
    clock.advance(1);
    await accepted(person, link());
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

  test.each(['0', '91', '-1', '1.5', 'x', '', '007', '1e1'])(
    '[D13] of %j days are rejected',
    async (days) => {
      expect(codeOf(await server.operator.api.getAnalytics({ query: { days } }))).toBe('VALIDATION_FAILED');
    },
  );

  test('[D13] count a limited number of releases by name on a day, and the others without a release', async () => {
    const clock = createFakeClock();
    await using own = await startTeamServer(clock);
    const events = Array.from({ length: 30 }, (_, at) => event({ clientVersion: `1.0.${at}` }));
    await accepted(own.owner, ...events);
    await accepted(own.owner, event({ clientVersion: '1.0.0' }));
    const counts = await countsOf(own);
    expect(counts.filter(({ clientVersion }) => clientVersion !== undefined)).toHaveLength(versionsPerDayMax);
    expect(counts.find(({ clientVersion }) => clientVersion === undefined)?.count).toBe(10);
    expect(counts.find(({ clientVersion }) => clientVersion === '1.0.0')?.count).toBe(2);
    clock.advance(DAY_MS);
    await accepted(own.owner, event({ clientVersion: '2.0.0' }));
    expect(await countsOf(own, '1')).toMatchObject([{ clientVersion: '2.0.0', count: 1 }]);
  });

  test('[D13] and the digests of events are deleted after 90 days', async () => {
    const clock = createFakeClock();
    await using own = await startTeamServer(clock);
    const sweep = () => own.runJob('old analytics');
    const kept = async () => {
      const db = own.service.database.read;
      const seenOf = await db.selectFrom('analyticsSeen').select('day').execute();
      const days = await db.selectFrom('analyticsCounts').select(['day', 'count']).execute();
      return { seen: seenOf.length, counted: sumOf(days.map(({ count }) => count)) };
    };
    expect(await accepted(await own.signUp(), ...someEvents(50))).toBe(50);
    clock.advance(DAY_MS);
    expect(await accepted(await own.signUp(), ...someEvents(50))).toBe(50);
    clock.advance((keptDays - 2) * DAY_MS);
    await sweep();
    expect(await kept()).toEqual({ seen: 100, counted: 100 });
    clock.advance(DAY_MS);
    await sweep();
    expect(await kept()).toEqual({ seen: 50, counted: 50 });
    clock.advance(DAY_MS);
    await sweep();
    expect(await kept()).toEqual({ seen: 0, counted: 0 });
  });
});
