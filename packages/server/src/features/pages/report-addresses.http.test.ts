/** The document of a report's own page, and for whom it contains data of the report. */
import type { OwnFirstScreen } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  firstDataOf,
  syncReport,
  type Actor,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeEach, expect, test } from 'vitest';

const TITLE = 'Order lookup trusts the id it is given';
const server = sharedTeamServer(createFakeClock());
let reportId: string;

beforeEach(async () => {
  const findings = Array.from({ length: 60 }, (_, index) => findingBody(index + 1));
  const body = { findings, limitations: ['</script><script>alert(1)</script>'] };
  const project = await bindProject(server.owner, server.team);
  ({ reportId } = await syncReport(server.device, { body, project }));
});

const open = (by: Actor, id: string, headers: Record<string, string> = {}) =>
  by.fetch(`/reports/${id}`, { headers: { accept: 'text/html', 'sec-fetch-dest': 'document', ...headers } });

async function firstScreenOf(answer: Response): Promise<OwnFirstScreen | undefined> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('cache-control')).toBe('private, no-store, must-revalidate');
  expect(answer.headers.get('vary')).toBe('accept-encoding, cookie, purpose, sec-fetch-dest, sec-purpose');
  expect(answer.headers.get('content-security-policy')).toMatch(/; trusted-types svc-worker$/);
  const { data, rest } = await firstDataOf(answer);
  expect(rest).not.toContain(TITLE);
  expect(data[0]?.name).toBe('getSession');
  return data.find(({ name }) => name === 'firstScreen')?.body as OwnFirstScreen | undefined;
}

test('the document contains for owner and members what the API returns, and the first screen', async () => {
  for (const person of [server.owner, server.member]) {
    const screen = await firstScreenOf(await open(person, reportId));
    const { report, ...known } = bodyOf(await person.api.getReport({ params: { id: reportId } }));
    expect(screen?.read).toEqual(known);
    expect(screen?.first).toMatchObject({ isWhole: false, totals: { findings: 60 } });
    expect(screen?.first.report.findings).toEqual(report?.findings?.slice(0, 50));
  }
});

test('the document contains the lists around the report that this person may read', async () => {
  const params = { id: reportId };
  const { projectId } = bodyOf(await server.owner.api.getReport({ params }));
  for (const person of [server.owner, server.member]) {
    const { data } = await firstDataOf(await open(person, reportId));
    const shares = await person.api.listShares({ params });
    expect(data.filter(({ name }) => name.startsWith('list'))).toEqual([
      { name: 'listWorkspaces', body: bodyOf(await person.api.listWorkspaces()) },
      {
        name: 'listReports',
        input: { query: { projectId } },
        body: bodyOf(await person.api.listReports({ query: { projectId } })),
      },
      ...(shares.ok ? [{ name: 'listShares', input: { params }, body: shares.body }] : []),
    ]);
    expect(shares.ok).toBe(person === server.owner);
  }
});

test('the document contains nothing of the report unless the request says that a window opens it', async () => {
  const asked: Record<string, string>[] = [
    {},
    { 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
  ];
  for (const headers of asked) {
    const answer = await server.owner.fetch(`/reports/${reportId}`, {
      headers: { accept: 'text/html', ...headers },
    });
    expect(await firstScreenOf(answer)).toBeUndefined();
  }
});

test('the document contains the triage decisions made since the upload', async () => {
  await firstScreenOf(await open(server.owner, reportId));
  const { findings } = bodyOf(await server.owner.api.getReport({ params: { id: reportId } })).report ?? {};
  const findingId = findings?.[0]?.id ?? '';
  const body = { status: 'accepted_risk' } as const;
  bodyOf(await server.owner.api.changeFindingStatus({ params: { id: reportId, findingId }, body }));
  const screen = await firstScreenOf(await open(server.owner, reportId));
  expect(screen?.first.report.findings?.[0]?.status).toBe('accepted_risk');
  expect(screen?.read.decisions).toEqual([]);
});

test('the document of a report that is whole contains the latest decisions', async () => {
  const { reportId: id } = await syncReport(server.device, {
    body: { findings: Array.from({ length: 50 }, (_, index) => findingBody(index + 1)) },
  });
  const params = { id, findingId: 'F-50' };
  for (const status of ['accepted_risk', 'open'] as const)
    bodyOf(await server.owner.api.changeFindingStatus({ params, body: { status } }));
  const screen = await firstScreenOf(await open(server.owner, id));
  expect(screen?.first.isWhole).toBe(true);
  expect(screen?.read.decisions).toMatchObject([{ findingId: 'F-50', status: 'open' }]);
  expect(screen?.read.decisions).toEqual(
    bodyOf(await server.owner.api.getReport({ params: { id } })).decisions,
  );
});

test('the document contains nothing for others, and does not reveal whether the report exists', async () => {
  const stranger = await server.signUp();
  for (const by of [server.anonymous, stranger, server.operator]) {
    const answers = [await open(by, reportId), await open(by, 'rep_00000000000000000000000000')];
    const [theirs, none] = await Promise.all(answers.map((answer) => answer.text()));
    expect(theirs).toBe(none);
    expect(theirs).not.toContain(TITLE);
  }
});

test('the document contains nothing of a live or deleted report', async () => {
  const { reportId: live } = await createShell(server.device);
  expect(await firstScreenOf(await open(server.owner, live))).toBeUndefined();
  bodyOf(await server.owner.api.deleteReport({ params: { id: reportId } }));
  expect(await firstScreenOf(await open(server.owner, reportId))).toBeUndefined();
});
