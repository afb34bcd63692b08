/** The document of a share link: for whom it contains data of the report, and what others get. */
import type { SharedFirstScreen } from '@svc/contract';
import {
  bodyOf,
  createShell,
  exchangeRaw,
  findingBody,
  firstDataOf,
  shareOf,
  syncReport,
  wholePolicy,
  type Actor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

/** A cache that ignores `no-store` must not serve a document with data to a request that gets none. */
const VARY = 'accept-encoding, cookie, purpose, sec-fetch-dest, sec-purpose';
const TITLE = 'Order lookup trusts the id it is given';
const server = sharedServer({ generousPlans: true });
let owner: SessionActor;
let reportId: string;

beforeAll(async () => {
  owner = await server.signUp();
  const findings = Array.from({ length: 60 }, (_, index) => findingBody(index + 1));
  const body = { findings, limitations: ['</script><script>alert(1)</script>'] };
  ({ reportId } = await syncReport(await server.linkDevice(owner), { body }));
});

const open = (by: Actor, slug: string, headers: Record<string, string> = {}) =>
  by.fetch(`/s/${slug}`, { headers: { accept: 'text/html', 'sec-fetch-dest': 'document', ...headers } });

/** The data that the document contains for its script. Nothing else in it depends on the share. */
async function firstOf(answer: Response) {
  const { data, rest } = await firstDataOf(answer);
  expect(rest).not.toContain(TITLE);
  const [{ body, rejection } = { body: null }] = data;
  return { body: body as SharedFirstScreen | null, rejection };
}

/** Sends only these headers, unlike the requests of the other tests. */
async function askedRaw(slug: string, headers: string) {
  const request = `GET /s/${slug} HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\n${headers}\r\n`;
  const { answers } = await exchangeRaw(server.port, request);
  const { date: _date, 'x-request-id': _id, ...shown } = answers[0]?.headers ?? {};
  return { status: answers[0]?.status, headers: shown, body: answers[0]?.body };
}

describe('the document of a share link', () => {
  test('contains the first screen for its viewer, and all totals', async () => {
    const { slug } = await shareOf(owner, reportId);
    const answer = await open(server.anonymous, slug);
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
      200,
      'private, no-store, must-revalidate',
      VARY,
    ]);
    expect(answer.headers.get('content-security-policy')).toContain("trusted-types 'none'");
    const first = await firstOf(answer);
    expect(first.body?.viewer).toEqual({ label: 'Anonymous' });
    expect(first.body?.first).toMatchObject({ isWhole: false, totals: { findings: 60 } });
    expect(first.body?.first.report.findings).toHaveLength(50);
  });

  test('[D9] contains only what the policy shows to the viewer who opens it', async () => {
    const guest = await server.signUp();
    const { slug } = await shareOf(owner, reportId, {
      defaultPolicy: { version: 1, sections: { ids: ['limitations'] } },
      principals: [{ principalValue: guest.user.userId, label: 'Kim <b>', policy: wholePolicy }],
    });
    const theirs = await firstOf(await open(guest, slug));
    const others = await firstOf(await open(server.anonymous, slug));
    expect(theirs.body?.viewer.label).toBe('Kim <b>');
    expect(theirs.body?.first.report.findings).toHaveLength(50);
    expect(others.body?.first.totals).toBeNull();
    expect(others.body?.first.report).not.toHaveProperty('findings');
  });

  test('[D10] does not count as a view, and neither does HEAD of the report', async () => {
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

  test('[T15] contains nothing of the report and does not reveal the share, unless opened in a window', async () => {
    const { slug } = await shareOf(owner, reportId);
    const gone = 'x'.repeat(27);
    for (const headers of [
      '',
      'User-Agent: a maker of link previews\r\nAccept: text/html\r\n',
      'Sec-Fetch-Dest: \r\n',
      'Sec-Fetch-Dest: Document\r\n',
      'Sec-Fetch-Dest: document, document\r\n',
      'Sec-Fetch-Dest: empty\r\n',
      'Sec-Fetch-Dest: iframe\r\n',
      'Sec-Fetch-Dest: image\r\n',
      'Sec-Fetch-Dest: document\r\nSec-Purpose: prefetch;prerender\r\n',
      'Sec-Fetch-Dest: document\r\nPurpose: prefetch\r\n',
    ]) {
      const [answer, other] = [await askedRaw(slug, headers), await askedRaw(gone, headers)];
      expect(answer.status).toBe(200);
      expect(answer.body).toContain('id="first-data">[]</script>');
      expect(answer.headers).toMatchObject({ vary: VARY });
      expect(answer).toEqual(other);
    }
    const opened = await askedRaw(slug, 'Sec-Fetch-Dest: document\r\n');
    expect(opened.body).toContain(TITLE);
    expect(opened.headers).toMatchObject({ vary: VARY });
  });

  test('shows why the report cannot be read, with the status of the API', async () => {
    const locked = await shareOf(owner, reportId, { password: 'four green teas' });
    const named = await shareOf(owner, reportId, { anonymousAllowed: false, mode: 'anyone_with_link' });
    const shown = async (slug: string) => {
      const answer = await open(server.anonymous, slug);
      const first = await firstOf(answer);
      return [answer.status, first.body, first.rejection?.code];
    };
    expect(await shown(locked.slug)).toEqual([401, null, 'SHARE_PASSWORD_REQUIRED']);
    expect(await shown(named.slug)).toEqual([401, null, 'UNAUTHENTICATED']);
    expect(await shown('nothing')).toEqual([404, null, 'SHARE_NOT_AVAILABLE']);
  });

  test('[D10] of a live report contains the keys that every projection has', async () => {
    const { reportId: live } = await createShell(await server.linkDevice(owner));
    const { slug } = await shareOf(owner, live);
    const first = await firstOf(await open(server.anonymous, slug));
    expect(first.body?.first).toEqual({
      report: { id: live, schemaVersion: '1.0.0', projectedFor: { principalType: 'anonymous' } },
      isWhole: true,
      totals: null,
    });
  });

  test('[T19] contains no report immediately after the share was revoked', async () => {
    const { slug, shareId } = await shareOf(owner, reportId);
    await (await open(server.anonymous, slug)).text();
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    const first = await firstOf(await open(server.anonymous, slug));
    expect(first).toMatchObject({ body: null, rejection: { code: 'SHARE_NOT_AVAILABLE' } });
  });

  test('[T18] accepts no password in its address, and none by POST', async () => {
    const { slug } = await shareOf(owner, reportId, { password: 'four green teas' });
    const asked = await server.anonymous.fetch(`/s/${slug}?password=four+green+teas`, {
      headers: { 'sec-fetch-dest': 'document' },
    });
    expect(asked.status).toBe(401);
    expect((await server.anonymous.fetch(`/s/${slug}`, { method: 'POST', body: 'password=x' })).status).toBe(
      404,
    );
  });
});
