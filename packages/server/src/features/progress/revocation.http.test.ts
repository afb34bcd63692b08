/** Streams of readers who lose their access. The timers stand still, so that what ends a stream is what was pushed. */
import { randomUUID } from 'node:crypto';
import {
  ANSWERS_IN_A_SECOND,
  answersUntil,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createFakeTimers,
  shellOf,
  startServer,
  watchEvents,
  type DeviceActor,
  type SessionActor,
  type TestServer,
  type Watch,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const NEW_PASSWORD = 'purple elephants dance at noon';

const clock = createFakeClock();
const timers = createFakeTimers();
let server: TestServer;
let owner: SessionActor;
let member: SessionActor;
let device: DeviceActor;
let workspaceId: string;
let projectId: string;
let reportId: string;

beforeAll(async () => {
  server = await startServer({ clock, timers, generousPlans: true });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.signUp();
  member = await server.signUp();
  device = await server.linkDevice(owner);
  ({ workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } })));
  await join(member);
  const project = await bindProject(owner, workspaceId);
  ({ projectId } = project);
  ({ reportId } = bodyOf(await device.api.createReport({ body: shellOf(project) })));
});

async function join(person: SessionActor): Promise<void> {
  clock.advance(1000);
  const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
  bodyOf(await person.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
}

async function watchAs({ cookie }: { readonly cookie: string }): Promise<Watch> {
  const made = await watchEvents(server.url, reportId, { cookie });
  await made.until(() => made.events.length > 0);
  return made;
}

const say = () =>
  device.api.sendProgress({
    params: { id: reportId },
    body: {
      events: [
        {
          eventId: randomUUID(),
          reportId,
          type: 'heartbeat',
          occurredAt: new Date(clock.now()).toISOString(),
        },
      ],
    },
  });

const logIn = async ({ email }: SessionActor, password: string) => ({
  cookie: await server.logIn({ email, password }),
});

/** The stream ends within a second, and tells nothing of what is said from then on. */
async function expectEnded(watch: Watch): Promise<void> {
  expect(await answersUntil(server, () => watch.ending() !== null)).toBeLessThan(ANSWERS_IN_A_SECOND);
  await say();
  expect(watch.events.map(({ event }) => event)).toEqual(['hello']);
}

interface Ending {
  /** Who watches. */
  readonly who: () => SessionActor;
  readonly end: () => Promise<unknown>;
  /** What the next attempt of that browser answers. */
  readonly statusThen: number;
}

const endings: Record<string, Ending> = {
  'logs out': { who: () => member, end: () => member.api.logOut(), statusThen: 401 },
  'has the session revoked': {
    who: () => member,
    async end() {
      const other = server.withCookie((await logIn(member, member.password)).cookie);
      const { sessions } = bodyOf(await other.api.listSessions());
      const id = sessions.find(({ current }) => !current)?.sessionId ?? '';
      return other.api.revokeSession({ params: { id } });
    },
    statusThen: 401,
  },
  'changes the password elsewhere': {
    who: () => member,
    async end() {
      const other = server.withCookie((await logIn(member, member.password)).cookie);
      return other.api.changePassword({ body: { password: member.password, newPassword: NEW_PASSWORD } });
    },
    statusThen: 401,
  },
  'recovers the account elsewhere': {
    who: () => member,
    end: () =>
      server.anonymous.api.recover({
        body: { email: member.email, recoveryCode: member.recoveryCode, newPassword: NEW_PASSWORD },
      }),
    statusThen: 401,
  },
  'deletes the account': {
    who: () => member,
    end: () => member.api.deleteAccount({ body: { password: member.password } }),
    statusThen: 401,
  },
  'leaves the workspace': {
    who: () => member,
    end: () => member.api.removeMember({ params: { id: workspaceId, userId: member.user.userId } }),
    statusThen: 404,
  },
  'is removed from the workspace': {
    who: () => member,
    end: () => owner.api.removeMember({ params: { id: workspaceId, userId: member.user.userId } }),
    statusThen: 404,
  },
  'sees the report deleted': {
    who: () => member,
    end: () => owner.api.deleteReport({ params: { id: reportId } }),
    statusThen: 410,
  },
  'sees the project deleted': {
    who: () => member,
    end: () => owner.api.deleteProject({ params: { id: projectId } }),
    statusThen: 410,
  },
  'sees the workspace deleted': {
    who: () => member,
    end: () => owner.api.deleteWorkspace({ params: { id: workspaceId } }),
    statusThen: 404,
  },
};

describe('a reader who', () => {
  test.each(Object.entries(endings))(
    '[T13] %s has the stream ended at once',
    async (_, { who, end, statusThen }) => {
      const reader = who();
      const watch = await watchAs(reader);
      expect(await end()).toMatchObject({ ok: true });
      await expectEnded(watch);
      const again = await watchEvents(server.url, reportId, { cookie: reader.cookie });
      expect(again.status).toBe(statusThen);
    },
  );

  test('[T13] keeps the session has the stream go on when others of the account end', async () => {
    const other = await logIn(member, member.password);
    const [mine, theirs] = [await watchAs(member), await watchAs(other)];
    bodyOf(
      await member.api.changePassword({ body: { password: member.password, newPassword: NEW_PASSWORD } }),
    );
    await theirs.untilOver();
    bodyOf(await say());
    await mine.until(() => mine.events.length === 2);
    expect([mine.ending(), theirs.ending()]).toEqual([null, 'ended']);
    mine.abort();
  });

  test('[T13] stays has the stream go on when another is removed', async () => {
    const third = await server.signUp();
    await join(third);
    const [stays, goes] = [await watchAs(member), await watchAs(third)];
    bodyOf(await owner.api.removeMember({ params: { id: workspaceId, userId: third.user.userId } }));
    await goes.untilOver();
    bodyOf(await say());
    await stays.until(() => stays.events.length === 2);
    expect([stays.ending(), goes.ending()]).toEqual([null, 'ended']);
    stays.abort();
  });
});

describe('what ends by the clock', () => {
  test('[D6] a report that expires ends its streams within a second, though no job has run', async () => {
    const start = clock.now();
    const watch = await watchAs(member);
    clock.advance(21 * DAY_MS);
    timers.advance(1000);
    await watch.untilOver();
    expect((await watchEvents(server.url, reportId, { cookie: member.cookie })).status).toBe(410);
    clock.set(start);
  });

  test('[D3] a session that expires ends its streams within a second', async () => {
    clock.advance(15 * DAY_MS);
    const project = await bindProject(owner, workspaceId);
    ({ reportId } = bodyOf(await device.api.createReport({ body: shellOf(project) })));
    const watch = await watchAs(member);
    clock.advance(15 * DAY_MS);
    timers.advance(1000);
    await watch.untilOver();
    expect((await watchEvents(server.url, reportId, { cookie: member.cookie })).status).toBe(401);
  });
});

test('[D24] a session that was not used for SESSION_IDLE_DAYS ends its streams within a second', async () => {
  const ticks = createFakeTimers();
  await using strict = await startServer({
    clock,
    timers: ticks,
    generousPlans: true,
    config: { sessionIdleMs: 2 * DAY_MS },
  });
  const reader = await strict.signUp();
  const writer = await strict.linkDevice(reader);
  const body = shellOf(await bindProject(reader));
  const made = bodyOf(await writer.api.createReport({ body }));
  const watch = await watchEvents(strict.url, made.reportId, { cookie: reader.cookie });
  await watch.until(() => watch.events.length > 0);
  clock.advance(2 * DAY_MS);
  ticks.advance(1000);
  await watch.untilOver();
  const again = await watchEvents(strict.url, made.reportId, { cookie: reader.cookie });
  expect(again.status).toBe(401);
});

describe('access that nobody said anything about', () => {
  test('[D7] is looked at again at every heartbeat', async () => {
    const watch = await watchAs(member);
    timers.advance(20_000);
    await watch.until(() => watch.comments() === 1);
    expect(watch.ending()).toBeNull();
    await server.service.database.read
      .deleteFrom('memberships')
      .where('userId', '=', member.user.userId)
      .where('workspaceId', '=', workspaceId)
      .execute();
    timers.advance(20_000);
    await watch.untilOver();
  });
});

describe('who may not watch', () => {
  test('[T2] a stranger and an unknown report are NOT_FOUND', async () => {
    const stranger = await server.signUp();
    for (const id of [reportId, 'rep_00000000000000000000000000', 'nothing'])
      expect((await watchEvents(server.url, id, { cookie: stranger.cookie })).status).toBe(404);
  });

  test('[T1] a device is UNAUTHENTICATED, and so is nobody', async () => {
    expect((await device.fetch(`/api/v1/reports/${reportId}/events`)).status).toBe(401);
    expect((await watchEvents(server.url, reportId)).status).toBe(401);
  });

  test('[D17] an administrator who is a member and not the owner gets no stream, and one who owns the report does', async () => {
    const email = `admin-${randomUUID()}@example.test`;
    await using other = await startServer({
      clock,
      generousPlans: true,
      config: { platformAdminEmail: email },
    });
    const admin = await other.signUp({ email });
    const author = await other.signUp();
    const team = bodyOf(await author.api.createWorkspace({ body: { name: 'Team' } })).workspaceId;
    clock.advance(1000);
    const { url } = bodyOf(await author.api.createInvitation({ params: { id: team } }));
    bodyOf(await admin.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
    const reportOf = async (person: SessionActor) => {
      const linked = await other.linkDevice(person);
      return bodyOf(await linked.api.createReport({ body: shellOf(await bindProject(person, team)) }))
        .reportId;
    };
    const theirs = await watchEvents(other.url, await reportOf(author), { cookie: admin.cookie });
    expect(theirs.status).toBe(404);
    const own = await watchEvents(other.url, await reportOf(admin), { cookie: admin.cookie });
    expect(own.status).toBe(200);
    own.abort();
  });

  test('[T13] a removal while a stream opens leaves no stream behind', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [watch, removed] = await Promise.all([
        watchEvents(server.url, reportId, { cookie: member.cookie }),
        owner.api.removeMember({ params: { id: workspaceId, userId: member.user.userId } }),
      ]);
      expect(codeOf(removed)).toBe('ok');
      expect([200, 404]).toContain(watch.status);
      await watch.untilOver();
      await join(member);
    }
  });
});
