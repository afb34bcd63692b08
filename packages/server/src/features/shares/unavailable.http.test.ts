/**
 * Links to a report that is final, which are remembered while they open: once they do not, whether by the clock, by hand or
 * for this viewer, nobody can tell them from one that was never made.
 */
import {
  wholeAnswer,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  interleavedTimes,
  shareOf,
  startServer,
  syncReport,
  welch,
  wholePolicy,
  type Actor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { isThorough } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const SAMPLES = 250;
const WARM_UP = 20;
const T_MAX = 4.5;
const PASSWORD = 'a word for guests';
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let stranger: SessionActor;
let slugs: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true, costlyHashing: isThorough });
  owner = await server.signUp();
  stranger = await server.signUp();
  slugs = await makeLinks();
});
afterAll(() => server.close());

const at = (ms: number) => new Date(clock.now() + ms).toISOString();

/** Makes time pass for every link but the last ones, and signs its people in anew. */
async function makeLinks(): Promise<Record<string, string>> {
  const device = await server.linkDevice(owner);
  const forgotten = await createShell(device);
  const tombstone = await shareOf(owner, forgotten.reportId);
  bodyOf(await owner.api.deleteReport({ params: { id: forgotten.reportId } }));
  clock.advance(90 * DAY_MS);
  [owner, stranger] = [await again(owner), await again(stranger)];

  const { reportId } = await syncReport(await server.linkDevice(owner));
  const revoked = await shareOf(owner, reportId);
  bodyOf(await owner.api.revokeShare({ params: { shareId: revoked.shareId }, query: { reportId } }));
  const expired = await shareOf(owner, reportId, { expiresAt: at(1000), password: PASSWORD });
  const read = await shareOf(owner, reportId, { expiresAt: at(1000) });
  bodyOf(await stranger.api.readShare({ params: { slug: read.slug } }));
  clock.advance(1000);
  const principals = Array.from({ length: 20 }, (_, number) => ({
    principalValue: `guest-${number}@example.test`,
    label: 'A guest',
    policy: wholePolicy,
  }));
  const closed = await shareOf(owner, reportId, { mode: 'private', principals });
  const locked = await shareOf(owner, reportId, { mode: 'workspace', password: PASSWORD });
  return {
    'never made': 'x'.repeat(27),
    revoked: revoked.slug,
    expired: expired.slug,
    'expired after it was read': read.slug,
    'of a report that ended 90 days ago': tombstone.slug,
    'not for this viewer': closed.slug,
    'not for this viewer, and with a password': locked.slug,
  };
}

async function again(person: SessionActor): Promise<SessionActor> {
  const cookie = await server.logIn(person);
  return { ...person, cookie, ...server.withCookie(cookie) };
}

const routes = ['report', 'export/json', 'export/sarif?profile=github', 'page'] as const;
const ways: Readonly<Record<string, RequestInit>> = {
  GET: {},
  HEAD: { method: 'HEAD' },
  'a wrong password': { headers: { 'x-svc-share-password': 'wrong' } },
  'the right password': { headers: { 'x-svc-share-password': PASSWORD } },
  'a coding': { headers: { 'accept-encoding': 'br' } },
};

const visit = (by: Actor, slug: string, route: string, init: RequestInit = {}) =>
  by.fetch(route === 'page' ? `/s/${slug}` : `/api/v1/shares/slug/${slug}/${route}`, init);

describe.each(routes)('a link that is not available, asked for its %s', (route) => {
  test('[T16] is the same bytes as every other, however it is asked', async () => {
    for (const [way, init] of Object.entries(ways)) {
      const told = new Map<string, string>();
      for (const [why, slug] of Object.entries(slugs))
        told.set(why, await wholeAnswer(await visit(stranger, slug, route, init)));
      expect([way, new Set(told.values()).size]).toEqual([way, 1]);
      expect([...told.values()][0]).toContain('404');
    }
  });

  test('[T16] whoever is not signed in gets those bytes too, of all that are not there for anybody', async () => {
    const wanted = await wholeAnswer(await visit(stranger, slugs['never made']!, route));
    for (const [why, slug] of Object.entries(slugs)) {
      if (why.startsWith('not for this viewer')) continue;
      expect([why, await wholeAnswer(await visit(server.anonymous, slug, route))]).toEqual([why, wanted]);
    }
  });

  test('[T16] a name of any form gets those bytes too', async () => {
    const wanted = await wholeAnswer(await visit(stranger, slugs['never made']!, route));
    for (const name of ['x', '%00', '%F0%9F%98%80', 'a'.repeat(3000), `${slugs['revoked']}%20`, '__proto__'])
      expect(await wholeAnswer(await visit(stranger, name, route))).toBe(wanted);
  });
});

test.each(['report', 'page'])(
  '[T16] all of them take the same time: %s',
  { tags: 'thorough' },
  async (route) => {
    const calls = Object.fromEntries(
      Object.entries(slugs).map(([why, slug]) => [why, () => visit(stranger, slug, route)]),
    );
    const times = Object.entries(await interleavedTimes(calls, SAMPLES, WARM_UP));
    const apart = times.flatMap(([one, ones]) =>
      times
        .map(([other, others]) => [one, other, Math.abs(welch(ones, others))] as const)
        .filter(([, other, t]) => other > one && !(t < T_MAX)),
    );
    expect(apart).toEqual([]);
  },
);

test('[D6] a link to a report that has ended says so for 90 days, and then that there is none', async () => {
  const { reportId } = await createShell(await server.linkDevice(owner));
  const { slug } = await shareOf(owner, reportId);
  const code = async () => codeOf(await server.anonymous.api.readShare({ params: { slug } }));
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  clock.advance(90 * DAY_MS - 1);
  expect(await code()).toBe('REPORT_EXPIRED');
  clock.advance(1);
  expect(await code()).toBe('SHARE_NOT_AVAILABLE');
});
