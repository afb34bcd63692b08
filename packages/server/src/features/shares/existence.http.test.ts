/**
 * Whether there is a link can't be told by somebody for whom it does not open: one that never was, one that was revoked, one
 * whose time is over, one whose report is gone and one for others answer the same bytes in the same time.
 */
import {
  wholeAnswer,
  bodyOf,
  createFakeClock,
  createShell,
  interleavedTimes,
  shareOf,
  startServer,
  welch,
  type Actor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { isThorough } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SAMPLES = 250;
const WARM_UP = 20;
const T_MAX = 4.5;
const PASSWORD = 'a password of the link';
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let viewers: { stranger: SessionActor; nobody: Actor };
let slugs: Record<keyof typeof made, string>;

/** Each with a password or none: it makes no difference where the link does not open. */
const made = {
  unknown: async () => 'x'.repeat(27),
  revoked: async (reportId: string, password?: string) => {
    const { slug, shareId } = await shareOf(owner, reportId, password ? { password } : {});
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    return slug;
  },
  expired: async (reportId: string, password?: string) => {
    const expiresAt = new Date(clock.now() + 1000).toISOString();
    const given = { expiresAt, ...(password ? { password } : {}) };
    const { slug } = await shareOf(owner, reportId, given);
    clock.advance(1000);
    return slug;
  },
  'for others': async (reportId: string, password?: string) => {
    const given = { mode: 'private' as const, anonymousAllowed: false, ...(password ? { password } : {}) };
    return (await shareOf(owner, reportId, given)).slug;
  },
};

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true, costlyHashing: isThorough });
  owner = await server.signUp();
  viewers = { stranger: await server.signUp(), nobody: server.anonymous };
  const { reportId } = await createShell(await server.linkDevice(owner));
  const entries = [];
  for (const [name, make] of Object.entries(made))
    entries.push([name, await make(reportId, PASSWORD)] as const);
  slugs = Object.fromEntries(entries) as typeof slugs;
});
afterAll(() => server.close());

const routes = ['report', 'export/json', 'export/html?password=x'] as const;

function ask(viewer: Actor, slug: string, route: (typeof routes)[number], method = 'GET'): Promise<Response> {
  return viewer.fetch(`/api/v1/shares/slug/${slug}/${route}`, {
    method,
    headers: { 'x-svc-share-password': PASSWORD },
  });
}

describe.each(routes)('%s', (route) => {
  test.each(['GET', 'HEAD'])(
    `[T16] ${route}: all are the same to one who is signed in: %s`,
    async (method) => {
      const answers = [];
      for (const slug of Object.values(slugs))
        answers.push(await wholeAnswer(await ask(viewers.stranger, slug, route, method)));
      expect(new Set(answers).size).toBe(1);
      expect(answers[0]).toContain('404');
    },
  );

  test(`[T16] ${route}: and to one who is not, but for those that open to others`, async () => {
    const answers = [];
    for (const slug of [slugs.unknown, slugs.revoked, slugs.expired])
      answers.push(await wholeAnswer(await ask(viewers.nobody, slug, route)));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('SHARE_NOT_AVAILABLE');
  });
});

test('[T16] a report that was deleted leaves no trace of its links', async () => {
  const { reportId } = await createShell(await server.linkDevice(owner));
  const slug = await made['for others'](reportId);
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  const [one, other] = [
    await wholeAnswer(await ask(viewers.stranger, slug, 'report')),
    await wholeAnswer(await ask(viewers.stranger, slugs.unknown, 'report')),
  ];
  expect(one).toBe(other);
});

test('[T16] a slug of any form is one that never was', async () => {
  const unknown = await wholeAnswer(await ask(viewers.nobody, slugs.unknown, 'report'));
  for (const slug of ['x', '-', '%00', '%F0%9F%A6%89', 'y'.repeat(2000), `${slugs['for others']}x`])
    expect(await wholeAnswer(await ask(viewers.nobody, slug, 'report'))).toBe(unknown);
});

describe('time', { tags: 'thorough' }, () => {
  const pairsOf = <Item>(items: readonly Item[]) =>
    items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const));

  test('[T16] all take the same to one who is signed in', async () => {
    const calls = Object.fromEntries(
      Object.entries(slugs).map(([name, slug]) => [name, () => ask(viewers.stranger, slug, 'report')]),
    );
    const times = await interleavedTimes(calls, SAMPLES, WARM_UP);
    const worst = pairsOf(Object.keys(times)).map(
      ([one, other]) => [one, other, Math.abs(welch(times[one] ?? [], times[other] ?? []))] as const,
    );
    expect(worst.filter(([, , t]) => !(t < T_MAX))).toEqual([]);
  });

  test('[T16] a password is not looked at before', async () => {
    const calls = {
      unknown: () => ask(viewers.nobody, slugs.unknown, 'export/json'),
      revoked: () => ask(viewers.nobody, slugs.revoked, 'export/json'),
      expired: () => ask(viewers.nobody, slugs.expired, 'export/json'),
    };
    const times = await interleavedTimes(calls, SAMPLES, WARM_UP);
    for (const [one, other] of pairsOf(Object.values(times)))
      expect(Math.abs(welch(one, other))).toBeLessThan(T_MAX);
  });
});
