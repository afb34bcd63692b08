/** What an owner sees of links on the page of a report, and what viewers see of what stands in their way. */
import {
  createFakeClock,
  shareOf,
  startServer,
  syncReport,
  wholePolicy,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let reportId: string;

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true });
  owner = await server.signUp();
  ({ reportId } = await syncReport(await server.linkDevice(owner)));
});
afterAll(() => server.close());

const ownersPage = async () =>
  (await owner.fetch(`/reports/${reportId}`, { headers: { accept: 'text/html' } })).text();

async function opened(slug: string, password = ''): Promise<{ status: number; text: string }> {
  const response = await server.anonymous.fetch(`/s/${slug}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    body: new URLSearchParams({ password }).toString(),
  });
  return { status: response.status, text: await response.text() };
}

test('a link is listed with what it shows for as long as it works', async () => {
  const policy = {
    ...wholePolicy,
    anonymize: true,
    findings: { mode: 'allow_all', maxSeverity: 'high' },
  } as const;
  await shareOf(owner, reportId, {
    label: 'For an hour',
    defaultPolicy: policy,
    expiresAt: new Date(clock.now() + HOUR_MS).toISOString(),
  });
  const before = await ownersPage();
  expect(before).toContain('Share (1)');
  expect(before).toContain('anyone with the link · without names · with code · nothing above high');
  clock.advance(HOUR_MS);
  const after = await ownersPage();
  expect(after).not.toContain('For an hour');
  expect(after).not.toContain('Share (1)');
});

test('a view from which all is left out says so, and does not promise more', async () => {
  const { slug } = await shareOf(owner, reportId, { defaultPolicy: { version: 1 } });
  const { text } = await opened(slug);
  expect(text).toContain('Whoever shares this report chose');
  expect(text).not.toContain('nothing to read yet');
});

test('after too many wrong passwords the page says for how long the link is shut', async () => {
  const { slug } = await shareOf(owner, reportId, { password: 'four green teas' });
  for (let guess = 0; guess < 10; guess += 1) {
    expect(await opened(slug, `wrong ${guess}`)).toMatchObject({ status: 401 });
  }
  clock.advance(4 * 60_000);
  const { status, text } = await opened(slug, 'four green teas');
  expect(status).toBe(429);
  expect(text).toContain('stays shut for 6 min');
});
