/**
 * Revoked access is gone for every read that begins after the response to the revocation. Readers read without a pause
 * while access is revoked in every possible way, and each read that begins later must be denied or show less. On
 * PostgreSQL half of the readers use a second process.
 */
import { randomBytes } from 'node:crypto';
import type { SharePolicy } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createTeam,
  createTestDatabase,
  joinTeam,
  makeOwner,
  postgresUrl,
  shareOf,
  startServer,
  syncReport,
  wholePolicy,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Blobs } from '#platform/blobs/blobs';

const READERS = 6;
const READS_BEFORE = 40;
const READS_AFTER = 60;
const PASSWORD = 'a word for guests';
/** A text in every report of this file. */
const TITLE = 'Order lookup trusts the id it is given';
const narrow: SharePolicy = { version: 1, sections: { ids: ['summary'] } };

let server: TestServer;
let other: TestServer;
let dropDatabase: (() => Promise<void>) | null = null;

beforeAll(async () => {
  if (postgresUrl === undefined) {
    server = await startServer({ generousPlans: true });
    other = server;
    return;
  }
  const { config: database, drop } = await createTestDatabase();
  dropDatabase = drop;
  const config = { database, masterKeys: [randomBytes(32)] };
  let shared: Blobs | undefined;
  const wrapBlobs = (blobs: Blobs) => (shared ??= blobs);
  server = await startServer({ generousPlans: true, config, wrapBlobs });
  other = await startServer({ generousPlans: true, config, wrapBlobs });
});
afterAll(async () => {
  await server.close();
  if (other !== server) await other.close();
  await dropDatabase?.();
});

/** A report in a team of which a guest is a member. */
interface Scene {
  readonly owner: SessionActor;
  readonly guest: SessionActor;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly share: (given?: Parameters<typeof shareOf>[2]) => Promise<Link>;
}
interface Link {
  readonly shareId: string;
  readonly slug: string;
}

async function setUp(): Promise<Scene> {
  const [owner, guest] = [await server.signUp(), await server.signUp()];
  const workspaceId = await createTeam(owner, [guest]);
  const project = await bindProject(owner, workspaceId);
  const { reportId } = await syncReport(await server.linkDevice(owner), { project });
  const { projectId } = project;
  return {
    owner,
    guest,
    workspaceId,
    projectId,
    reportId,
    share: (given) => shareOf(owner, reportId, given),
  };
}

const ways: readonly (readonly [path: string, coding: string])[] = [
  ['report', 'identity'],
  ['report', 'br'],
  ['report', 'gzip'],
  ['export/json', 'identity'],
  ['export/json', 'br'],
  ['export/markdown', 'gzip'],
];

interface Read {
  readonly beganAfter: boolean;
  /** `whole` for a response with the revoked content, otherwise the error code, or `less` if there is none. */
  readonly outcome: string;
}

/** Reads until enough reads have begun after `takeAway` was answered. */
async function readWhile(
  slug: string,
  cookie: string | null,
  takeAway: () => Promise<unknown>,
): Promise<readonly Read[]> {
  const reads: Read[] = [];
  let answered = false;
  let after = 0;
  const enoughBefore = Promise.withResolvers<void>();

  async function readOn(reader: number): Promise<void> {
    for (let round = reader; after < READS_AFTER; round += 1) {
      const [path, coding] = ways[round % ways.length]!;
      const beganAfter = answered;
      if (beganAfter) after += 1;
      const { url } = reader % 2 === 0 ? server : other;
      const headers = { 'accept-encoding': coding, ...(cookie === null ? {} : { cookie }) };
      const answer = await fetch(`${url}/api/v1/shares/slug/${slug}/${path}`, { headers });
      reads.push({ beganAfter, outcome: outcomeOf(await answer.text()) });
      if (reads.length >= READS_BEFORE) enoughBefore.resolve();
    }
  }
  const reading = Array.from({ length: READERS }, (_, reader) => readOn(reader));
  await enoughBefore.promise;
  await takeAway();
  answered = true;
  await Promise.all(reading);
  return reads;
}

function outcomeOf(text: string): string {
  if (text.includes(TITLE)) return 'whole';
  return /^\{"error":\{"code":"(\w+)"/.exec(text)?.[1] ?? 'less';
}

const outcomesOf = (reads: readonly Read[], after: boolean) => [
  ...new Set(reads.filter(({ beganAfter }) => beganAfter === after).map(({ outcome }) => outcome)),
];

type TakeAway = (scene: Scene, link: Link) => Promise<{ ok: boolean }>;

const change =
  (body: object): TakeAway =>
  ({ owner, reportId }, { shareId }) =>
    owner.api.changeShare({ params: { shareId }, body: { reportId, ...body } });

const revoke: TakeAway = ({ owner, reportId }, { shareId }) =>
  owner.api.revokeShare({ params: { shareId }, query: { reportId } });

interface Case {
  readonly title: string;
  readonly given?: (scene: Scene) => Parameters<typeof shareOf>[2];
  /** Who reads; without a session when absent. */
  readonly reader?: 'guest' | 'owner';
  readonly takeAway: TakeAway;
  readonly afterwards: string;
}

const principalsOf = (value: (scene: Scene) => string) => (scene: Scene) => ({
  mode: 'private' as const,
  anonymousAllowed: false,
  principals: [{ principalValue: value(scene), policy: wholePolicy }],
});

const cases: readonly Case[] = [
  { title: 'a link that is revoked', takeAway: revoke, afterwards: 'SHARE_NOT_AVAILABLE' },
  {
    title: 'a link that is revoked, for a signed-in reader',
    reader: 'guest',
    takeAway: revoke,
    afterwards: 'SHARE_NOT_AVAILABLE',
  },
  { title: 'a policy that is narrowed', takeAway: change({ defaultPolicy: narrow }), afterwards: 'less' },
  {
    title: 'a policy of one principal that is narrowed',
    reader: 'guest',
    given: principalsOf(({ guest }) => guest.email),
    takeAway: (scene, link) =>
      change({ principals: [{ principalValue: scene.guest.email, policy: narrow }] })(scene, link),
    afterwards: 'less',
  },
  {
    title: 'a principal that is removed',
    reader: 'guest',
    given: principalsOf(({ guest }) => guest.user.userId),
    takeAway: change({ principals: [] }),
    afterwards: 'SHARE_NOT_AVAILABLE',
  },
  {
    title: 'a password that is set',
    takeAway: change({ password: PASSWORD }),
    afterwards: 'SHARE_PASSWORD_REQUIRED',
  },
  {
    title: 'a password that is set, which the owner needs too',
    reader: 'owner',
    takeAway: change({ password: PASSWORD }),
    afterwards: 'SHARE_PASSWORD_REQUIRED',
  },
  { title: 'a mode that is narrowed', takeAway: change({ mode: 'private' }), afterwards: 'UNAUTHENTICATED' },
  {
    title: 'a mode that is narrowed, for a signed-in reader',
    reader: 'guest',
    takeAway: change({ mode: 'private' }),
    afterwards: 'SHARE_NOT_AVAILABLE',
  },
  {
    title: 'anonymous viewers who are no longer allowed',
    takeAway: change({ anonymousAllowed: false }),
    afterwards: 'UNAUTHENTICATED',
  },
  {
    title: 'a report that is deleted',
    takeAway: ({ owner, reportId }) => owner.api.deleteReport({ params: { id: reportId } }),
    afterwards: 'REPORT_EXPIRED',
  },
  {
    title: 'a project that is deleted',
    takeAway: ({ owner, projectId }) => owner.api.deleteProject({ params: { id: projectId } }),
    afterwards: 'REPORT_EXPIRED',
  },
  {
    title: 'a workspace that is deleted',
    takeAway: ({ owner, workspaceId }) => owner.api.deleteWorkspace({ params: { id: workspaceId } }),
    afterwards: 'REPORT_EXPIRED',
  },
  {
    title: 'a membership that ends',
    reader: 'guest',
    given: () => ({ mode: 'workspace', anonymousAllowed: false }),
    takeAway: ({ owner, workspaceId, guest }) =>
      owner.api.removeMember({ params: { id: workspaceId, userId: guest.user.userId } }),
    afterwards: 'SHARE_NOT_AVAILABLE',
  },
  {
    title: 'a membership that ends in a workspace that the share names',
    reader: 'guest',
    given: principalsOf(({ workspaceId }) => workspaceId),
    takeAway: ({ guest, workspaceId }) =>
      guest.api.removeMember({ params: { id: workspaceId, userId: guest.user.userId } }),
    afterwards: 'SHARE_NOT_AVAILABLE',
  },
  {
    title: 'a session that ends',
    reader: 'guest',
    given: () => ({ mode: 'anyone_with_link', anonymousAllowed: false }),
    takeAway: ({ guest }) => guest.api.logOut(),
    afterwards: 'UNAUTHENTICATED',
  },
  {
    title: 'an account that is deleted',
    reader: 'guest',
    given: () => ({ mode: 'workspace', anonymousAllowed: false }),
    takeAway: ({ guest }) => guest.api.deleteAccount({ body: { password: guest.password } }),
    afterwards: 'UNAUTHENTICATED',
  },
  {
    title: 'the ownership of a report that is transferred',
    reader: 'owner',
    given: () => ({ mode: 'private', anonymousAllowed: false }),
    async takeAway({ owner, guest, workspaceId }) {
      await makeOwner(owner, workspaceId, guest);
      return owner.api.removeMember({ params: { id: workspaceId, userId: owner.user.userId } });
    },
    afterwards: 'SHARE_NOT_AVAILABLE',
  },
];

describe('[T19] every read that begins after the response reflects', () => {
  test.each(cases)('$title', async ({ given, reader, takeAway, afterwards }) => {
    const scene = await setUp();
    const link = await scene.share(given?.(scene));
    const cookie = reader === undefined ? null : scene[reader].cookie;
    const reads = await readWhile(link.slug, cookie, async () => {
      bodyOf((await takeAway(scene, link)) as { ok: true; body: unknown });
    });
    expect(outcomesOf(reads, true)).toEqual([afterwards]);
    expect(outcomesOf(reads, false)).toContain('whole');
    expect(reads.filter(({ beganAfter }) => beganAfter)).toHaveLength(READS_AFTER);
  });
});

describe('[T19] new access is effective with the next read', () => {
  const read = async (actor: SessionActor, slug: string): Promise<string> => {
    const answer = await fetch(`${other.url}/api/v1/shares/slug/${slug}/report`, {
      headers: { cookie: actor.cookie },
    });
    return outcomeOf(await answer.text());
  };

  test('a workspace that an account joins or creates gives access with its next request', async () => {
    const scene = await setUp();
    const { slug, shareId } = await scene.share({ mode: 'workspace', anonymousAllowed: false });
    const newcomer = await server.signUp();
    expect(await read(newcomer, slug)).toBe('SHARE_NOT_AVAILABLE');
    await joinTeam(scene.owner, scene.workspaceId, newcomer);
    expect(await read(newcomer, slug)).toBe('whole');
    const own = bodyOf(await newcomer.api.createWorkspace({ body: { name: 'Own' } })).workspaceId;
    const principals = [{ principalValue: own, policy: narrow }];
    const body = { reportId: scene.reportId, principals };
    bodyOf(await scene.owner.api.changeShare({ params: { shareId }, body }));
    expect(await read(newcomer, slug)).toBe('less');
    bodyOf(await newcomer.api.deleteWorkspace({ params: { id: own } }));
    expect(await read(newcomer, slug)).toBe('whole');
  });

  test('a report that gets a new owner is open to that owner', async () => {
    const scene = await setUp();
    const closed = await scene.share({ mode: 'private', anonymousAllowed: false });
    const principals = [{ principalValue: scene.guest.email, policy: narrow }];
    const open = await scene.share({ principals });
    const seen = async () => [await read(scene.guest, closed.slug), await read(scene.guest, open.slug)];
    expect([await seen(), await seen()]).toEqual([
      ['SHARE_NOT_AVAILABLE', 'less'],
      ['SHARE_NOT_AVAILABLE', 'less'],
    ]);
    await makeOwner(scene.owner, scene.workspaceId, scene.guest);
    const leaving = { id: scene.workspaceId, userId: scene.owner.user.userId };
    bodyOf(await scene.owner.api.removeMember({ params: leaving }));
    expect(await seen()).toEqual(['whole', 'whole']);
    expect(await read(scene.owner, closed.slug)).toBe('SHARE_NOT_AVAILABLE');
  });

  test('after a password is removed, and a mode and a policy are widened', async () => {
    const scene = await setUp();
    const stranger = await server.signUp();
    const link = await scene.share({ mode: 'private', password: PASSWORD, defaultPolicy: narrow });
    const seen: string[] = [];
    for (const body of [
      {},
      { mode: 'anyone_with_link' },
      { password: null },
      { defaultPolicy: wholePolicy },
    ]) {
      bodyOf((await change(body)(scene, link)) as { ok: true; body: unknown });
      seen.push(await read(stranger, link.slug));
    }
    expect(seen).toEqual(['SHARE_NOT_AVAILABLE', 'SHARE_PASSWORD_REQUIRED', 'less', 'whole']);
  });
});
