/** Unlock tokens: a password given once, and then a token that replaces it. */
import {
  bodyOf,
  codeOf,
  createFakeClock,
  shareOf,
  syncReport,
  wholePolicy,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const PASSWORD = 'four green teas';
const clock = createFakeClock();
let owner: SessionActor;
let reportId: string;

const server = sharedServer({ clock, generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  ({ reportId } = await syncReport(await server.linkDevice(owner)));
});

const locked = () => shareOf(owner, reportId, { password: PASSWORD });
const unlock = (slug: string, password = PASSWORD) =>
  server.anonymous.api.unlockShare({ params: { slug }, body: { password } });
const tokenOf = async (slug: string) => bodyOf(await unlock(slug)).unlockToken;
const outcome = async (path: string, headers: Record<string, string>) => {
  const answer = await server.anonymous.fetch(`/api/v1/shares/slug/${path}`, { headers });
  return answer.ok ? 'ok' : ((await answer.json()) as { error: { code: string } }).error.code;
};
const read = (slug: string, shareUnlock: string, more: Record<string, string> = {}) =>
  outcome(`${slug}/report`, { 'x-svc-share-unlock': shareUnlock, ...more });
const lock = async (slug: string) => {
  for (let guess = 0; guess < 10; guess += 1) await unlock(slug, `wrong guess ${guess}`);
};

describe('an unlock token', () => {
  test('[D25] replaces the password on both routes, and requesting it does not count as a view', async () => {
    const { slug, shareId } = await locked();
    const token = await tokenOf(slug);
    const entry = async () =>
      bodyOf(await owner.api.listShares({ params: { id: reportId } })).shares.find(
        ({ id }) => id === shareId,
      );
    expect((await entry())?.viewCount).toBe(0);
    expect(await read(slug, token)).toBe('ok');
    expect(await outcome(`${slug}/export/html`, { 'x-svc-share-unlock': token })).toBe('ok');
    expect((await entry())?.viewCount).toBe(1);
  });

  test('[D25] takes precedence over a password, right or wrong', async () => {
    const { slug } = await locked();
    const token = await tokenOf(slug);
    expect(await read(slug, token, { 'x-svc-share-password': 'something else' })).toBe('ok');
    expect(await read(slug, 'invalid', { 'x-svc-share-password': PASSWORD })).toBe('SHARE_PASSWORD_REQUIRED');
  });

  test('[D25] is never throttled, and an invalid one does not count as an attempt', async () => {
    const { slug } = await locked();
    const token = await tokenOf(slug);
    for (let guess = 0; guess < 30; guess += 1)
      expect(await read(slug, `${guess}.${'A'.repeat(43)}`)).toBe('SHARE_PASSWORD_REQUIRED');
    expect((await unlock(slug)).ok).toBe(true);
    await lock(slug);
    expect(codeOf(await unlock(slug))).toBe('RATE_LIMITED');
    expect(await read(slug, token)).toBe('ok');
  });

  test('[D25] is requested under the same limit of wrong passwords as reading', async () => {
    const { slug } = await locked();
    await lock(slug);
    expect(await outcome(`${slug}/report`, { 'x-svc-share-password': PASSWORD })).toBe('RATE_LIMITED');
  });

  test('[D25] lasts for twelve hours, and never longer than the share', async () => {
    const { slug } = await locked();
    const { unlockToken, expiresAt } = bodyOf(await unlock(slug));
    expect(Date.parse(expiresAt)).toBe(clock.now() + 12 * HOUR_MS);
    const soon = new Date(clock.now() + HOUR_MS).toISOString();
    const ending = await shareOf(owner, reportId, { password: PASSWORD, expiresAt: soon });
    expect(bodyOf(await unlock(ending.slug)).expiresAt).toBe(soon);
    clock.advance(12 * HOUR_MS - 1);
    expect(await read(slug, unlockToken)).toBe('ok');
    clock.advance(1);
    expect(await read(slug, unlockToken)).toBe('SHARE_PASSWORD_REQUIRED');
  });

  test.each([
    ['another password', { password: 'five black teas' }],
    ['the same password again', { password: PASSWORD }],
    ['another policy', { defaultPolicy: { ...wholePolicy, anonymize: true } }],
    ['other principals', { principals: [{ principalValue: 'kim@auditors.example', policy: wholePolicy }] }],
  ])('[D25] is invalid after %s', async (_, change) => {
    const { slug, shareId } = await locked();
    const token = await tokenOf(slug);
    bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, label: 'Kim' } }));
    expect(await read(slug, token)).toBe('ok');
    bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, ...change } }));
    expect(await read(slug, token)).toBe('SHARE_PASSWORD_REQUIRED');
  });

  test('[D25] opens no other share, and changes nothing about one that has ended', async () => {
    const [one, other] = [await locked(), await locked()];
    const token = await tokenOf(one.slug);
    expect(await read(other.slug, token)).toBe('SHARE_PASSWORD_REQUIRED');
    bodyOf(await owner.api.revokeShare({ params: { shareId: one.shareId }, query: { reportId } }));
    expect(await read(one.slug, token)).toBe('SHARE_NOT_AVAILABLE');
    expect(codeOf(await unlock(one.slug))).toBe('SHARE_NOT_AVAILABLE');
  });

  test('[D25] is returned after the same checks as reading, in the same order', async () => {
    const { slug } = await locked();
    expect(codeOf(await unlock('x'.repeat(27)))).toBe('SHARE_NOT_AVAILABLE');
    expect(codeOf(await unlock(slug, 'something else'))).toBe('SHARE_PASSWORD_REQUIRED');
    expect(codeOf(await unlock(slug, ''))).toBe('SHARE_PASSWORD_REQUIRED');
    const forAccounts = await shareOf(owner, reportId, {
      password: PASSWORD,
      mode: 'anyone_with_link',
      anonymousAllowed: false,
    });
    expect(codeOf(await unlock(forAccounts.slug, 'something else'))).toBe('SHARE_PASSWORD_REQUIRED');
    expect(codeOf(await unlock(forAccounts.slug))).toBe('UNAUTHENTICATED');
    const reader = await server.signUp();
    const answer = await reader.api.unlockShare({
      params: { slug: forAccounts.slug },
      body: { password: PASSWORD },
    });
    expect(answer.ok).toBe(true);
  });

  test('[D25] is issued for the password in the body, not for a password in a header', async () => {
    const { slug } = await locked();
    const answer = await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-share-password': PASSWORD },
      body: JSON.stringify({ password: 'something else' }),
    });
    expect(answer.status).toBe(401);
  });
});
