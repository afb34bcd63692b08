/**
 * Reports with a canary in every part that a share's policy hides, shared, read, exported, guessed at and deleted. No
 * response, header, file name, log line, cached rendering, row or file contains a canary. Only the ids of findings are
 * in rows.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { SharePolicy } from '@svc/contract';
import { canaries, canariesIn, interferencePairs } from '@svc/report/interference';
import {
  finalizeWith,
  bodyOf,
  bytesOf,
  columnsOf,
  contentOfFilesIn,
  createShell,
  postgresUrl,
  shareOf,
  startServer,
  wholePolicy,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import fc from 'fast-check';
import { LRUCache } from 'lru-cache';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ask, answersOf, type ProbedAnswer } from './probing.ts';

const PASSWORD = 'a word for guests';

const policies: Readonly<Record<string, SharePolicy>> = {
  'nothing at all': { version: 1 },
  'the summary alone': { version: 1, sections: { ids: ['summary'] }, findings: { mode: 'allow_all' } },
  'less severe findings without their fields': {
    version: 1,
    sections: { mode: 'allow_all' },
    findings: { mode: 'allow_all', maxSeverity: 'high' },
  },
  'findings that are named': {
    ...wholePolicy,
    findings: { mode: 'allow_listed', ids: ['F-1', 'F-2', 'F-3', 'F-12'] },
  },
  'everything without names': { ...wholePolicy, anonymize: true },
};

let server: TestServer;
let owner: SessionActor;
/** The canaries of every report. */
const planted: string[] = [];
const answers: ProbedAnswer[] = [];
/** What was cached in memory, as texts. */
const kept: string[] = [];

beforeAll(async () => {
  const set = LRUCache.prototype.set;
  vi.spyOn(LRUCache.prototype, 'set').mockImplementation(function (
    this: LRUCache<object, object>,
    key,
    value,
    ...rest
  ) {
    kept.push(textOfKept(key, value));
    return set.call(this, key, value, ...rest) as LRUCache<object, object>;
  });
  server = await startServer({ generousPlans: true });
  owner = await server.signUp();
  for (const policy of Object.values(policies)) await shareAndVisit(policy);
  // The other reports still exist when stored data is searched.
  await deleteAndVisit(await shareAndVisit({ version: 1 }));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
});

/** A report with findings of many kinds. */
function reportFor(policy: SharePolicy) {
  const [pair] = fc.sample(
    interferencePairs().filter(({ report }) => report.findings.length > 4),
    { numRuns: 1, seed: 7 },
  );
  if (!pair) throw new Error('no sample');
  return canaries(pair.report, policy);
}

async function shareAndVisit(policy: SharePolicy): Promise<Shared> {
  const device = await server.linkDevice(owner);
  const { reportId, localReportId } = await createShell(device);
  const made = reportFor(policy);
  // The service's rows contain the client's id of the report.
  const report = { ...made.report, localReportId };
  planted.push(...made.canaries.filter((canary) => canary !== made.report.localReportId));
  await finalizeWith(device, reportId, bytesOf(JSON.stringify(report)));

  const { slug, shareId } = await shareOf(owner, reportId, { defaultPolicy: policy });
  const locked = await shareOf(owner, reportId, { defaultPolicy: policy, password: PASSWORD });
  answers.push(
    ...(await answersOf(server.anonymous, slug)),
    ...(await answersOf(server.anonymous, locked.slug)),
  );
  for (const link of [{}, { shareId }]) {
    const body = JSON.stringify({ policy, principalType: 'anonymous', ...link });
    const headers = { 'content-type': 'application/json' };
    const path = `/api/v1/reports/${reportId}/projection-preview`;
    answers.push(await ask(owner, path, headers, { method: 'POST', body }));
  }
  await visitInVain(slug, locked.slug);
  return { reportId, slug };
}

async function deleteAndVisit({ reportId, slug }: Shared): Promise<void> {
  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  answers.push(...(await answersOf(server.anonymous, slug)), await ask(owner, `/api/v1/reports/${reportId}`));
}

interface Shared {
  readonly reportId: string;
  readonly slug: string;
}

/** Rejected and denied requests of every kind. */
async function visitInVain(slug: string, locked: string): Promise<void> {
  const { anonymous } = server;
  const link = `/api/v1/shares/slug/${locked}`;
  answers.push(...(await answersOf(anonymous, 'x'.repeat(27))));
  answers.push(await ask(anonymous, `/api/v1/shares/slug/${slug}/export/docx`));
  for (let guess = 0; guess < 12; guess += 1)
    answers.push(await ask(anonymous, `${link}/report`, { 'x-svc-share-password': `guess ${guess}` }));
  answers.push(await ask(anonymous, `${link}/export/html`, { 'x-svc-share-password': PASSWORD }));
}

function textOfKept(key: unknown, value: unknown): string {
  const { bytes, ...rest } = (value ?? {}) as { bytes?: Uint8Array; report?: object };
  const coding = /(?: (br|gzip))?$/.exec(String(key))?.[1];
  const decode = coding === 'br' ? brotliDecompressSync : coding === 'gzip' ? gunzipSync : Buffer.from;
  return [key, JSON.stringify(rest), bytes === undefined ? '' : decode(bytes).toString()].join('\n');
}

const haystacks: Readonly<Record<string, () => Promise<string> | string>> = {
  'response or header': () => JSON.stringify(answers.map(({ headers, body }) => [headers, body])),
  'line of the log': () => server.logLines.join('\n'),
  'cached value': () => kept.join('\n'),
  'column of a table': async () => (await columnsOf(server)).join('\n'),
  'file of the data folder': () => contentOfFilesIn(server.dataDir),
};

/** Texts that must be found, to prove that the search works. */
const straw: Readonly<Record<string, string>> = {
  'response or header': 'attachment; filename=',
  'line of the log': '/api/v1/shares/slug/:slug/export/:format',
  'cached value': '<!doctype html>',
  'column of a table': '$argon2id$',
  'file of the data folder': postgresUrl === undefined ? '$argon2id$' : '',
};

test('the searched requests had responses of every kind, and canaries of every kind were planted', () => {
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].toSorted((one, other) => one - other)).toEqual([200, 401, 404, 410, 422, 429]);
  expect(planted.length).toBeGreaterThan(500);
  expect(kept.length).toBeGreaterThan(50);
});

test.each(Object.keys(haystacks))('[T15] [T19] no %s contains what a share hides', async (where) => {
  const text = (await haystacks[where]?.()) ?? '';
  expect(text).toContain(straw[where]);
  const stored = where.startsWith('column') || where.startsWith('file');
  // Rows contain the ids of findings, by which a project's reports are compared; no row contains a text of a finding.
  const wanted = planted.filter((canary) => !stored || !/^F-\d+$/.test(canary));
  expect(canariesIn(text, [...new Set(wanted)])).toEqual([]);
});

test('the search finds what the owner of a report receives', async () => {
  const device = await server.linkDevice(owner);
  const { reportId, localReportId } = await createShell(device);
  const made = reportFor({ version: 1 });
  const bytes = bytesOf(JSON.stringify({ ...made.report, localReportId }));
  await finalizeWith(device, reportId, bytes);
  const { body } = await ask(owner, `/api/v1/reports/${reportId}/export/html`, { 'accept-encoding': 'br' });
  const shown = canariesIn(body, made.canaries);
  expect(shown.length).toBeGreaterThan(made.canaries.length - 10);
  expect(canariesIn(kept.join('\n'), shown)).toEqual(shown);
});
