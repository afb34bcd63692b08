/**
 * Shares that do not open, because they have expired, were revoked or are for other viewers. Neither the bytes nor the
 * time of a response distinguish them from shares that never existed. Shares of a final report are cached while they
 * are open.
 */
import {
  wholeAnswer,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  interleavedTimes,
  shareOf,
  syncReport,
  welch,
  wholePolicy,
  type Actor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { isThorough } from '@svc/testkit/lane';
import { beforeAll, describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;
const SAMPLES = 250;
const WARM_UP = 20;
const T_MAX = 4.5;
const PASSWORD = 'a word for guests';
const clock = createFakeClock();
let owner: SessionActor;
let stranger: SessionActor;
let slugs: Readonly<Record<string, string>>;

const server = sharedServer({ clock, generousPlans: true, costlyHashing: isThorough });

beforeAll(async () => {
  owner = await server.signUp();
  stranger = await server.signUp();
  slugs = await makeLinks();
});

const at = (ms: number) => new Date(clock.now() + ms).toISOString();

/**
 * Creates a share for each reason not to be available, and returns the slugs by reason. Months pass meanwhile, so the
 * people sign in again.
 */
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
  const newDevice = await server.linkDevice(owner);
  const live = await createShell(newDevice);
  const ofLive = await shareOf(owner, live.reportId, { mode: 'private', password: PASSWORD });
  const revokedOfLive = await shareOf(owner, live.reportId, { password: PASSWORD });
  const params = { shareId: revokedOfLive.shareId };
  bodyOf(await owner.api.revokeShare({ params, query: { reportId: live.reportId } }));
  const deleted = await createShell(newDevice);
  const ofDeleted = await shareOf(owner, deleted.reportId, { mode: 'private' });
  bodyOf(await owner.api.deleteReport({ params: { id: deleted.reportId } }));
  return {
    'never made': 'x'.repeat(27),
    revoked: revoked.slug,
    expired: expired.slug,
    'expired after it was read': read.slug,
    'of a report that ended 90 days ago': tombstone.slug,
    'not for this viewer': closed.slug,
    'not for this viewer, and with a password': locked.slug,
    'not for this viewer, while the scan is under way': ofLive.slug,
    'revoked while the scan is under way': revokedOfLive.slug,
    'not for this viewer, of a report that was deleted': ofDeleted.slug,
  };
}

async function again(person: SessionActor): Promise<SessionActor> {
  const cookie = await server.logIn(person);
  return { ...person, cookie, ...server.withCookie(cookie) };
}

const routes = ['report', 'report?cover=1', 'export/json', 'export/sarif?profile=github', 'page'] as const;
const ways: Readonly<Record<string, RequestInit>> = {
  GET: {},
  HEAD: { method: 'HEAD' },
  'a wrong password': { headers: { 'x-svc-share-password': 'wrong' } },
  'the right password': { headers: { 'x-svc-share-password': PASSWORD } },
  'an unlock token': { headers: { 'x-svc-share-unlock': `zzzzzzzz.${'A'.repeat(43)}` } },
  'a coding': { headers: { 'accept-encoding': 'br' } },
};

/** The slugs that no viewer can open. */
const thereForNobody = () => Object.entries(slugs).filter(([why]) => !why.startsWith('not for this viewer'));

const visit = (by: Actor, slug: string, route: string, init: RequestInit = {}) =>
  route === 'page'
    ? by.fetch(`/s/${slug}`, {
        ...init,
        headers: { 'sec-fetch-dest': 'document', ...(init.headers as Record<string, string>) },
      })
    : by.fetch(`/api/v1/shares/slug/${slug}/${route}`, init);

describe.each(routes)('a share that is not available, requested for its %s', (route) => {
  test('[T16] returns the same bytes as every other such share, however it is requested', async () => {
    for (const [way, init] of Object.entries(ways)) {
      const answers = new Map<string, string>();
      for (const [why, slug] of Object.entries(slugs))
        answers.set(why, await wholeAnswer(await visit(stranger, slug, route, init)));
      expect([way, new Set(answers.values()).size]).toEqual([way, 1]);
      expect([...answers.values()][0]).toContain('404');
    }
  });

  test('[T16] also returns the same bytes without a session, if it is available to nobody', async () => {
    const wanted = await wholeAnswer(await visit(stranger, slugs['never made']!, route));
    for (const [why, slug] of thereForNobody()) {
      expect([why, await wholeAnswer(await visit(server.anonymous, slug, route))]).toEqual([why, wanted]);
    }
  });

  test('[T16] returns the same bytes for a slug in any format', async () => {
    const wanted = await wholeAnswer(await visit(stranger, slugs['never made']!, route));
    for (const name of ['x', '%00', '%F0%9F%98%80', 'a'.repeat(3000), `${slugs['revoked']}%20`, '__proto__'])
      expect(await wholeAnswer(await visit(stranger, name, route))).toBe(wanted);
  });
});

test('[T16] no password unlocks a share that is not available, and the response has the same bytes for all', async () => {
  const unlock = (by: Actor, slug: string) =>
    by.fetch(`/api/v1/shares/slug/${slug}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: PASSWORD }),
    });
  const answers = new Set<string>();
  for (const slug of Object.values(slugs)) answers.add(await wholeAnswer(await unlock(stranger, slug)));
  for (const [, slug] of thereForNobody())
    answers.add(await wholeAnswer(await unlock(server.anonymous, slug)));
  expect(answers.size).toBe(1);
  expect([...answers][0]).toContain('SHARE_NOT_AVAILABLE');
});

test.each([
  ['report', 'who is signed in'],
  ['page', 'who is signed in'],
  ['export/json', 'who is not'],
])(
  '[T16] shares that are not available take the same time, with the right password: %s, for a viewer %s',
  { tags: 'thorough' },
  async (route, who) => {
    const [by, asked] =
      who === 'who is not' ? [server.anonymous, thereForNobody()] : [stranger, Object.entries(slugs)];
    const visits = asked.map(
      ([why, slug]) => [why, () => visit(by, slug, route, ways['the right password'])] as const,
    );
    const times = Object.entries(await interleavedTimes(Object.fromEntries(visits), SAMPLES, WARM_UP));
    const apart = times.flatMap(([one, ones]) =>
      times
        .map(([other, others]) => [one, other, Math.abs(welch(ones, others))] as const)
        .filter(([, other, t]) => other > one && !(t < T_MAX)),
    );
    expect(apart).toEqual([]);
  },
);

test('[D6] a share of an ended report returns REPORT_EXPIRED for 90 days, and then does not exist', async () => {
  const { reportId } = await createShell(await server.linkDevice(owner));
  const { slug } = await shareOf(owner, reportId);
  const code = async () => codeOf(await server.anonymous.api.readShare({ params: { slug } }));
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  clock.advance(90 * DAY_MS - 1);
  expect(await code()).toBe('REPORT_EXPIRED');
  clock.advance(1);
  expect(await code()).toBe('SHARE_NOT_AVAILABLE');
});
