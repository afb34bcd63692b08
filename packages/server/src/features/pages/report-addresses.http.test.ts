/** The document of a report's own page: for whom it holds something of the report. */
import type { OwnFirstScreen } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  startTeamServer,
  syncReport,
  type Actor,
  type TeamServer,
} from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const TITLE = 'Order lookup trusts the id it is given';
let server: TeamServer;
let reportId: string;

beforeAll(async () => {
  server = await startTeamServer(createFakeClock());
});
afterAll(() => server.close());
beforeEach(async () => {
  const findings = Array.from({ length: 60 }, (_, index) => findingBody(index + 1));
  const body = { findings, limitations: ['</script><script>alert(1)</script>'] };
  const project = await bindProject(server.owner, server.team);
  ({ reportId } = await syncReport(server.device, { body, project }));
});

const open = (by: Actor, id: string, headers: Record<string, string> = {}) =>
  by.fetch(`/reports/${id}`, { headers: { accept: 'text/html', ...headers } });

interface FirstAnswer {
  readonly name: string;
  readonly input?: unknown;
  readonly body: unknown;
}

async function firstScreenOf(answer: Response): Promise<OwnFirstScreen | undefined> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('cache-control')).toBe('private, no-store, must-revalidate');
  expect(answer.headers.get('content-security-policy')).toContain("trusted-types 'none'");
  const html = await answer.text();
  const [, json = ''] = /<script type="application\/json" id="first-data">([^<]*)<\/script>/.exec(html) ?? [];
  expect(html.replace(json, '')).not.toContain(TITLE);
  const [session, screen] = JSON.parse(json) as FirstAnswer[];
  expect(session?.name).toBe('getSession');
  return screen?.body as OwnFirstScreen | undefined;
}

test('holds for its own people what they would be told, and the first screen of it', async () => {
  for (const person of [server.owner, server.member]) {
    const screen = await firstScreenOf(await open(person, reportId, { 'sec-fetch-dest': 'document' }));
    const { report, ...known } = bodyOf(await person.api.getReport({ params: { id: reportId } }));
    expect(screen?.read).toEqual(known);
    expect(screen?.first).toMatchObject({ isWhole: false, totals: { findings: 60 } });
    expect(screen?.first.report.findings).toEqual(report?.findings?.slice(0, 50));
  }
});

test('holds the changes that were made since', async () => {
  await firstScreenOf(await open(server.owner, reportId));
  const { findings } = bodyOf(await server.owner.api.getReport({ params: { id: reportId } })).report ?? {};
  const findingId = findings?.[0]?.id ?? '';
  const body = { status: 'accepted_risk' } as const;
  bodyOf(await server.owner.api.changeFindingStatus({ params: { id: reportId, findingId }, body }));
  const screen = await firstScreenOf(await open(server.owner, reportId));
  expect(screen?.first.report.findings?.[0]?.status).toBe('accepted_risk');
});

test('holds nothing of it for others, nor whether there is one', async () => {
  const stranger = await server.signUp();
  for (const by of [server.anonymous, stranger, server.operator]) {
    const answers = [await open(by, reportId), await open(by, 'rep_00000000000000000000000000')];
    const [theirs, none] = await Promise.all(answers.map((answer) => answer.text()));
    expect(theirs).toBe(none);
    expect(theirs).not.toContain(TITLE);
  }
});

test('holds nothing of one that is live, or gone', async () => {
  const { reportId: live } = await createShell(server.device);
  expect(await firstScreenOf(await open(server.owner, live))).toBeUndefined();
  bodyOf(await server.owner.api.deleteReport({ params: { id: reportId } }));
  expect(await firstScreenOf(await open(server.owner, reportId))).toBeUndefined();
});
