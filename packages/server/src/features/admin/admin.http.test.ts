/** The administrator's overview, workspaces, plans and log, and that these do not exist for anyone else. */
import { endpoints, operations, type Endpoint } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  shareOf,
  startTeamServer,
  syncReport,
  wholeAnswer,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
const server = sharedTeamServer(clock);

const adminRoutes = operations
  .map((operation) => endpoints[operation] as Endpoint)
  .filter(({ administratorOnly }) => administratorOnly);

describe('for a session that is not the administrator’s', () => {
  test('[D17] every route below /admin is marked as hidden', () => {
    const all = operations.map((operation) => endpoints[operation] as Endpoint);
    expect(all.filter(({ path }) => path.startsWith('/admin/'))).toEqual(adminRoutes);
    expect(adminRoutes).toHaveLength(10);
  });

  test.each(adminRoutes.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '[D17] %s returns the same bytes as an unknown route, whatever is sent',
    async (_title, { method, path }) => {
      const target = path.replace('{id}', server.team);
      const bodies = method === 'GET' ? [null] : [null, '{}', 'no JSON', '{"plan":"pro"}'];
      for (const person of [server.owner, server.member]) {
        for (const body of bodies) {
          const init = { method, body, ...(body && { headers: { 'content-type': 'application/json' } }) };
          const unknown = await person.fetch('/api/v1/nothing/here', init);
          expect(unknown.status).toBe(404);
          const hidden = await person.fetch(`/api/v1${target}`, init);
          expect(await wholeAnswer(hidden)).toBe(await wholeAnswer(unknown));
        }
      }
    },
  );

  test('[D17] the overview is hidden from an account that has the flag but not the configured address', async () => {
    const db = server.service.database.read;
    const { userId } = server.member.user;
    await db.updateTable('users').set({ adminFlag: 1 }).where('id', '=', userId).execute();
    expect(codeOf(await server.member.api.getAdminOverview())).toBe('NOT_FOUND');
    await db.updateTable('users').set({ adminFlag: 0 }).where('id', '=', userId).execute();
  });
});

describe('the state of the service', () => {
  test('contains dependencies, disk, streams and errors of the process, and nothing about people', async () => {
    const time = createFakeClock();
    await using own = await startTeamServer(time);
    await own.anonymous.fetch('/api/v1/nothing/here');
    const health = bodyOf(await own.operator.api.getAdminHealth());
    expect(health).toMatchObject({
      at: new Date(time.now()).toISOString(),
      version: bodyOf(await own.anonymous.api.getHealth()).version,
      offeredRelease: null,
      lastBackupAt: null,
      dependencies: { database: 'ok', blobs: 'ok', counters: 'ok' },
      process: {
        startedAt: new Date(time.now()).toISOString(),
        requestsUnderWay: 1,
        streams: { open: 0, max: 20_000 },
        jobs: [],
        errors: [{ code: 'NOT_FOUND', count: 1 }],
      },
    });
    expect(health.process.disk?.freeBytes).toBeGreaterThan(0);
    expect(health.process.queues).toContainEqual({ name: 'password hashing', waiting: 0, rejected: 0 });
    expect(JSON.stringify(health)).not.toMatch(/@|usr_|ws_|rep_/);
  });

  test('is still returned when a dependency fails', async () => {
    const time = createFakeClock();
    let isFailing = false;
    await using own = await startTeamServer(time, {
      wrapBlobs: (blobs) => ({
        ...blobs,
        check: () => (isFailing ? Promise.reject(new Error('no bucket')) : blobs.check()),
      }),
    });
    isFailing = true;
    time.advance(1000);
    expect(bodyOf(await own.operator.api.getAdminHealth()).dependencies).toEqual({
      database: 'ok',
      blobs: 'failing',
      counters: 'ok',
    });
  });
});

describe('the overview', () => {
  test('[D17] counts all records and recent activity', async () => {
    const time = createFakeClock();
    await using own = await startTeamServer(time);
    const project = await bindProject(own.owner, own.team);
    const { reportId } = await syncReport(own.device, { project });
    const { shareId } = await shareOf(own.owner, reportId);
    await shareOf(own.owner, reportId);
    bodyOf(await own.owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    await own.owner.fetch(`/api/v1/reports/${reportId}/export/json`);
    const overview = async () => bodyOf(await own.operator.api.getAdminOverview());
    const none = {
      signUps: 0,
      devicesLinked: 0,
      reportsSynced: 0,
      exports: 0,
      sharesMade: 0,
      supportAccesses: 0,
    };
    const all = { ...none, signUps: 3, devicesLinked: 1, reportsSynced: 1, exports: 1, sharesMade: 2 };
    const counts = {
      accounts: 3,
      devices: 1,
      workspaces: { personal: 3, team: 1 },
      plans: { free: 4, pro: 0, team: 0, enterprise: 0 },
      projects: 1,
      reports: { live: 0, finalized: 1 },
      shares: 1,
      supportGrants: 0,
    };
    const at = () => new Date(time.now()).toISOString();
    expect(await overview()).toEqual({ at: at(), ...counts, lastDay: all, lastWeek: all });
    time.advance(DAY_MS + 1);
    await own.signUp();
    expect(await overview()).toMatchObject({
      accounts: 4,
      lastDay: { ...none, signUps: 1 },
      lastWeek: { ...all, signUps: 4 },
    });
    time.advance(7 * DAY_MS + 1);
    expect(await overview()).toMatchObject({
      ...counts,
      accounts: 4,
      workspaces: {},
      plans: {},
      lastWeek: none,
    });
  });
});

describe('workspaces', () => {
  const listed = async (query: { before?: string; email?: string } = {}) =>
    bodyOf(await server.operator.api.listAdminWorkspaces({ query })).workspaces;

  test('[D17] are listed with their owners, their plan and their counts', async () => {
    const person = await server.signUp();
    const workspaceId = await createTeam(person, [server.member]);
    await syncReport(await server.linkDevice(person), { project: await bindProject(person, workspaceId) });
    const [personal, team] = await listed({ email: ` ${person.email.toUpperCase()} ` });
    expect(personal).toMatchObject({ kind: 'personal', ownerEmail: person.email, members: 1, reports: 0 });
    expect(team).toMatchObject({
      workspaceId,
      name: 'Team',
      kind: 'team',
      plan: 'free',
      ownerEmail: person.email,
      members: 2,
      projects: 1,
      reports: 1,
    });
    expect((await listed()).at(-1)).toEqual(team);
    expect((await listed({ before: workspaceId })).at(-1)).toEqual(personal);
    expect(await listed({ email: 'nobody@example.test' })).toEqual([]);
    expect(await listed({ before: '2001-01-01T00:00:00Z' })).toEqual([]);
    const rejected = await server.operator.api.listAdminWorkspaces({ query: { before: 'x' } });
    expect(codeOf(rejected)).toBe('VALIDATION_FAILED');
  });

  test('[D17] get a new plan that is valid immediately and audited once for their owners', async () => {
    const workspaceId = await createTeam(server.owner, []);
    const params = { id: workspaceId };
    const set = (plan: 'pro' | 'team', id = workspaceId) =>
      server.operator.api.changeWorkspacePlan({ params: { id }, body: { plan } });
    expect(bodyOf(await set('pro'))).toEqual({ workspaceId, plan: 'pro' });
    expect(bodyOf(await set('pro'))).toEqual({ workspaceId, plan: 'pro' });
    const quota = bodyOf(await server.owner.api.getSyncQuota({ query: { workspaceId } }));
    expect(quota.plan).toBe('pro');
    const { entries } = bodyOf(await server.owner.api.listWorkspaceAudit({ params }));
    expect(entries.slice(1)).toMatchObject([
      {
        action: 'workspace_plan_changed',
        actorId: server.operator.user.userId,
        actorName: null,
        detail: 'pro',
      },
    ]);
    for (const id of ['x', 'ws_nothing', workspaceId.replace(/.$/, 'z')])
      expect(codeOf(await set('team', id))).toBe('NOT_FOUND');
  });
});

describe('the administrator’s audit log', () => {
  test('[D17] returns the newest entries of the whole service in order, and the end of the log', async () => {
    const person = await server.signUp();
    const { entries, head } = bodyOf(await server.operator.api.listAdminAudit());
    expect(entries.at(-1)).toMatchObject({ action: 'workspace_created', actorId: person.user.userId });
    expect(head).toEqual({
      sequence: entries.at(-1)?.sequence,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const places = entries.map(({ sequence }) => sequence);
    expect(places).toEqual(places.map((_, at) => (places[0] ?? 0) + at));
    const before = entries.at(-1)?.entryId ?? '';
    const older = bodyOf(await server.operator.api.listAdminAudit({ query: { before } }));
    expect(older.entries.at(-1)).toEqual(entries.at(-2));
    expect(older.head).toEqual(head);
    expect(JSON.stringify(entries)).not.toContain('@');
  });
});
