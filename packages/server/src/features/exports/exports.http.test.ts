/** Reports as owners and members get them over HTTP: in a response and as files. */
import { exportFormats, type ExportFormat } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  filesHolding,
  findingBody,
  reportBytesOfSize,
  shareOf,
  startServer,
  syncReport,
  wholePolicy,
  type Actor,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const clock = createFakeClock();
let owner: SessionActor;
let device: DeviceActor;
let project: BoundProject;
let final: string;

const server = sharedTeamServer(clock);

beforeAll(async () => {
  ({ owner, device } = server);
  project = await bindProject(owner, server.team);
  final = (await syncReport(device, { project, body: { project: { name: 'Shop & Söhne' } } })).reportId;
});

const exported = (by: Actor, id: string, format: string, query = '') =>
  by.fetch(`/api/v1/reports/${id}/export/${format}${query}`);
const read = (by: Actor, id: string) => by.fetch(`/api/v1/reports/${id}`);

async function codeOf(answer: Response): Promise<string> {
  if (answer.ok) return 'ok';
  return ((await answer.json()) as { error: { code: string } }).error.code;
}

const kinds: Record<ExportFormat, { type: string; extension: string }> = {
  html: { type: 'text/html; charset=utf-8', extension: 'html' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
  markdown: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  sarif: { type: 'application/json; charset=utf-8', extension: 'sarif' },
};

describe('reading and exporting a report', () => {
  const live = async () => (await createShell(device, project)).reportId;
  async function deleted(): Promise<string> {
    const { reportId } = await syncReport(device, { project });
    bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
    return reportId;
  }

  /** The outcomes of reading the report, and of its export in each format. */
  async function outcomesOf(by: Actor, id: string): Promise<string[]> {
    const answers = [await read(by, id)];
    for (const format of exportFormats) answers.push(await exported(by, id, format));
    return Promise.all(answers.map(codeOf));
  }

  test.each([
    ['[D17] that is final works', async () => final, 'ok', 'ok'],
    ['[D11] that is live: it can be read, and an export is a CONFLICT', live, 'ok', 'CONFLICT'],
    ['[D6] that was deleted is REPORT_EXPIRED', deleted, 'REPORT_EXPIRED', 'REPORT_EXPIRED'],
  ])('%s', async (_title, make, ofReport, ofFiles) => {
    const id = await make();
    for (const by of [owner, server.member])
      expect(await outcomesOf(by, id)).toEqual([ofReport, ...exportFormats.map(() => ofFiles)]);
    for (const by of [server.operator, await server.signUp()])
      expect(new Set(await outcomesOf(by, id))).toEqual(new Set(['NOT_FOUND']));
  });

  test.each(['pdf', 'HTML', 'sarif.json', '%00', 'md', 'constructor'])(
    '[D11] rejects the format %j',
    async (format) => {
      expect(await codeOf(await exported(owner, final, format))).toBe('VALIDATION_FAILED');
    },
  );

  test('[D11] knows only the profile github, which changes only SARIF', async () => {
    for (const query of ['?profile=gitlab', '?profile=', '?profile=github&profile=github'])
      expect(await codeOf(await exported(owner, final, 'sarif', query))).toBe('VALIDATION_FAILED');
    const [plain, profiled] = [
      await exported(owner, final, 'json'),
      await exported(owner, final, 'json', '?profile=github'),
    ];
    expect(await profiled.text()).toBe(await plain.text());
  });

  test('[D11] leaves findings that are set aside out of SARIF with the profile', async () => {
    const findings = [findingBody(1), { ...findingBody(2), status: 'false_positive' }];
    const { reportId } = await syncReport(device, { project, body: { findings } });
    const resultsOf = async (query: string) => {
      const log = (await (await exported(owner, reportId, 'sarif', query)).json()) as {
        runs: { results: unknown[] }[];
      };
      return log.runs[0]?.results.length;
    };
    expect([await resultsOf(''), await resultsOf('?profile=github')]).toEqual([2, 1]);
  });
});

test.each(exportFormats)('[D11] %s is a file named after the report', async (format) => {
  const answer = await exported(owner, final, format);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': kinds[format].type,
    'content-disposition': `attachment; filename="report-shop-sohne-2026-03-04.${kinds[format].extension}"`,
    'cache-control': 'private, no-store, must-revalidate',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none';.*sandbox/);
  expect(await answer.text()).toContain('Order lookup trusts the id it is given');
});

describe('the content of a response or file', () => {
  test('[D11] JSON contains the same report as the response', async () => {
    for (const by of [owner, server.member]) {
      const { report } = (await (await read(by, final)).json()) as { report: unknown };
      expect(await (await exported(by, final, 'json')).json()).toEqual(report);
    }
  });

  test('[P4] a large report is rendered to the same bytes by any thread, any number of times', async () => {
    const { reportId, localReportId } = await syncReport(device, { project, sizeBytes: 600_000 });
    const texts = await Promise.all(
      Array.from({ length: 3 }, async () => (await exported(owner, reportId, 'json')).text()),
    );
    expect(new Set(texts).size).toBe(1);
    const bytes = reportBytesOfSize(localReportId, 600_000);
    const uploaded = JSON.parse(Buffer.from(bytes).toString()) as { findings: unknown[] };
    const { findings } = JSON.parse(texts[0] ?? '') as { findings: unknown[] };
    expect(findings).toHaveLength(uploaded.findings.length);
  });
});

test('[P4] the service answers other requests while a large report is rendered', async () => {
  const { reportId } = await syncReport(device, { project, sizeBytes: 1024 * 1024 });
  const rendering = { isDone: false };
  const rendered = exported(owner, reportId, 'html').then(async (answer) => {
    rendering.isDone = true;
    return (await answer.arrayBuffer()).byteLength;
  });
  const answered: number[] = [];
  while (!rendering.isDone) answered.push((await server.anonymous.fetch('/api/v1/health')).status);
  expect(await rendered).toBeGreaterThan(1024 * 1024);
  expect(answered.length).toBeGreaterThan(10);
  expect(new Set(answered)).toEqual(new Set([200]));
});

test('[T24] no trace remains of a deleted report that was read and exported in every format', async () => {
  const canary = 'KANARIENVOGEL-5b1d93';
  const body = { findings: [{ ...findingBody(1), title: `Order lookup of ${canary} trusts its id` }] };
  const { reportId } = await syncReport(device, { project, body });
  for (const by of [owner, server.member]) {
    expect(await (await read(by, reportId)).text()).toContain(canary);
    for (const format of exportFormats)
      expect(await (await exported(by, reportId, format)).text()).toContain(canary);
  }
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  await server.service.app.uploads.settled();
  for (const answer of [await read(owner, reportId), await exported(owner, reportId, 'html')])
    expect(await codeOf(answer)).toBe('REPORT_EXPIRED');
  expect(filesHolding(server.dataDir, [canary])).toEqual([]);
  expect(server.logLines.filter((line) => line.includes(canary))).toEqual([]);
});

describe('[T28] bounds', () => {
  const reportsFor = async (other: TestServer) => {
    const user = await other.signUp();
    return { user, ofUser: await other.linkDevice(user) };
  };

  test('an export that is too large is CONFLICT, for its owner and through a share, and the page still works', async () => {
    await using other = await startServer({ generousPlans: true, exportBounds: { exportBytesMax: 1000 } });
    const { user, ofUser } = await reportsFor(other);
    const { reportId } = await syncReport(ofUser);
    const { slug } = await shareOf(user, reportId, { defaultPolicy: wholePolicy });
    for (const format of exportFormats) {
      expect(await codeOf(await exported(user, reportId, format))).toBe('CONFLICT');
      const shared = await other.anonymous.fetch(`/api/v1/shares/slug/${slug}/export/${format}`);
      expect(await codeOf(shared)).toBe('CONFLICT');
    }
    expect(await codeOf(await read(user, reportId))).toBe('ok');
    expect(await codeOf(await other.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`))).toBe('ok');
    const asDocument = { headers: { 'sec-fetch-dest': 'document' } };
    expect(await codeOf(await other.anonymous.fetch(`/s/${slug}`, asDocument))).toBe('ok');
  });

  test('an export that takes too long is RATE_LIMITED, and is not tried again within a minute', async () => {
    const now = createFakeClock();
    await using other = await startServer({
      clock: now,
      generousPlans: true,
      exportBounds: { renderingWorkMsMax: 1 },
    });
    const { user, ofUser } = await reportsFor(other);
    const { reportId } = await syncReport(ofUser, { sizeBytes: 1024 * 1024 });
    const first = await exported(user, reportId, 'html');
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '60']);
    now.advance(30_000);
    const second = await exported(user, reportId, 'html');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await codeOf(second)).toBe('RATE_LIMITED');
  });

  test('exports beyond the budget of one owner are RATE_LIMITED, and those of another owner are not', async () => {
    const budgets = { rendering: { ownerMs: 1000 } };
    await using other = await startServer({ generousPlans: true, budgets });
    const [one, neighbour] = [await reportsFor(other), await reportsFor(other)];
    const { reportId } = await syncReport(one.ofUser, { sizeBytes: 1_300_000 });
    const { reportId: ofNeighbour } = await syncReport(neighbour.ofUser);
    const answers = Promise.all(
      ['html', 'markdown'].map(async (format) => codeOf(await exported(one.user, reportId, format))),
    );
    expect(await codeOf(await exported(neighbour.user, ofNeighbour, 'html'))).toBe('ok');
    expect((await answers).toSorted()).toEqual(['RATE_LIMITED', 'ok']);
    expect(await codeOf(await exported(one.user, reportId, 'markdown'))).toBe('ok');
  });
});
