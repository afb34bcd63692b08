/** The document of a link: for whom it holds something of the report, and what it tells others. */
import { connect } from 'node:net';
import { once } from 'node:events';
import type { SharedFirstScreen } from '@svc/contract';
import {
  bodyOf,
  createShell,
  findingBody,
  shareOf,
  startServer,
  syncReport,
  wholePolicy,
  type Actor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const TITLE = 'Order lookup trusts the id it is given';
let server: TestServer;
let owner: SessionActor;
let reportId: string;

beforeAll(async () => {
  server = await startServer({ generousPlans: true });
  owner = await server.signUp();
  const findings = Array.from({ length: 60 }, (_, index) => findingBody(index + 1));
  const body = { findings, limitations: ['</script><script>alert(1)</script>'] };
  ({ reportId } = await syncReport(await server.linkDevice(owner), { body }));
});
afterAll(() => server.close());

const open = (by: Actor, slug: string, headers: Record<string, string> = {}) =>
  by.fetch(`/s/${slug}`, { headers: { accept: 'text/html', ...headers } });

interface FirstAnswer {
  readonly body: SharedFirstScreen | null;
  readonly refusal?: { readonly code: string; readonly retryAfterMs: number | null };
}

/** What the document holds for its script; nothing else of it is about the link. */
async function firstDataOf(answer: Response): Promise<readonly FirstAnswer[]> {
  const html = await answer.text();
  const [, json = ''] = /<script type="application\/json" id="first-data">([^<]*)<\/script>/.exec(html) ?? [];
  expect(html.replace(json, '')).not.toContain(TITLE);
  return JSON.parse(json) as FirstAnswer[];
}

/** As programs ask that say nothing of themselves, other than those of this test. */
async function askedRaw(slug: string, headers: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET /s/${slug} HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\n${headers}\r\n`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('the document of a link', () => {
  test('holds the first screen for its viewer, and the totals of all', async () => {
    const { slug } = await shareOf(owner, reportId);
    const answer = await open(server.anonymous, slug, { 'sec-fetch-dest': 'document' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'private, no-store, must-revalidate',
    ]);
    expect(answer.headers.get('content-security-policy')).toContain("trusted-types 'none'");
    const [first] = await firstDataOf(answer);
    expect(first?.body?.viewer).toEqual({ label: 'Anonymous' });
    expect(first?.body?.first).toMatchObject({ isWhole: false, totals: { findings: 60 } });
    expect(first?.body?.first.report.findings).toHaveLength(50);
  });

  test('[D9] holds what the policy lets that viewer see', async () => {
    const guest = await server.signUp();
    const { slug } = await shareOf(owner, reportId, {
      defaultPolicy: { version: 1, sections: { ids: ['limitations'] } },
      principals: [{ principalValue: guest.user.userId, label: 'Kim <b>', policy: wholePolicy }],
    });
    const [theirs] = await firstDataOf(await open(guest, slug));
    const [others] = await firstDataOf(await open(server.anonymous, slug));
    expect(theirs?.body?.viewer.label).toBe('Kim <b>');
    expect(theirs?.body?.first.report.findings).toHaveLength(50);
    expect(others?.body?.first.totals).toBeNull();
    expect(others?.body?.first.report).not.toHaveProperty('findings');
  });

  test('[D10] counts as no view, and neither does HEAD of the report', async () => {
    const { slug, shareId } = await shareOf(owner, reportId);
    await (await open(server.anonymous, slug)).text();
    await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`, { method: 'HEAD' });
    const views = async () =>
      bodyOf(await owner.api.listShares({ params: { id: reportId } })).shares.find(({ id }) => id === shareId)
        ?.viewCount;
    expect(await views()).toBe(0);
    bodyOf(await server.anonymous.api.readShare({ params: { slug } }));
    expect(await views()).toBe(1);
  });

  test('[T15] what is not a document that somebody looks at gets nothing of it, nor whether there is a link', async () => {
    const { slug } = await shareOf(owner, reportId);
    const gone = 'x'.repeat(27);
    for (const headers of [
      'Sec-Fetch-Dest: empty\r\n',
      'Sec-Fetch-Dest: iframe\r\n',
      'Sec-Fetch-Dest: image\r\n',
      'Sec-Fetch-Dest: document\r\nSec-Purpose: prefetch;prerender\r\n',
    ]) {
      const [answer, other] = [await askedRaw(slug, headers), await askedRaw(gone, headers)];
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain('id="first-data">[]</script>');
      expect(withoutIds(answer)).toBe(withoutIds(other));
    }
    expect(await askedRaw(slug, '')).toContain(TITLE);
  });

  test('says what stands in the way, with the status of the API', async () => {
    const locked = await shareOf(owner, reportId, { password: 'four green teas' });
    const named = await shareOf(owner, reportId, { anonymousAllowed: false, mode: 'anyone_with_link' });
    const told = async (slug: string) => {
      const answer = await open(server.anonymous, slug);
      const [first] = await firstDataOf(answer);
      return [answer.status, first?.body, first?.refusal?.code];
    };
    expect(await told(locked.slug)).toEqual([401, null, 'SHARE_PASSWORD_REQUIRED']);
    expect(await told(named.slug)).toEqual([401, null, 'UNAUTHENTICATED']);
    expect(await told('nothing')).toEqual([404, null, 'SHARE_NOT_AVAILABLE']);
  });

  test('[D10] of a scan under way it holds the keys that every projection has', async () => {
    const { reportId: live } = await createShell(await server.linkDevice(owner));
    const { slug } = await shareOf(owner, live);
    const [first] = await firstDataOf(await open(server.anonymous, slug));
    expect(first?.body?.first).toEqual({
      report: { id: live, schemaVersion: '1.0.0', projectedFor: { principalType: 'anonymous' } },
      isWhole: true,
      totals: null,
    });
  });

  test('[T19] is the one of a revoked link from the answer of the revocation on', async () => {
    const { slug, shareId } = await shareOf(owner, reportId);
    await (await open(server.anonymous, slug)).text();
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    const [first] = await firstDataOf(await open(server.anonymous, slug));
    expect(first).toMatchObject({ body: null, refusal: { code: 'SHARE_NOT_AVAILABLE' } });
  });

  test('[T18] takes no password from its address, and none by POST', async () => {
    const { slug } = await shareOf(owner, reportId, { password: 'four green teas' });
    const asked = await server.anonymous.fetch(`/s/${slug}?password=four+green+teas`);
    expect(asked.status).toBe(401);
    expect((await server.anonymous.fetch(`/s/${slug}`, { method: 'POST', body: 'password=x' })).status).toBe(
      404,
    );
  });
});

function withoutIds(answer: string): string {
  return answer.replaceAll(/^(?:x-request-id|date): .*$/gim, '');
}
