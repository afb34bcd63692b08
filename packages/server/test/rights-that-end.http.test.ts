/**
 * Large responses that are still unread when their permission ends. The timers stand still, so only a pushed hint can
 * cut a response. For expiries the test moves both clock and timers.
 */
import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { limits } from '@svc/contract';
import {
  syncReport,
  ANSWERS_IN_A_SECOND,
  answersUntil,
  bodyOf,
  bindProject,
  createFakeClock,
  createFakeTimers,
  createTeam,
  shareOf,
  startServer,
  wholePolicy,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** More than the system's send buffers hold. */
const REPORT_BYTES = 11.5 * 1024 * 1024;
const EMAIL = 'operator@example.test';
const NEW_PASSWORD = 'purple elephants dance at noon';

const clock = createFakeClock();
const timers = createFakeTimers();
let server: TestServer;
let owner: SessionActor;
let device: DeviceActor;
let administrator: SessionActor;
let workspaceId: string;
let project: BoundProject;
let reportId: string;

/** Delays the reading of a report's body. */
let whileReading: () => Promise<void> = async () => undefined;
let readOn: () => void = () => undefined;

beforeAll(async () => {
  server = await startServer({
    clock,
    timers,
    generousPlans: true,
    config: { platformAdminEmail: EMAIL },
    wrapBlobs: (blobs) => ({
      ...blobs,
      async get(...given) {
        await whileReading();
        return blobs.get(...given);
      },
    }),
  });
  owner = await server.signUp();
  administrator = await server.signUp({ email: EMAIL });
  workspaceId = await createTeam(owner, []);
  device = await server.linkDevice(owner);
  project = await bindProject(owner, workspaceId);
  reportId = await largeReport();
});
afterAll(() => server.close());

async function largeReport(): Promise<string> {
  const shell = await syncReport(device, { project, sizeBytes: REPORT_BYTES });
  return shell.reportId;
}

async function newMember(): Promise<SessionActor> {
  const person = await server.signUp();
  const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
  bodyOf(await person.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
  return person;
}

interface BegunRead {
  /** Whether the response was cut, as the server sees it. */
  isCut(): boolean;
  /** Receives the rest at full speed. Resolves once it is complete or the connection broke. */
  rest(): Promise<{ readonly isComplete: boolean; readonly sha256: string }>;
}

interface Reader {
  readonly path: string;
  readonly cookie?: string;
  readonly password?: string;
}

const cutsLogged = () => server.logLines.filter((line) => line.includes('"ABORTED"')).length;

/** Begins a response and reads nothing of it, so that the machine's speed does not matter. */
async function beginReading({ path, cookie, password }: Reader): Promise<BegunRead> {
  const headers = {
    ...(cookie === undefined ? {} : { cookie }),
    ...(password === undefined ? {} : { 'x-svc-share-password': password }),
  };
  const cutsBefore = cutsLogged();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}/api/v1${path}`, { agent: false, headers }, resolve).on('error', reject);
  });
  expect(response.statusCode).toBe(200);
  const digest = createHash('sha256');
  const ended = new Promise<void>((resolve) => {
    response.on('error', () => undefined).once('close', resolve);
  });
  return {
    isCut: () => cutsLogged() > cutsBefore,
    async rest() {
      response.on('data', (part: Buffer) => digest.update(part));
      await ended;
      return { isComplete: response.complete, sha256: digest.digest('hex') };
    },
  };
}

interface Cut {
  readonly withinASecond: boolean;
  readonly isComplete: boolean;
}

const cutInTime: Cut = { withinASecond: true, isComplete: false };

/** Begins to read, ends the permission, and receives the rest once the server has cut the response. */
async function whenEnded(reader: Reader, end: () => unknown): Promise<Cut> {
  const reading = await beginReading(reader);
  await end();
  const withinASecond = (await answersUntil(server, reading.isCut)) < ANSWERS_IN_A_SECOND;
  const { isComplete } = await reading.rest();
  return { withinASecond, isComplete };
}

function passTime(ms: number): void {
  clock.advance(ms);
  timers.advance(500);
}

const sharedPath = (slug: string) => `/shares/slug/${slug}/export/json`;
const ownPath = (id = reportId) => `/reports/${id}/export/json`;

test('[D24] [T19] a response is complete and byte for byte the same while other permissions end', async () => {
  const { shareId, slug } = await shareOf(owner, reportId);
  const others = [await shareOf(owner, reportId), await shareOf(owner, reportId)];
  const whole = await server.anonymous.fetch(`/api/v1${sharedPath(slug)}`, {
    headers: { 'accept-encoding': 'identity' },
  });
  const expected = createHash('sha256')
    .update(Buffer.from(await whole.arrayBuffer()))
    .digest('hex');
  const reading = await beginReading({ path: sharedPath(slug) });
  for (const other of others)
    bodyOf(await owner.api.revokeShare({ params: { shareId: other.shareId }, query: { reportId } }));
  bodyOf(await (await server.signUp()).api.logOut());
  // A hint that concerns the response and ends nothing.
  bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, label: 'Renamed' } }));
  expect(await reading.rest()).toEqual({ isComplete: true, sha256: expected });
});

type Change = Partial<Omit<Parameters<SessionActor['api']['changeShare']>[0]['body'], 'reportId'>>;

const narrowed = { ...wholePolicy, fields: { ...wholePolicy.fields, code: false } };

test.each<[string, Change]>([
  ['is made private', { mode: 'private' }],
  ['is closed to people without an account', { anonymousAllowed: false }],
  ['gets another password', { password: 'another password' }],
  ['shows less', { defaultPolicy: narrowed }],
])('[D24] [T19] a response through a share that %s is cut within a second', async (_, change) => {
  const password = 'a password to change';
  const { shareId, slug } = await shareOf(owner, reportId, { password });
  const cut = await whenEnded({ path: sharedPath(slug), password }, async () =>
    bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, ...change } })),
  );
  expect(cut).toEqual(cutInTime);
});

test('[D24] [T19] a response through a share is cut within a second of its revocation', async () => {
  const { shareId, slug } = await shareOf(owner, reportId);
  const cut = await whenEnded({ path: sharedPath(slug) }, async () =>
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } })),
  );
  expect(cut).toEqual(cutInTime);
});

test('[D24] [T19] a response to an account that the share no longer names is cut within a second', async () => {
  const viewer = await server.signUp();
  const { shareId, slug } = await shareOf(owner, reportId, {
    mode: 'private',
    anonymousAllowed: false,
    principals: [{ principalValue: viewer.user.userId, policy: wholePolicy }],
  });
  const cut = await whenEnded({ path: sharedPath(slug), cookie: viewer.cookie }, async () =>
    bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, principals: [] } })),
  );
  expect(cut).toEqual(cutInTime);
});

test('[D24] [T19] a response through a share that expires is cut at the next check of the clock', async () => {
  const expiresAt = new Date(clock.now() + 60_000).toISOString();
  const { slug } = await shareOf(owner, reportId, { expiresAt });
  const reading = await beginReading({ path: sharedPath(slug) });
  passTime(59_000);
  for (let answers = 0; answers < 20; answers += 1) await server.anonymous.fetch('/api/v1/health');
  expect(reading.isCut()).toBe(false);
  passTime(1000);
  expect(await answersUntil(server, reading.isCut)).toBeLessThan(ANSWERS_IN_A_SECOND);
  expect((await reading.rest()).isComplete).toBe(false);
});

test.each<[string, (member: SessionActor) => Promise<unknown>]>([
  ['logs out', async (member) => bodyOf(await member.api.logOut())],
  [
    'changes the password',
    async (member) => {
      const elsewhere = server.withCookie(await server.logIn(member));
      const body = { password: member.password, newPassword: NEW_PASSWORD };
      return bodyOf(await elsewhere.api.changePassword({ body }));
    },
  ],
  [
    'is removed from the workspace',
    async ({ user: { userId } }) =>
      bodyOf(await owner.api.removeMember({ params: { id: workspaceId, userId } })),
  ],
  [
    'deletes the account',
    async (member) => bodyOf(await member.api.deleteAccount({ body: { password: member.password } })),
  ],
])('[D24] [T19] a response to a member who %s is cut within a second', async (_, end) => {
  const member = await newMember();
  const cut = await whenEnded({ path: ownPath(), cookie: member.cookie }, () => end(member));
  expect(cut).toEqual(cutInTime);
});

test('[D24] [T19] a response to a support read is cut within a second of the end of its grant', async () => {
  const body = {
    reportId,
    reason: 'The owner asked why findings are missing.',
    expiresAt: new Date(clock.now() + 3_600_000).toISOString(),
    password: administrator.password,
  };
  const path = `/admin/reports/${reportId}`;
  const { grant } = bodyOf(await administrator.api.createSupportGrant({ body }));
  const cut = await whenEnded({ path, cookie: administrator.cookie }, async () =>
    bodyOf(await administrator.api.revokeSupportGrant({ params: { id: grant.grantId } })),
  );
  expect(cut).toEqual(cutInTime);
});

test('[D24] [T19] a response that is still being rendered when its share is revoked is never sent', async () => {
  const { shareId, slug } = await shareOf(owner, reportId, {
    defaultPolicy: { ...wholePolicy, fields: { ...wholePolicy.fields, reproduction: false } },
  });
  const reached = new Promise<void>((resolve) => {
    whileReading = () =>
      new Promise((goOn) => {
        readOn = goOn;
        resolve();
      });
  });
  const answering = server.anonymous.fetch(`/api/v1${sharedPath(slug)}`, {
    headers: { 'accept-encoding': 'identity' },
  });
  await reached;
  bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
  whileReading = async () => undefined;
  readOn();
  expect((await answering).status).toBe(404);
});

test('[D24] [T19] responses of a report that is deleted or expires are cut within a second', async () => {
  const other = await largeReport();
  const { slug } = await shareOf(owner, other);
  const cutsBefore = cutsLogged();
  const readings = [
    await beginReading({ path: ownPath(other), cookie: owner.cookie }),
    await beginReading({ path: sharedPath(slug) }),
  ];
  bodyOf(await owner.api.deleteReport({ params: { id: other } }));
  const areCut = () => cutsLogged() === cutsBefore + readings.length;
  expect(await answersUntil(server, areCut)).toBeLessThan(ANSWERS_IN_A_SECOND);
  for (const reading of readings) expect((await reading.rest()).isComplete).toBe(false);
  const cut = await whenEnded({ path: ownPath(), cookie: owner.cookie }, () =>
    passTime(limits.sessionLifetimeMs - 1),
  );
  expect(cut).toEqual(cutInTime);
});
