/**
 * The password of a share as clients send it: in a header or a query parameter, on both routes, under one rate limit.
 */
import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  connectRaw,
  createFakeClock,
  createShell,
  shareOf,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { inLane } from '@svc/testkit/lane';
import { beforeAll, describe, expect, test } from 'vitest';

const GUESSES = inLane(60, 500);
const MINUTE_MS = 60_000;
const RIGHT = 'Crème brûlée, 8 portions';
const clock = createFakeClock();
let owner: SessionActor;
let finalId: string;
let liveId: string;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  const device = await server.linkDevice(owner);
  finalId = (await syncReport(device)).reportId;
  liveId = (await createShell(device)).reportId;
});

const newLink = (reportId = liveId, password = RIGHT) => shareOf(owner, reportId, { password });

/** `fetch` sends each character of a header as one byte, so this is UTF-8. */
const headerOf = (password: string) => ({
  'x-svc-share-password': Buffer.from(password).toString('latin1'),
});

const inQuery = (password: string) => `?password=${encodeURIComponent(password)}`;
const fetchLink = (path: string, password?: string, method = 'GET') =>
  server.anonymous.fetch(`/api/v1/shares/slug/${path}`, {
    method,
    headers: password === undefined ? {} : headerOf(password),
  });

type Ask = (slug: string, password?: string) => Promise<Response>;

const asBy: Record<'read by header' | 'export by header' | 'export by query', Ask> = {
  'read by header': (slug, password) => fetchLink(`${slug}/report`, password),
  'export by header': (slug, password) => fetchLink(`${slug}/export/json`, password),
  'export by query': (slug, password) =>
    fetchLink(`${slug}/export/json${password === undefined ? '' : inQuery(password)}`),
};
const ways = Object.keys(asBy) as (keyof typeof asBy)[];

/** `ok`, or the code. CONFLICT counts as `ok`: a live report has no file, which is checked after the password. */
async function outcomeOf(asking: Promise<Response> | Response): Promise<string> {
  const answer = await asking;
  if (answer.ok) return 'ok';
  const { error } = (await answer.json()) as { error: { code: string } };
  return error.code === 'CONFLICT' ? 'ok' : error.code;
}

async function tally(asking: readonly Promise<Response>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(asking.map(outcomeOf)))
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

test.each(ways)(
  '[T17] %s: of many simultaneous wrong passwords, only ten are checked',
  { tags: 'repeated' },
  async (way) => {
    const { slug } = await newLink();
    const asking = Array.from({ length: GUESSES }, (_, index) => asBy[way](slug, `wrong one ${index}`));
    expect(await tally(asking)).toEqual({ SHARE_PASSWORD_REQUIRED: 10, RATE_LIMITED: GUESSES - 10 });
  },
);

describe('the rate limit', () => {
  test('[T17] is shared by both routes and all the ways to send a password', async () => {
    const { slug } = await newLink();
    for (let index = 0; index < 9; index += 1)
      expect(await outcomeOf(asBy[ways[index % 3] ?? 'read by header'](slug, `wrong ${index}`))).toBe(
        'SHARE_PASSWORD_REQUIRED',
      );
    for (const way of ways) expect(await outcomeOf(asBy[way](slug, RIGHT))).toBe('ok');
    expect(await outcomeOf(asBy['read by header'](slug, 'x'))).toBe('SHARE_PASSWORD_REQUIRED');
    for (const way of ways) {
      for (const password of ['wrong', RIGHT]) {
        const answer = await asBy[way](slug, password);
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '600']);
      }
    }
  });

  test('[D10] applies to everyone, signed in or not', async () => {
    const { slug } = await newLink();
    await tally(Array.from({ length: 20 }, (_, index) => asBy['read by header'](slug, `wrong ${index}`)));
    const asOwner = owner.fetch(`/api/v1/shares/slug/${slug}/report`, { headers: headerOf(RIGHT) });
    expect(await outcomeOf(asOwner)).toBe('RATE_LIMITED');
  });

  test('[D10] a changed password is required immediately, and earlier wrong ones still count', async () => {
    const { slug, shareId } = await newLink();
    const ask = asBy['read by header'];
    expect(await outcomeOf(ask(slug, RIGHT))).toBe('ok');
    const body = { reportId: liveId, password: 'a new one for everybody' };
    bodyOf(await owner.api.changeShare({ params: { shareId }, body }));
    const wrong = [];
    for (let index = 0; index < 10; index += 1) wrong.push(await outcomeOf(ask(slug, RIGHT)));
    expect(new Set(wrong)).toEqual(new Set(['SHARE_PASSWORD_REQUIRED']));
    expect(await outcomeOf(ask(slug, 'a new one for everybody'))).toBe('RATE_LIMITED');
    clock.advance(10 * MINUTE_MS);
    expect(await outcomeOf(ask(slug, 'a new one for everybody'))).toBe('ok');
    bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId: liveId, password: null } }));
    expect(await outcomeOf(ask(slug))).toBe('ok');
  });
});

describe('a password in a request', () => {
  const exported = (slug: string, query: string, header?: string) =>
    fetchLink(`${slug}/export/json${inQuery(query)}`, header);

  test('[D10] in the header takes precedence over the query parameter, and an empty one does not count', async () => {
    const { slug } = await newLink();
    expect(await outcomeOf(exported(slug, RIGHT, 'wrong'))).toBe('SHARE_PASSWORD_REQUIRED');
    expect(await outcomeOf(exported(slug, 'wrong', RIGHT))).toBe('ok');
    expect(await outcomeOf(exported(slug, RIGHT, ''))).toBe('ok');
  });

  test('[D10] in the query is not used when reading the report', async () => {
    const { slug } = await newLink();
    expect(await outcomeOf(fetchLink(`${slug}/report${inQuery(RIGHT)}`))).toBe('SHARE_PASSWORD_REQUIRED');
  });

  test('[D10] in the header is UTF-8; other bytes are a wrong password', async () => {
    const { slug } = await newLink();
    const send = async (password: Uint8Array) => {
      await using connection = await connectRaw(server.port);
      const head = `GET /api/v1/shares/slug/${slug}/report HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\nX-Svc-Share-Password: `;
      await connection.send(Buffer.concat([Buffer.from(head), password, Buffer.from('\r\n\r\n')]));
      return (await connection.untilClosed()).answers[0]?.status;
    };
    expect(await send(Buffer.from(RIGHT))).toBe(200);
    for (let index = 0; index < 10; index += 1)
      expect(await send(Buffer.from(`${RIGHT}${index}`, 'latin1'))).toBe(401);
    expect(await send(Buffer.from(RIGHT))).toBe(429);
  });

  test('[D2] is required by HEAD, which counts as GET does', async () => {
    const { slug } = await newLink();
    const head = async (password: string) => (await fetchLink(`${slug}/report`, password, 'HEAD')).status;
    expect([await head(RIGHT), await head('')]).toEqual([200, 401]);
    for (let index = 0; index < 10; index += 1) expect(await head(`wrong ${index}`)).toBe(401);
    expect(await head(RIGHT)).toBe(429);
    expect(await outcomeOf(asBy['export by query'](slug, RIGHT))).toBe('RATE_LIMITED');
  });
});

test('[T17] only the password gives access to a finished report and its exports', async () => {
  const password = `of ${randomUUID()}`;
  const { slug } = await newLink(finalId, password);
  for (const way of ways) {
    for (const given of [undefined, '', 'wrong', 'x'.repeat(1025)]) {
      const rejected = await asBy[way](slug, given);
      expect([rejected.status, await outcomeOf(rejected)]).toEqual([401, 'SHARE_PASSWORD_REQUIRED']);
    }
    const answer = await asBy[way](slug, password);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Order lookup trusts the id it is given');
  }
});
