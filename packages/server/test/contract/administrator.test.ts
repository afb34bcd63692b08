/**
 * An administrator gets nothing of a foreign report's body, by any route of the contract or any page, whatever their
 * role in the report's workspace. Every endpoint that does not end the caller is tried, including those added later.
 */
import { exportFormats, operations, type Operation } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createTeam,
  findingBody,
  shareOf,
  syncReport,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bearer,
  cookie,
  endpointOf,
  inputOf,
  newCaller,
  targetOf,
  type AnyInput,
  type Headers,
} from './calls.ts';
import { administratorOf, startSampleServer } from './samples.ts';

const CANARY = 'canary of the report';
let server: TestServer;
let owner: SessionActor;
let administrator: SessionActor;
/** The credentials of the administrator. */
let credentials: readonly Headers[];

/** A team with a report that contains the canary, and a share for the team. */
interface Target {
  readonly team: string;
  readonly project: string;
  readonly reportId: string;
  readonly shareId: string;
  readonly slug: string;
}

beforeAll(async () => {
  server = await startSampleServer();
  owner = await server.signUp();
  const { person, device } = await newCaller(server, await administratorOf(server));
  administrator = person;
  const [session, bearerOnly] = [cookie(person.cookie), bearer(device.deviceToken)];
  credentials = [session, bearerOnly, { ...session, ...bearerOnly }];
});
afterAll(() => server.close());

async function newTarget(member: SessionActor): Promise<Target> {
  const team = await createTeam(owner, [member]);
  const project = await bindProject(owner, team);
  const finding = {
    ...findingBody(1),
    title: `${CANARY}: its title`,
    summary: `${CANARY}: ${'x'.repeat(30)}`,
  };
  const body = { findings: [finding], limitations: [CANARY] };
  const { reportId } = await syncReport(await server.linkDevice(owner), { project, body });
  const { shareId, slug } = await shareOf(owner, reportId, { mode: 'workspace', anonymousAllowed: false });
  return { team, project: project.projectId, reportId, shareId, slug };
}

/** A valid input of the administrator in which every id is the target's. */
async function inputAbout(operation: Operation, target: Target): Promise<AnyInput> {
  const { path } = endpointOf(operation);
  const given = await inputOf(operation, administrator, server);
  const names: Record<string, string> = {
    shareId: target.shareId,
    slug: target.slug,
    findingId: 'F-1',
    reportId: target.reportId,
    workspaceId: target.team,
    projectId: target.project,
    with: target.reportId,
    userId: owner.user.userId,
    before: new Date(server.clock.now() + 60_000).toISOString(),
  };
  if (path.includes('/reports/')) names['id'] = target.reportId;
  if (path.includes('/workspaces/')) names['id'] = target.team;
  if (path.startsWith('/projects/')) names['id'] = target.project;
  const renamed = (part: unknown) =>
    Object.fromEntries(
      Object.entries((part ?? {}) as Record<string, unknown>).map(([name, value]) => [
        name,
        names[name] ?? value,
      ]),
    );
  return {
    ...given,
    params: renamed(given.params) as Record<string, string>,
    query: renamed(given.query) as Record<string, string>,
    ...(given.body === undefined ? {} : { body: renamed(given.body) }),
  };
}

/** Operations that end the target or the caller come last, and those that open the report at the very end. */
const lastly: readonly Operation[] = [
  'removeMember',
  'deleteProject',
  'deleteReport',
  'deleteWorkspace',
  'recover',
  'logOut',
  'revokeCurrentDevice',
  'deleteAccount',
  'createSupportGrant',
];
/** Operations that end the caller; other suites test their responses. */
const ends = new Set<Operation>([
  'recover',
  'logOut',
  'revokeCurrentDevice',
  'deleteAccount',
  'removeMember',
]);
const inOrder = operations
  .filter((operation) => !ends.has(operation))
  .toSorted((one, other) => lastly.indexOf(one) - lastly.indexOf(other));

/** The whole response; of a stream, everything up to its first event. */
async function textOf(path: string, init: RequestInit): Promise<string> {
  const response = await server.anonymous.fetch(path, init);
  const headers = JSON.stringify([...response.headers]);
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true)
    return headers + (await response.text());
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return headers + Buffer.from(value ?? []).toString();
}

async function call(operation: Operation, input: AnyInput, headers: Headers): Promise<string> {
  const endpoint = endpointOf(operation);
  const body = input.bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  const hasBody = body !== undefined;
  return textOf(targetOf(endpoint, input), {
    method: endpoint.method,
    ...(hasBody ? { body } : {}),
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
  });
}

const formatsOf = (input: AnyInput) =>
  input.params?.['format'] === undefined
    ? [input]
    : exportFormats.map((format) => ({ ...input, params: { ...input.params, format } }));

/** The operations whose responses contain the canary. */
async function leaksTo(target: Target): Promise<string[]> {
  const leaks: string[] = [];
  for (const operation of inOrder) {
    for (const input of formatsOf(await inputAbout(operation, target))) {
      for (const headers of credentials) {
        if ((await call(operation, input, headers)).includes(CANARY)) leaks.push(operation);
      }
    }
  }
  return leaks;
}

const pagesOf = ({ reportId, slug, team }: Target) => [
  `/reports/${reportId}`,
  `/s/${slug}`,
  `/workspaces/${team}`,
  '/',
  '/admin',
];

async function leakingPages(target: Target, session: string): Promise<string[]> {
  const leaks: string[] = [];
  for (const path of pagesOf(target)) {
    const text = await textOf(path, {
      headers: { cookie: session, accept: 'text/html', 'sec-fetch-dest': 'document' },
    });
    if (text.includes(CANARY)) leaks.push(path);
  }
  return leaks;
}

describe('an administrator', () => {
  test.each([
    ['no member of its workspace', 'none'],
    ['a member of its workspace', 'member'],
    ['an owner of its workspace', 'owner'],
  ] as const)('[D17] who is %s gets nothing of a report by any route', async (_title, role) => {
    const reader = await server.signUp();
    const target = await newTarget(role === 'none' ? reader : administrator);
    if (role === 'owner') {
      const params = { id: target.team, userId: administrator.user.userId };
      bodyOf(await owner.api.changeMember({ params, body: { role, password: owner.password } }));
    }
    // The canary exists: the owner gets it.
    const asOwner = cookie(owner.cookie);
    for (const operation of ['getReport', 'exportReport', 'readShare', 'exportShare'] as const)
      expect(await call(operation, await inputAbout(operation, target), asOwner)).toContain(CANARY);
    expect(await leakingPages(target, owner.cookie)).toEqual([
      `/reports/${target.reportId}`,
      `/s/${target.slug}`,
    ]);

    expect(await leakingPages(target, administrator.cookie)).toEqual([]);
    expect(await leaksTo(target)).toEqual([]);
  });

  test('[D17] gets the report by one route once there is a grant, and by no other', async () => {
    const target = await newTarget(administrator);
    const body = {
      reportId: target.reportId,
      reason: 'The owner asked why it shows so few findings.',
      expiresAt: new Date(server.clock.now() + 3_600_000).toISOString(),
      password: administrator.password,
    };
    bodyOf(await administrator.api.createSupportGrant({ body }));
    expect([...new Set(await leaksTo(target))]).toEqual(['readForSupport']);
    expect(await leakingPages(target, administrator.cookie)).toEqual([]);
  });
});
