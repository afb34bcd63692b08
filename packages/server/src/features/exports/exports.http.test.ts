/** Reports as their own people get them: in an answer and as files, over HTTP. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFormats, type ExportFormat } from '@svc/contract';
import {
  finalizeWith,
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  createTeam,
  findingBody,
  reportBytesOfSize,
  shareOf,
  startServer,
  syncReport,
  wholePolicy,
  type Actor,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const EMAIL = 'operator@example.test';
const clock = createFakeClock();
let server: TestServer;
let people: Record<
  'owner' | 'member' | 'stranger' | 'administrator' | 'signed out' | 'device' | 'nobody known',
  Actor
>;
let owner: SessionActor;
let device: DeviceActor;
let project: Awaited<ReturnType<typeof bindProject>>;
let final: string;

beforeAll(async () => {
  server = await startServer({ clock, generousPlans: true, config: { platformAdminEmail: EMAIL } });
  owner = await server.signUp();
  const member = await server.signUp();
  const administrator = await server.signUp({ email: EMAIL });
  const team = await createTeam(owner, [member, administrator]);
  device = await server.linkDevice(owner);
  project = await bindProject(owner, team);
  final = (await syncReport(device, { project, body: { project: { name: 'Shop & Söhne' } } })).reportId;
  people = {
    owner,
    member,
    administrator,
    device,
    stranger: await server.signUp(),
    'signed out': server.anonymous,
    'nobody known': server.withCookie('svc_session=nothing'),
  };
});
afterAll(() => server.close());

const exported = (by: Actor, id: string, format: string, query = '', method = 'GET') =>
  by.fetch(`/api/v1/reports/${id}/export/${format}${query}`, { method });
const read = (by: Actor, id: string, method = 'GET') => by.fetch(`/api/v1/reports/${id}`, { method });

async function codeOf(answer: Response): Promise<string> {
  if (answer.ok) return 'ok';
  return ((await answer.json()) as { error: { code: string } }).error.code;
}

async function expired(): Promise<string> {
  const { reportId } = await syncReport(device, { project });
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  return reportId;
}

const outcomes = {
  owner: 'ok',
  member: 'ok',
  stranger: 'NOT_FOUND',
  administrator: 'NOT_FOUND',
  'signed out': 'UNAUTHENTICATED',
  device: 'UNAUTHENTICATED',
  'nobody known': 'UNAUTHENTICATED',
} as const;
const parties = Object.keys(outcomes) as (keyof typeof outcomes)[];

const kinds: Record<ExportFormat, { type: string; extension: string }> = {
  html: { type: 'text/html; charset=utf-8', extension: 'html' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
  markdown: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  sarif: { type: 'application/json; charset=utf-8', extension: 'sarif' },
};

describe('who gets what', () => {
  /** What each party is told of a report, and of its file in each format. */
  async function outcomesOf(id: string): Promise<unknown> {
    const told: Record<string, string[]> = {};
    for (const party of parties) {
      const answers = [await read(people[party], id)];
      for (const format of exportFormats) answers.push(await exported(people[party], id, format));
      told[party] = await Promise.all(answers.map(codeOf));
    }
    return told;
  }

  /** @param ofPeople what its own people are told of it and of its files. */
  const expectedWith = (ofPeople: string, ofFiles = ofPeople) =>
    Object.fromEntries(
      Object.entries(outcomes).map(([party, outcome]) => {
        const [page, file] = outcome === 'ok' ? [ofPeople, ofFiles] : [outcome, outcome];
        return [party, [page, ...exportFormats.map(() => file)]];
      }),
    );

  test('[D17] of a report that is final', async () => {
    expect(await outcomesOf(final)).toEqual(expectedWith('ok'));
  });

  test('[D11] of one that is live: there is no file yet', async () => {
    const { reportId } = await createShell(device, project);
    expect(await outcomesOf(reportId)).toEqual(expectedWith('ok', 'CONFLICT'));
  });

  test('[D6] of one that is gone', async () => {
    expect(await outcomesOf(await expired())).toEqual(expectedWith('REPORT_EXPIRED'));
  });

  test('[T2] a report of others and one that never was answer alike, whatever is asked of them', async () => {
    const never = `rep_${'0'.repeat(26)}`;
    for (const path of ['', '/export/html', '/export/sarif?profile=github']) {
      const texts = [];
      for (const id of [final, never]) {
        const answer = await people.stranger.fetch(`/api/v1/reports/${id}${path}`);
        texts.push((await answer.text()).replace(/"requestId":"[^"]*"/, ''));
      }
      expect(texts[0]).toBe(texts[1]);
    }
  });

  test.each(['pdf', 'HTML', 'sarif.json', '%00', 'md', 'constructor'])(
    '[D11] there is no format %j',
    async (format) => {
      expect(await codeOf(await exported(owner, final, format))).toBe('VALIDATION_FAILED');
    },
  );

  test('[D11] nor a profile but that of GitHub, and it changes SARIF alone', async () => {
    for (const query of ['?profile=gitlab', '?profile=', '?profile=github&profile=github'])
      expect(await codeOf(await exported(owner, final, 'sarif', query))).toBe('VALIDATION_FAILED');
    const [plain, profiled] = [
      await exported(owner, final, 'json'),
      await exported(owner, final, 'json', '?profile=github'),
    ];
    expect(await profiled.text()).toBe(await plain.text());
  });

  test('[D11] the profile leaves out of SARIF what was accepted', async () => {
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

describe.each(exportFormats)('%s', (format) => {
  test(`[D11] ${format}: is a file under the report's name`, async () => {
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

  test(`[D2] ${format}: HEAD has the headers of GET and no body`, async () => {
    const [get, head] = [
      await exported(owner, final, format),
      await exported(owner, final, format, '', 'HEAD'),
    ];
    const told = ({ status, headers }: Response) => [
      status,
      [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)),
    ];
    expect(told(head)).toEqual(told(get));
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  test(`[T15] ${format}: an owner and a member get their own, the same each time`, async () => {
    const text = async (by: Actor) => (await exported(by, final, format)).text();
    expect(await text(owner)).toBe(await text(owner));
    expect(await text(people.member)).toBe(await text(people.member));
  });
});

describe('contents', () => {
  test('[D11] the JSON export is the report of the answer', async () => {
    for (const by of [owner, people.member]) {
      const { report } = (await (await read(by, final)).json()) as { report: unknown };
      expect(await (await exported(by, final, 'json')).json()).toEqual(report);
    }
  });

  test('[D9] each is told as whom they read it', async () => {
    const readAs = async (by: Actor) =>
      (await (await read(by, final)).json()) as { access: string; report: { projectedFor: unknown } };
    expect(await readAs(owner)).toMatchObject({
      access: 'owner',
      report: { projectedFor: { principalType: 'user' } },
    });
    expect(await readAs(people.member)).toMatchObject({
      access: 'member',
      report: { projectedFor: { principalType: 'workspace' } },
    });
  });

  test('[P4] a large report is the same, whatever it is made on and however often', async () => {
    const { reportId, localReportId } = await createShell(device, project);
    const bytes = reportBytesOfSize(localReportId, 600_000);
    await finalizeWith(device, reportId, bytes);
    const texts = await Promise.all(
      Array.from({ length: 3 }, async () => (await exported(owner, reportId, 'json')).text()),
    );
    expect(new Set(texts).size).toBe(1);
    const uploaded = JSON.parse(Buffer.from(bytes).toString()) as { findings: unknown[] };
    const { findings } = JSON.parse(texts[0] ?? '') as { findings: unknown[] };
    expect(findings).toHaveLength(uploaded.findings.length);
  });
});

test('[P4] the service answers others while a large report is rendered', async () => {
  const { reportId, localReportId } = await createShell(device, project);
  const bytes = reportBytesOfSize(localReportId, 1024 * 1024);
  await finalizeWith(device, reportId, bytes);
  const rendering = { isDone: false };
  const rendered = exported(owner, reportId, 'html').then(async (answer) => {
    rendering.isDone = true;
    return (await answer.arrayBuffer()).byteLength;
  });
  const answered: number[] = [];
  while (!rendering.isDone) answered.push((await server.anonymous.fetch('/api/v1/health')).status);
  expect(await rendered).toBeGreaterThan(bytes.length);
  expect(answered.length).toBeGreaterThan(10);
  expect(new Set(answered)).toEqual(new Set([200]));
});

test('[T24] a report that was read and exported in every format is nowhere once it is deleted', async () => {
  const canary = 'KANARIENVOGEL-5b1d93';
  const body = { findings: [{ ...findingBody(1), title: `Order lookup of ${canary} trusts its id` }] };
  const { reportId } = await syncReport(device, { project, body });
  for (const by of [owner, people.member]) {
    expect(await (await read(by, reportId)).text()).toContain(canary);
    for (const format of exportFormats)
      expect(await (await exported(by, reportId, format)).text()).toContain(canary);
  }
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  await server.service.app.uploads.settled();
  for (const answer of [await read(owner, reportId), await exported(owner, reportId, 'html')])
    expect(await codeOf(answer)).toBe('REPORT_EXPIRED');
  const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files).not.toEqual([]);
  expect(files.filter((file) => readFileSync(file).includes(canary))).toEqual([]);
  expect(server.logLines.filter((line) => line.includes(canary))).toEqual([]);
});

describe('[T28] bounds', () => {
  const reportsFor = async (other: TestServer) => {
    const user = await other.signUp();
    const ofUser = await other.linkDevice(user);
    const bound = await bindProject(user, await createTeam(user, []));
    return { user, ofUser, bound };
  };

  test('an export that is too large is CONFLICT, for its people and through a link, and the page is there', async () => {
    await using other = await startServer({ generousPlans: true, exportBounds: { exportBytesMax: 1000 } });
    const { user, ofUser, bound } = await reportsFor(other);
    const { reportId } = await syncReport(ofUser, { project: bound });
    const { slug } = await shareOf(user, reportId, { defaultPolicy: wholePolicy });
    for (const format of exportFormats) {
      expect(await codeOf(await exported(user, reportId, format))).toBe('CONFLICT');
      const shared = await other.anonymous.fetch(`/api/v1/shares/slug/${slug}/export/${format}`);
      expect(await codeOf(shared)).toBe('CONFLICT');
    }
    expect(await codeOf(await read(user, reportId))).toBe('ok');
    expect(await codeOf(await other.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`))).toBe('ok');
    expect(await codeOf(await other.anonymous.fetch(`/s/${slug}`))).toBe('ok');
  });

  test('an export that takes too long is RATE_LIMITED, and is not tried again within a minute', async () => {
    const now = createFakeClock();
    await using other = await startServer({
      clock: now,
      generousPlans: true,
      exportBounds: { renderingWorkMsMax: 1 },
    });
    const { user, ofUser, bound } = await reportsFor(other);
    const { reportId } = await syncReport(ofUser, { project: bound, sizeBytes: 1024 * 1024 });
    const first = await exported(user, reportId, 'html');
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '60']);
    now.advance(30_000);
    const second = await exported(user, reportId, 'html');
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await codeOf(second)).toBe('RATE_LIMITED');
  });

  test('exports of one owner beyond the budget are RATE_LIMITED, and those of another are not', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-budgets-'));
    const throttlesPath = join(folder, 'throttles.json');
    writeFileSync(throttlesPath, JSON.stringify({ rendering: { ownerMs: 1000 } }));
    await using other = await startServer({ generousPlans: true, config: { throttlesPath } });
    const [one, neighbour] = [await reportsFor(other), await reportsFor(other)];
    const { reportId } = await syncReport(one.ofUser, { project: one.bound, sizeBytes: 1_300_000 });
    const { reportId: ofNeighbour } = await syncReport(neighbour.ofUser, { project: neighbour.bound });
    const answers = Promise.all(
      ['html', 'markdown'].map(async (format) => codeOf(await exported(one.user, reportId, format))),
    );
    expect(await codeOf(await exported(neighbour.user, ofNeighbour, 'html'))).toBe('ok');
    expect((await answers).toSorted()).toEqual(['RATE_LIMITED', 'ok']);
    expect(await codeOf(await exported(one.user, reportId, 'markdown'))).toBe('ok');
    rmSync(folder, { recursive: true });
  });
});
