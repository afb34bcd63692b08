/** Streams of readers who lose access. The timers stand still, so that only a pushed hint can end a stream. */
import {
  ANSWERS_IN_A_SECOND,
  answersUntil,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createFakeTimers,
  createShell,
  createTeam,
  joinTeam,
  progressEvent,
  sendProgress,
  startServer,
  startTeamServer,
  watchEvents,
  type DeviceActor,
  type SessionActor,
  type Watch,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeEach, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const NEW_PASSWORD = 'purple elephants dance at noon';

const clock = createFakeClock();
const timers = createFakeTimers();
let owner: SessionActor;
let member: SessionActor;
let device: DeviceActor;
let workspaceId: string;
let projectId: string;
let reportId: string;

const server = sharedServer({ clock, timers, generousPlans: true });
beforeEach(async () => {
  owner = await server.signUp();
  member = await server.signUp();
  device = await server.linkDevice(owner);
  workspaceId = await createTeam(owner, [member]);
  ({ projectId, reportId } = await createShell(device, await bindProject(owner, workspaceId)));
});

async function watchAs({ cookie }: { readonly cookie: string }): Promise<Watch> {
  const made = await watchEvents(server.url, reportId, { cookie });
  await made.until(() => made.events.length > 0);
  return made;
}

const say = () => sendProgress(device, reportId, [progressEvent(clock, reportId)]);

/** Another browser of the member. */
const anotherBrowser = async () => server.withCookie(await server.logIn(member));
const membershipOf = ({ user }: SessionActor) => ({ params: { id: workspaceId, userId: user.userId } });

/** The stream ends within a second, and contains no later event. */
async function expectEnded(watch: Watch): Promise<void> {
  expect(await answersUntil(server, () => watch.ending() !== null)).toBeLessThan(ANSWERS_IN_A_SECOND);
  // The call is rejected if the report was deleted.
  await say().catch(() => undefined);
  expect(watch.events.map(({ event }) => event)).toEqual(['hello']);
}

/** How a member can lose access, and the status of the browser's next request. */
const endings: [who: string, statusThen: number, end: () => Promise<unknown>][] = [
  ['logs out', 401, () => member.api.logOut()],
  [
    'has the session revoked',
    401,
    async () => {
      const other = await anotherBrowser();
      const { sessions } = bodyOf(await other.api.listSessions());
      const id = sessions.find(({ current }) => !current)?.sessionId ?? '';
      return other.api.revokeSession({ params: { id } });
    },
  ],
  [
    'changes the password elsewhere',
    401,
    async () => {
      const body = { password: member.password, newPassword: NEW_PASSWORD };
      return (await anotherBrowser()).api.changePassword({ body });
    },
  ],
  [
    'recovers the account elsewhere',
    401,
    () => {
      const { email, recoveryCode } = member;
      return server.anonymous.api.recover({ body: { email, recoveryCode, newPassword: NEW_PASSWORD } });
    },
  ],
  ['deletes the account', 401, () => member.api.deleteAccount({ body: { password: member.password } })],
  ['leaves the workspace', 404, () => member.api.removeMember(membershipOf(member))],
  ['is removed from the workspace', 404, () => owner.api.removeMember(membershipOf(member))],
  ['sees the report deleted', 410, () => owner.api.deleteReport({ params: { id: reportId } })],
  ['sees the project deleted', 410, () => owner.api.deleteProject({ params: { id: projectId } })],
  ['sees the workspace deleted', 404, () => owner.api.deleteWorkspace({ params: { id: workspaceId } })],
];

describe('a reader who', () => {
  test.each(endings)('[T13] %s loses the stream immediately', async (_who, statusThen, end) => {
    const watch = await watchAs(member);
    expect(await end()).toMatchObject({ ok: true });
    await expectEnded(watch);
    expect((await watchEvents(server.url, reportId, member)).status).toBe(statusThen);
  });

  test('[T13] keeps the session keeps the stream when other sessions of the account end', async () => {
    const other = { cookie: await server.logIn(member) };
    const [mine, theirs] = [await watchAs(member), await watchAs(other)];
    const body = { password: member.password, newPassword: NEW_PASSWORD };
    bodyOf(await member.api.changePassword({ body }));
    await theirs.untilOver();
    await say();
    await mine.until(() => mine.events.length === 2);
    expect([mine.ending(), theirs.ending()]).toEqual([null, 'ended']);
    mine.abort();
  });

  test('[T13] remains a member keeps the stream when another member is removed', async () => {
    const third = await server.signUp();
    await joinTeam(owner, workspaceId, third);
    const [stays, goes] = [await watchAs(member), await watchAs(third)];
    bodyOf(await owner.api.removeMember(membershipOf(third)));
    await goes.untilOver();
    await say();
    await stays.until(() => stays.events.length === 2);
    expect([stays.ending(), goes.ending()]).toEqual([null, 'ended']);
    stays.abort();
  });
});

describe('an expiry', () => {
  test('[D6] of a report ends its streams within a second, although no job has run', async () => {
    const start = clock.now();
    const watch = await watchAs(member);
    clock.advance(21 * DAY_MS);
    timers.advance(1000);
    await watch.untilOver();
    expect((await watchEvents(server.url, reportId, member)).status).toBe(410);
    clock.set(start);
  });

  test('[D3] of a session ends its streams within a second', async () => {
    clock.advance(15 * DAY_MS);
    ({ reportId } = await createShell(device, await bindProject(owner, workspaceId)));
    const watch = await watchAs(member);
    clock.advance(15 * DAY_MS);
    timers.advance(1000);
    await watch.untilOver();
    expect((await watchEvents(server.url, reportId, member)).status).toBe(401);
  });
});

test('[D24] the expiry of a session unused for SESSION_IDLE_DAYS ends its streams within a second', async () => {
  const ticks = createFakeTimers();
  await using strict = await startServer({
    clock,
    timers: ticks,
    generousPlans: true,
    config: { sessionIdleMs: 2 * DAY_MS },
  });
  const reader = await strict.signUp();
  const writer = await strict.linkDevice(reader);
  const made = await createShell(writer);
  const watching = { cookie: reader.cookie };
  const watch = await watchEvents(strict.url, made.reportId, watching);
  await watch.until(() => watch.events.length > 0);
  clock.advance(2 * DAY_MS);
  ticks.advance(1000);
  await watch.untilOver();
  expect((await watchEvents(strict.url, made.reportId, watching)).status).toBe(401);
});

describe('access that no hint mentions', () => {
  test('[D7] is checked again at every heartbeat', async () => {
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

describe('the permission to watch', () => {
  test('[D17] of an administrator comes from owning the report, and not from being a member', async () => {
    await using other = await startTeamServer(clock);
    const { owner: author, operator: admin, team } = other;
    const reportOf = async (person: SessionActor) =>
      (await createShell(await other.linkDevice(person), await bindProject(person, team))).reportId;
    const theirs = await watchEvents(other.url, await reportOf(author), { cookie: admin.cookie });
    expect(theirs.status).toBe(404);
    const own = await watchEvents(other.url, await reportOf(admin), { cookie: admin.cookie });
    expect(own.status).toBe(200);
    own.abort();
  });

  test('[T13] that ends while a stream opens leaves no stream open', async () => {
    for (let round = 0; round < 15; round += 1) {
      const [watch, removed] = await Promise.all([
        watchEvents(server.url, reportId, member),
        owner.api.removeMember(membershipOf(member)),
      ]);
      expect(codeOf(removed)).toBe('ok');
      expect([200, 404]).toContain(watch.status);
      await watch.untilOver();
      await joinTeam(owner, workspaceId, member);
    }
  });
});
