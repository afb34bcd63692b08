/** Who gets which page of a report. */
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  startServer,
  syncReport,
  type Actor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const OPERATOR = 'operator@example.test';
const DAY_MS = 86_400_000;
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let member: SessionActor;
let operator: SessionActor;
let final: string;
let live: string;

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true, config: { platformAdminEmail: OPERATOR } });
  owner = await server.signUp();
  member = await server.signUp();
  operator = await server.signUp({ email: OPERATOR });
  const team = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } })).workspaceId;
  for (const person of [member, operator]) {
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: team } }));
    bodyOf(await person.api.acceptInvitation({ params: { token: url.split('/').at(-1) ?? '' } }));
  }
  const device = await server.linkDevice(owner);
  const project = await bindProject(owner, team);
  final = (await syncReport(device, { project })).reportId;
  clock.advance(1000);
  live = (await createShell(device, project)).reportId;
});
afterAll(() => server.close());

async function pageOf(by: Actor, reportId: string, method = 'GET') {
  const response = await by.fetch(`/reports/${reportId}`, { method, headers: { accept: 'text/html' } });
  return {
    status: response.status,
    state: response.headers.get('x-report-state'),
    cached: response.headers.get('cache-control'),
    text: await response.text(),
  };
}

test('the owner and a member read a final report', async () => {
  for (const reader of [owner, member]) {
    const { status, state, text, cached } = await pageOf(reader, final);
    expect({ status, state }).toEqual({ status: 200, state: 'finalized' });
    for (const part of [
      'Order lookup trusts the id it is given',
      'src/orders/read-1.ts:40-52',
      'Nothing was run.',
    ])
      expect(text).toContain(part);
    expect(cached).toContain('no-store');
  }
});

test('whoever does not read it gets the very page of a report that never was', async () => {
  const stranger = await server.signUp();
  const never = await pageOf(stranger, `rep_${'0'.repeat(26)}`);
  expect(never).toMatchObject({ status: 404, state: null });
  for (const id of [final, live, 'nonsense', `${final}x`, '%00', 'a'.repeat(5000)])
    expect(await pageOf(stranger, id)).toEqual(never);
});

test('[D17] an administrator who is a member gets nothing', async () => {
  expect(await pageOf(operator, final)).toMatchObject({ status: 404, state: null });
  expect(await (await operator.fetch('/')).text()).not.toContain(final);
});

test('signed out, every report asks to sign in, and none is told from another', async () => {
  const asked = await pageOf(server.anonymous, final);
  expect(asked).toMatchObject({ status: 200, state: null });
  expect(asked.text).toContain('Sign in to read this report');
  expect(await pageOf(server.anonymous, `rep_${'0'.repeat(26)}`)).toEqual(asked);
  const device = await server.linkDevice(owner);
  expect(await pageOf(device, final)).toEqual(asked);
});

test('the head alone tells a live report from a final one', async () => {
  expect(await pageOf(owner, live, 'HEAD')).toMatchObject({ status: 200, state: 'live', text: '' });
  expect(await pageOf(owner, final, 'HEAD')).toMatchObject({ status: 200, state: 'finalized', text: '' });
});

test('findings stand worst first, and of very many the worst, with a way to the others', async () => {
  const device = await server.linkDevice(owner);
  const [critical, ...low] = Array.from({ length: 1001 }, (_, index) => ({
    ...findingBody(1001 - index),
    severity: index === 0 ? 'critical' : 'low',
  }));
  const summary = {
    findingCount: 1001,
    severityCounts: { critical: 1, high: 0, medium: 0, low: 1000, info: 0 },
    verificationCounts: { verified: 1001, strong_evidence: 0, needs_review: 0 },
  };
  const body = { summary, findings: [...low, critical] };
  const { reportId } = await syncReport(device, { body });
  const { text } = await pageOf(owner, reportId);
  const shown = [...text.matchAll(/<details class="finding" id="(F-\d+)">/g)].map(([, id]) => id);
  expect(shown).toHaveLength(1000);
  expect(shown.slice(0, 3)).toEqual(['F-1001', 'F-1000', 'F-999']);
  expect(text).toContain('1000 most severe of 1001');
  expect(text).toContain(`href="/api/v1/reports/${reportId}/export/json"`);
});

test('the first page lists what can be read, newest first, and how to come to a report', async () => {
  const text = await (await member.fetch('/')).text();
  expect(text.indexOf(`/reports/${live}`)).toBeGreaterThan(-1);
  expect(text.indexOf(`/reports/${live}`)).toBeLessThan(text.indexOf(`/reports/${final}`));
  const newcomer = await (await (await server.signUp()).fetch('/')).text();
  expect(newcomer).not.toContain('/reports/');
  for (const step of ['svc login', 'svc init', 'svc scan .']) expect(newcomer).toContain(step);
});

test('a report that has expired says so to its readers, and to nobody else', async () => {
  clock.advance(22 * DAY_MS);
  for (const reader of [owner, member]) {
    const { status, state, text } = await pageOf(reader, final);
    expect({ status, state }).toEqual({ status: 410, state: null });
    expect(text).toContain('This report has expired');
    expect(text).not.toContain('Order lookup');
  }
  expect(await pageOf(await server.signUp(), final)).toMatchObject({ status: 404 });
});
