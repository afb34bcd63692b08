/** The password of a link as clients meet it: in a header or a query parameter, on both routes, under one budget. */
import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  connectRaw,
  createFakeClock,
  createShell,
  shareOf,
  startServer,
  syncReport,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { inLane } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const GUESSES = inLane(60, 500);
const MINUTE_MS = 60_000;
const RIGHT = 'Crème brûlée, 8 portions';
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let finalId: string;
let liveId: string;

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true });
  owner = await server.signUp();
  const device = await server.linkDevice(owner);
  finalId = (await syncReport(device)).reportId;
  liveId = (await createShell(device)).reportId;
});
afterAll(() => server.close());

const newLink = (reportId = liveId, password = RIGHT) => shareOf(owner, reportId, { password });

/** Headers are sent byte for byte: a text of theirs stands for UTF-8. */
const headerOf = (password: string) => ({
  'x-svc-share-password': Buffer.from(password).toString('latin1'),
});

type Ask = (slug: string, password?: string) => Promise<Response>;

const asBy: Record<'read by header' | 'export by header' | 'export by query', Ask> = {
  'read by header': (slug, password) =>
    server.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`, {
      headers: password === undefined ? {} : headerOf(password),
    }),
  'export by header': (slug, password) =>
    server.anonymous.fetch(`/api/v1/shares/slug/${slug}/export/json`, {
      headers: password === undefined ? {} : headerOf(password),
    }),
  'export by query': (slug, password) =>
    server.anonymous.fetch(
      `/api/v1/shares/slug/${slug}/export/json${password === undefined ? '' : `?password=${encodeURIComponent(password)}`}`,
    ),
};
const ways = Object.keys(asBy) as (keyof typeof asBy)[];

/** `ok`, or the code. A report that is live has no file: whoever is told that has come past the password. */
async function outcomeOf(asking: Promise<Response>): Promise<string> {
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

describe.each(ways)('%s', (way) => {
  const ask = asBy[way];

  test(`[D10] ${way}: without a password it is asked for, and nothing is counted`, async () => {
    const { slug } = await newLink();
    for (const password of [undefined, '', 'x'.repeat(1025)]) {
      for (let round = 0; round < 11; round += 1) {
        const answer = await ask(slug, password);
        expect([answer.status, await outcomeOf(Promise.resolve(answer))]).toEqual([
          401,
          'SHARE_PASSWORD_REQUIRED',
        ]);
      }
    }
    expect(await outcomeOf(ask(slug, RIGHT))).toBe('ok');
  });

  test(`[D2] ${way}: the right one is right however it is composed`, async () => {
    const { slug } = await newLink();
    for (const form of ['NFC', 'NFD'] as const)
      expect(await outcomeOf(ask(slug, RIGHT.normalize(form)))).toBe('ok');
  });

  test(`[T17] ${way}: a hundred right ones at once are all let in`, async () => {
    const { slug } = await newLink();
    expect(await tally(Array.from({ length: 100 }, () => ask(slug, RIGHT)))).toEqual({ ok: 100 });
  });

  test(`[T17] ${way}: of many wrong ones at once ten are looked at`, async () => {
    const { slug } = await newLink();
    const asking = Array.from({ length: GUESSES }, (_, index) => ask(slug, `wrong one ${index}`));
    expect(await tally(asking)).toEqual({ SHARE_PASSWORD_REQUIRED: 10, RATE_LIMITED: GUESSES - 10 });
  });
});

describe('one budget', () => {
  test('[T17] for both routes and all the ways to give a password', async () => {
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

  test('[D10] for everybody, whoever they are', async () => {
    const { slug } = await newLink();
    await tally(Array.from({ length: 20 }, (_, index) => asBy['read by header'](slug, `wrong ${index}`)));
    const asOwner = owner.fetch(`/api/v1/shares/slug/${slug}/report`, { headers: headerOf(RIGHT) });
    expect(await outcomeOf(asOwner)).toBe('RATE_LIMITED');
  });

  test('[D10] for ten minutes from the first wrong one', async () => {
    const { slug } = await newLink();
    const ask = asBy['read by header'];
    expect(await outcomeOf(ask(slug, RIGHT))).toBe('ok');
    clock.advance(9 * MINUTE_MS);
    await outcomeOf(ask(slug, 'wrong'));
    clock.advance(9 * MINUTE_MS);
    const last = await tally(Array.from({ length: 10 }, (_, index) => ask(slug, `wrong ${index}`)));
    expect(last).toEqual({ SHARE_PASSWORD_REQUIRED: 9, RATE_LIMITED: 1 });
    clock.advance(MINUTE_MS - 1);
    const refused = await ask(slug, RIGHT);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    clock.advance(1);
    expect(await outcomeOf(ask(slug, RIGHT))).toBe('ok');
  });

  test('[D10] a password that was changed is asked for at once, and the wrong ones still count', async () => {
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

describe('how it is given', () => {
  const exported = (slug: string, query: string, header?: string) =>
    server.anonymous.fetch(`/api/v1/shares/slug/${slug}/export/json?password=${encodeURIComponent(query)}`, {
      headers: header === undefined ? {} : headerOf(header),
    });

  test('[D10] the header beats the query parameter, and an empty one is none', async () => {
    const { slug } = await newLink();
    expect(await outcomeOf(exported(slug, RIGHT, 'wrong'))).toBe('SHARE_PASSWORD_REQUIRED');
    expect(await outcomeOf(exported(slug, 'wrong', RIGHT))).toBe('ok');
    expect(await outcomeOf(exported(slug, RIGHT, ''))).toBe('ok');
  });

  test('[D10] reading takes none from the query', async () => {
    const { slug } = await newLink();
    const path = `/api/v1/shares/slug/${slug}/report?password=${encodeURIComponent(RIGHT)}`;
    expect(await outcomeOf(server.anonymous.fetch(path))).toBe('SHARE_PASSWORD_REQUIRED');
  });

  test('[D10] the bytes of the header are UTF-8; others are a wrong one', async () => {
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

  test('[D2] HEAD asks for it and counts as GET does', async () => {
    const { slug } = await newLink();
    const head = async (password: string) =>
      (
        await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`, {
          method: 'HEAD',
          headers: headerOf(password),
        })
      ).status;
    expect([await head(RIGHT), await head('')]).toEqual([200, 401]);
    for (let index = 0; index < 10; index += 1) expect(await head(`wrong ${index}`)).toBe(401);
    expect(await head(RIGHT)).toBe(429);
    expect(await outcomeOf(asBy['export by query'](slug, RIGHT))).toBe('RATE_LIMITED');
  });

  test('[D10] nobody is asked for one at a link that is not there for them', async () => {
    const { slug, shareId } = await newLink();
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId: liveId } }));
    for (const way of ways) {
      for (const password of [undefined, 'wrong', RIGHT])
        expect(await outcomeOf(asBy[way](slug, password))).toBe('SHARE_NOT_AVAILABLE');
    }
  });
});

test('[T17] a finished report is read and exported by whoever has the password, and by nobody else', async () => {
  const password = `of ${randomUUID()}`;
  const { slug } = await newLink(finalId, password);
  for (const way of ways) {
    expect(await outcomeOf(asBy[way](slug, 'wrong'))).toBe('SHARE_PASSWORD_REQUIRED');
    const answer = await asBy[way](slug, password);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Order lookup trusts the id it is given');
  }
});
