/** Rate limits while their store is gone: guesses of secrets are denied, and all other limits hold in the process. */
import { createHash, randomUUID } from 'node:crypto';
import { limits } from '@svc/contract';
import {
  bindProject,
  codeOf,
  createFakeClock,
  createShell,
  PASSWORD,
  progressEvents,
  shareOf,
  shellOf,
  startServer,
  type BoundProject,
  type DeviceActor,
  type DeviceLink,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { createFailingCounters } from '@svc/testkit/failing-counters';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const SHARE_PASSWORD = 'Crème brûlée, 8 portions';
const clock = createFakeClock();
const counters = createFailingCounters();
let server: TestServer;
let owner: SessionActor;
let device: DeviceActor;
let project: BoundProject;
let reportId: string;
let slug: string;
let link: DeviceLink;

beforeAll(async () => {
  server = await startServer({ clock, throttled: true, wrapCounters: counters.wrap });
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  project = await bindProject(owner);
  ({ reportId } = await createShell(device, project));
  ({ slug } = await shareOf(owner, reportId, { password: SHARE_PASSWORD }));
});
afterAll(() => server.close());
beforeEach(async () => {
  link = await server.beginLink();
  counters.fail();
});
afterEach(() => {
  counters.recover();
  // Ends the windows in the process.
  clock.advance(2 * 3_600_000);
});

const post = (path: string, body: unknown) => server.anonymous.post(path, body);
const readShare = (password: string) =>
  server.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`, {
    headers: { 'x-svc-share-password': Buffer.from(password).toString('latin1') },
  });

const guesses: Readonly<Record<string, () => Promise<Response>>> = {
  'a right sign-in': () => post('/auth/login', { email: owner.email, password: PASSWORD }),
  'a wrong sign-in': () => post('/auth/login', { email: owner.email, password: 'wrong horse battery' }),
  'a sign-up, which could guess the setup token': () =>
    post('/auth/signup', { email: 'new@example.test', password: PASSWORD }),
  'a recovery': () =>
    post('/auth/recover', {
      email: owner.email,
      recoveryCode: owner.recoveryCode,
      newPassword: 'another horse battery',
    }),
  'a confirmation': () => owner.post('/session/confirm', { password: PASSWORD }),
  'a right password of a share': () => readShare(SHARE_PASSWORD),
  'a wrong password of a share': () => readShare('wrong'),
};

test.each(Object.entries(guesses))('[T4] [T17] %s is not counted, so it is denied', async (_what, guess) => {
  const denied = await guess();
  expect([denied.status, denied.headers.get('retry-after')]).toEqual([503, '5']);
  expect(denied.headers.getSetCookie()).toEqual([]);
  expect(await denied.json()).toMatchObject({ error: { code: 'INTERNAL' } });
});

const fingerprints = [createHash('sha256').update('a finding').digest('hex')];
const analyticsEvent = () => ({
  eventId: randomUUID(),
  name: 'report_viewed' as const,
  occurredAt: new Date(clock.now()).toISOString(),
});

/** Each with the number of calls that its limit allows. */
const counted = {
  'device links': [30, () => server.anonymous.post('/device-links', linkBody)],
  'polls of a device link': [
    1,
    () => server.anonymous.fetch(`/api/v1/device-links/${link.publicRequestId}/status`),
  ],
  'progress events': [
    limits.progressEventsPerMinuteMax / 25,
    () => device.post(`/reports/${reportId}/progress`, { events: progressEvents(clock, reportId, 25) }),
  ],
  'usage events': [
    limits.analytics.eventsPerDayMax / limits.analytics.eventsMax,
    () =>
      device.post('/analytics/events', {
        events: Array.from({ length: limits.analytics.eventsMax }, analyticsEvent),
      }),
  ],
  'queries of decisions': [
    6,
    () => device.post(`/projects/${project.projectId}/decisions/query`, { fingerprints }),
  ],
} as const;

const linkBody = {
  verifierHash: 'a'.repeat(64),
  deviceName: 'laptop',
  clientVersion: '1.0.0',
  osFamily: 'linux',
  arch: 'x64',
};

describe.each(Object.entries(counted))('%s', (_what, [allowed, call]) => {
  test('[D15] [T28] are allowed up to their limit, which the process counts', async () => {
    const statuses = [];
    for (let index = 0; index <= allowed; index += 1) statuses.push((await call()).status);
    expect(statuses.indexOf(429)).toBe(allowed);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    counters.recover();
    // The store has counted none of these calls.
    expect((await call()).status).not.toBe(429);
  });
});

test('[D15] accounts still create records, and ready names the counters', async () => {
  expect(codeOf(await owner.api.getSession())).toBe('ok');
  expect(codeOf(await device.api.createReport({ body: shellOf(project) }))).toBe('ok');
  clock.advance(1000);
  const ready = await server.anonymous.fetch('/api/v1/ready');
  expect(await ready.json()).toMatchObject({ checks: { counters: 'failing' } });
  counters.recover();
  expect((await guesses['a right sign-in']?.())?.status).toBe(200);
});
