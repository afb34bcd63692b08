/** The administrator's overview, workspaces, plans and log; and that to everybody else there is nothing of it. */
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
  type SessionActor,
  type TeamServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TeamServer;

beforeAll(async () => {
  server = await startTeamServer(clock);
});
afterAll(() => server.close());

const adminRoutes = operations
  .map((operation) => endpoints[operation] as Endpoint)
  .filter(({ administratorOnly }) => administratorOnly);

/** All that an answer shows but its id and its time. */
async function seenBy(person: SessionActor, method: string, target: string, body?: string) {
  const response = await person.fetch(`/api/v1${target}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
  });
  const id = response.headers.get('x-request-id') ?? '';
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return { status: response.status, text: (await response.text()).replace(id, ''), headers };
}

describe('to a session that is no administrator’s', () => {
  test('[D17] there are nine routes to hide', () => {
    expect(adminRoutes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /admin/support-grants/{id}',
      'GET /admin/analytics',
      'GET /admin/audit',
      'GET /admin/overview',
      'GET /admin/reports/{id}',
      'GET /admin/support-grants',
      'GET /admin/workspaces',
      'PATCH /admin/workspaces/{id}',
      'POST /admin/support-grants',
    ]);
    const under = operations.map((operation) => endpoints[operation] as Endpoint);
    expect(under.filter(({ path }) => path.startsWith('/admin/'))).toEqual(adminRoutes);
  });

  test.each(adminRoutes.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '[D17] %s answers byte for byte as a route that is not there, whatever is sent',
    async (_title, { method, path }) => {
      const target = path.replace('{id}', server.team);
      const bodies = method === 'GET' ? [undefined] : [undefined, '{}', 'no JSON', '{"plan":"pro"}'];
      for (const person of [server.owner, server.member]) {
        for (const body of bodies) {
          const unknown = await seenBy(person, method, '/nothing/here', body);
          expect(unknown.status).toBe(404);
          expect(await seenBy(person, method, target, body)).toEqual(unknown);
        }
      }
    },
  );

  test('[T20] methods that admin routes do not have are no routes to the administrator either', async () => {
    const paths = new Set(adminRoutes.map(({ path }) => path));
    for (const path of paths) {
      const had = new Set<string>(adminRoutes.filter((one) => one.path === path).map(({ method }) => method));
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (one) => !had.has(one),
      ))
        expect((await seenBy(server.operator, method, path.replace('{id}', server.team))).status).toBe(404);
    }
  });

  test('[D17] an account whose address is named now, but was not when it signed up, is none', async () => {
    const db = server.service.database.read;
    const { userId } = server.operator.user;
    expect(codeOf(await server.operator.api.getAdminOverview())).toBe('ok');
    await db.updateTable('users').set({ adminFlag: 0 }).where('id', '=', userId).execute();
    expect(codeOf(await server.operator.api.getAdminOverview())).toBe('NOT_FOUND');
    await db.updateTable('users').set({ adminFlag: 1 }).where('id', '=', userId).execute();
  });

  test('[D17] nor is one that was flagged at sign-up, but is not named any more', async () => {
    const db = server.service.database.read;
    const { userId } = server.member.user;
    await db.updateTable('users').set({ adminFlag: 1 }).where('id', '=', userId).execute();
    expect(codeOf(await server.member.api.getAdminOverview())).toBe('NOT_FOUND');
    await db.updateTable('users').set({ adminFlag: 0 }).where('id', '=', userId).execute();
  });
});

describe('the overview', () => {
  test('[D17] counts what there is and what happened lately', async () => {
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

  test('[D17] are listed with whose they are, their plan and how much is in them', async () => {
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
    const refused = await server.operator.api.listAdminWorkspaces({ query: { before: 'x' } });
    expect(codeOf(refused)).toBe('VALIDATION_FAILED');
  });

  test('[D17] get the plan that is set, which counts at once and is told to their owners once', async () => {
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
  test('[D17] holds all of the service’s entries by their places, and where it ends', async () => {
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
