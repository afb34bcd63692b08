/** A permission that ends on one replica has ended on all of them, for every read that begins after the response. */
import { get, type IncomingMessage } from 'node:http';
import {
  ANSWERS_IN_A_SECOND,
  answersUntil,
  bindProject,
  bodyOf,
  createTeam,
  joinTeam,
  shareOf,
  syncReport,
  watchEvents,
  wholePolicy,
  type Actor,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import {
  startReplicas,
  startSharedStores,
  storesMissing,
  type Replicas,
  type SharedStores,
} from '@svc/testkit/replicas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readsAround, type Read } from './reads-around.ts';

const READERS_EACH = 4;
/** More than the system's send buffers hold. */
const LARGE_BYTES = 11.5 * 1024 * 1024;
const PASSWORD_OF_SHARE = 'a password to change';
const NEW_PASSWORD = 'purple elephants dance at noon';

describe.skipIf(storesMissing())('three replicas (install Ceph and Redis)', () => {
  let stores: SharedStores;
  let replicas: Replicas;
  let device: DeviceActor;
  let owner: SessionActor;
  let project: BoundProject;
  let reportId: string;

  beforeAll(async () => {
    stores = await startSharedStores();
    replicas = await startReplicas(stores, { environment: { LOG_LEVEL: 'info' } });
    owner = await signUp();
    device = await replicas.linkDevice(owner);
    const workspaceId = await createTeam(owner);
    project = await bindProject(owner, workspaceId);
    ({ reportId } = await syncReport(device, { project }));
  });
  afterAll(async () => {
    await replicas?.close();
    await stores?.remove();
  });

  /** A person who acts through the first replica, on which permissions end. Reads go to the other replicas. */
  const signUp = () => replicas.at(0).signUp();

  async function newMember(): Promise<SessionActor> {
    const member = await signUp();
    await joinTeam(owner, project.workspaceId, member);
    return member;
  }

  interface Reader {
    readonly path: string;
    readonly cookie?: string;
    readonly deviceToken?: string;
    readonly password?: string;
    /** What a successful response shows, from its text. */
    readonly shows?: (text: string) => string;
  }

  function headersOf({ cookie, deviceToken, password }: Reader): Record<string, string> {
    return {
      ...(cookie === undefined ? {} : { cookie }),
      ...(deviceToken === undefined ? {} : { authorization: `Bearer ${deviceToken}` }),
      ...(password === undefined ? {} : { 'x-svc-share-password': password }),
    };
  }

  /** Reads from the replicas on which nothing is ended. */
  function readersOf(reader: Reader): Read[] {
    const read = (actor: Actor) => async () => {
      const answer = await actor.fetch(`/api/v1${reader.path}`, { headers: headersOf(reader) });
      const text = await answer.text();
      if (answer.ok) return reader.shows?.(text) ?? 'shown';
      return (JSON.parse(text) as { error: { code: string } }).error.code;
    };
    return [1, 2].flatMap((index) =>
      Array.from({ length: READERS_EACH }, () => read(replicas.at(index).anonymous)),
    );
  }

  const sharePath = (slug: string) => `/shares/slug/${slug}/report`;
  const reportPath = (id: string) => `/reports/${id}`;

  type ShareChange = Partial<Omit<Parameters<SessionActor['api']['changeShare']>[0]['body'], 'reportId'>>;
  const withoutCode = { ...wholePolicy, fields: { ...wholePolicy.fields, code: false } };
  const codeShown = (text: string) => (text.includes('orders.get(id)') ? 'shown with code' : 'shown without');

  test.each<[string, ShareChange, string[], ((text: string) => string)?]>([
    ['is made private', { mode: 'private' }, ['UNAUTHENTICATED']],
    ['is closed to people without an account', { anonymousAllowed: false }, ['UNAUTHENTICATED']],
    ['gets another password', { password: 'another password' }, ['RATE_LIMITED', 'SHARE_PASSWORD_REQUIRED']],
    ['shows less', { defaultPolicy: withoutCode }, ['shown without'], codeShown],
  ])('[T19] no replica serves the previous state of a share that %s', async (_, change, denials, shows) => {
    const { shareId, slug } = await shareOf(owner, reportId, { password: PASSWORD_OF_SHARE });
    const reader = { path: sharePath(slug), password: PASSWORD_OF_SHARE, ...(shows ? { shows } : {}) };
    const { before, after } = await readsAround(readersOf(reader), async () =>
      bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, ...change } })),
    );
    expect(before).toEqual([shows ? 'shown with code' : 'shown']);
    expect(denials).toEqual(expect.arrayContaining([...after]));
  });

  test('[T19] no replica serves a share without its first password', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    const around = await readsAround(readersOf({ path: sharePath(slug) }), async () =>
      bodyOf(
        await owner.api.changeShare({ params: { shareId }, body: { reportId, password: PASSWORD_OF_SHARE } }),
      ),
    );
    expect(around).toEqual({ before: ['shown'], after: ['SHARE_PASSWORD_REQUIRED'] });
  });

  test('[T19] no replica serves a share that is revoked', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    const around = await readsAround(readersOf({ path: sharePath(slug) }), async () =>
      bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } })),
    );
    expect(around).toEqual({ before: ['shown'], after: ['SHARE_NOT_AVAILABLE'] });
  });

  test('[T19] no replica serves a share that has expired', async () => {
    const { shareId, slug } = await shareOf(owner, reportId);
    const around = await readsAround(readersOf({ path: sharePath(slug) }), async () => {
      const at = Date.now() + 1500;
      const body = { reportId, expiresAt: new Date(at).toISOString() };
      bodyOf(await owner.api.changeShare({ params: { shareId }, body }));
      while (Date.now() < at) await new Promise((resolve) => setTimeout(resolve, 1));
    });
    expect(around).toEqual({ before: ['shown'], after: ['SHARE_NOT_AVAILABLE'] });
  });

  test('[T19] no replica serves a share to an account that it no longer names', async () => {
    const viewer = await signUp();
    const { shareId, slug } = await shareOf(owner, reportId, {
      mode: 'private',
      anonymousAllowed: false,
      principals: [{ principalValue: viewer.user.userId, policy: wholePolicy }],
    });
    const reader = { path: sharePath(slug), cookie: viewer.cookie };
    const around = await readsAround(readersOf(reader), async () =>
      bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, principals: [] } })),
    );
    expect(around).toEqual({ before: ['shown'], after: ['SHARE_NOT_AVAILABLE'] });
  });

  test('[T19] no replica serves a share to a viewer who has logged out', async () => {
    const viewer = await signUp();
    const { slug } = await shareOf(owner, reportId, { mode: 'anyone_with_link', anonymousAllowed: false });
    const reader = { path: sharePath(slug), cookie: viewer.cookie };
    const around = await readsAround(readersOf(reader), async () => bodyOf(await viewer.api.logOut()));
    expect(around).toEqual({ before: ['shown'], after: ['UNAUTHENTICATED'] });
  });

  test('[T19] no replica serves a report that is deleted, or its share', async () => {
    const report = await syncReport(device, { project });
    const { slug } = await shareOf(owner, report.reportId);
    const readers = [
      ...readersOf({ path: sharePath(slug) }),
      ...readersOf({ path: reportPath(report.reportId), cookie: owner.cookie }),
    ];
    const around = await readsAround(readers, async () =>
      bodyOf(await owner.api.deleteReport({ params: { id: report.reportId } })),
    );
    expect(around).toEqual({ before: ['shown'], after: ['REPORT_EXPIRED'] });
  });

  test('[T19] no replica serves the reports of a project that is deleted', async () => {
    const other = await bindProject(owner, project.workspaceId);
    const report = await syncReport(device, { project: other });
    const { slug } = await shareOf(owner, report.reportId);
    const readers = [
      ...readersOf({ path: sharePath(slug) }),
      ...readersOf({ path: reportPath(report.reportId), cookie: owner.cookie }),
    ];
    const around = await readsAround(readers, async () =>
      bodyOf(await owner.api.deleteProject({ params: { id: other.projectId } })),
    );
    expect(around).toEqual({ before: ['shown'], after: ['REPORT_EXPIRED'] });
  });

  test.each<[string, (member: SessionActor) => Promise<unknown>, string]>([
    ['logs out', async (member) => bodyOf(await member.api.logOut()), 'UNAUTHENTICATED'],
    [
      'ends the session from another one',
      async (member) => {
        const elsewhere = replicas.at(0).withCookie(await replicas.at(0).logIn(member));
        const { sessions } = bodyOf(await elsewhere.api.listSessions());
        for (const { sessionId, current } of sessions)
          if (!current) bodyOf(await elsewhere.api.revokeSession({ params: { id: sessionId } }));
      },
      'UNAUTHENTICATED',
    ],
    [
      'changes the password in another session',
      async (member) => {
        const elsewhere = replicas.at(0).withCookie(await replicas.at(0).logIn(member));
        const body = { password: member.password, newPassword: NEW_PASSWORD };
        bodyOf(await elsewhere.api.changePassword({ body }));
      },
      'UNAUTHENTICATED',
    ],
    [
      'recovers the account',
      async ({ email, recoveryCode }) => {
        const body = { email, recoveryCode, newPassword: NEW_PASSWORD };
        bodyOf(await replicas.at(0).anonymous.api.recover({ body }));
      },
      'UNAUTHENTICATED',
    ],
    [
      'is removed from the workspace',
      async ({ user: { userId } }) =>
        bodyOf(await owner.api.removeMember({ params: { id: project.workspaceId, userId } })),
      'NOT_FOUND',
    ],
    [
      'deletes the account',
      async (member) => bodyOf(await member.api.deleteAccount({ body: { password: member.password } })),
      'UNAUTHENTICATED',
    ],
  ])('[T19] no replica serves a report of a workspace to a member who %s', async (_, end, denial) => {
    const member = await newMember();
    const reader = { path: reportPath(reportId), cookie: member.cookie };
    const around = await readsAround(readersOf(reader), () => end(member));
    expect(around).toEqual({ before: ['shown'], after: [denial] });
  });

  test('[T19] no replica accepts a device that is revoked', async () => {
    const { deviceId, deviceToken } = await replicas.linkDevice(owner);
    const around = await readsAround(readersOf({ path: '/devices/current', deviceToken }), async () =>
      bodyOf(await owner.api.revokeDevice({ params: { id: deviceId } })),
    );
    expect(around).toEqual({ before: ['shown'], after: ['DEVICE_REVOKED'] });
  });

  test('[T19] a response that is being sent is cut within a second of a revocation on another replica', async () => {
    const large = await syncReport(device, { project, sizeBytes: LARGE_BYTES });
    const { shareId, slug } = await shareOf(owner, large.reportId);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const address = `${replicas.at(1).url}/api/v1/shares/slug/${slug}/export/json`;
      get(address, { agent: false }, resolve).on('error', reject);
    });
    expect(response.statusCode).toBe(200);
    // The log also has the readers that disconnected in earlier tests.
    const cuts = () => replicas.at(1).output().split('"ABORTED"').length;
    const before = cuts();
    const wasCut = () => cuts() > before;
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId: large.reportId } }));
    expect(await answersUntil(replicas.at(1), wasCut)).toBeLessThan(ANSWERS_IN_A_SECOND);
    response.on('error', () => undefined).resume();
    await new Promise((resolve) => response.once('close', resolve));
    expect(response.complete).toBe(false);
  });

  test('[T19] a live stream ends within a second of a logout on another replica', async () => {
    const member = await newMember();
    const watch = await watchEvents(replicas.at(2).url, reportId, { cookie: member.cookie });
    await watch.until(() => watch.events.length > 0);
    bodyOf(await member.api.logOut());
    const hasEnded = () => watch.ending() !== null;
    expect(await answersUntil(replicas.at(2), hasEnded)).toBeLessThan(ANSWERS_IN_A_SECOND);
    expect(watch.ending()).toBe('ended');
  });
});
