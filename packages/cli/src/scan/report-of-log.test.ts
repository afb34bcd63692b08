/**
 * The report that a page creates from a dropped log equals the one that a scan of a folder without files creates from
 * it.
 */
import { limits } from '@svc/contract';
import { importSarif, type CanonicalReport } from '@svc/report';
import { reportOfLog } from '@svc/report/making/report-of-log';
import { secretSamples } from '@svc/report/secret-samples';
import { isThorough } from '@svc/testkit/lane';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AT, newReport, TemporaryFolder } from '../../test/local-reports.ts';
import { ownPaths } from '../report/own-paths.ts';
import { checkoutLines } from '../scanners/checkout-lines.ts';
import { checkoutFiles, importSarifFiles, type Inventory } from '../scanners/index.ts';
import { resultOf } from '../scanners/scan-result.ts';
import { frozenReport } from '../store/freezing.ts';
import { claim } from '../store/leases.ts';
import { createReport } from '../store/reports.ts';
import { openStore } from '../store/store.ts';
import { finishScan } from './finish-scan.ts';

const NAME = 'linter.sarif';
const { isSyncWanted: _, repositoryRoot: __, createdAt: ___, scan: ____, ...described } = newReport();
const noFiles: Inventory = {
  files: [],
  settings: [],
  languages: [],
  fileCount: 0,
  isGit: false,
  links: 0,
  submodules: 0,
  unreadable: 0,
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(AT) }));
afterEach(() => void vi.useRealTimers());

async function reportOfScan(log: string) {
  using folder = new TemporaryFolder();
  using store = await openStore(path.join(folder.path, 'store'));
  const root = path.join(folder.path, 'nothing');
  createReport(store, newReport({ repositoryRoot: root }));
  const lease = claim(store, described.localReportId, Date.now());
  if (lease === undefined) throw new Error('A new report already has a lease.');
  writeFileSync(path.join(folder.path, NAME), log);
  const files = await importSarifFiles([NAME], {
    folder: folder.path,
    roots: [root],
    linesOf: checkoutLines(root),
    files: checkoutFiles(root, noFiles),
    withoutLocalPaths: ownPaths(root).text,
    standardInput: Readable.from([]),
    signal: new AbortController().signal,
  });
  const result = resultOf({ inventory: noFiles, runs: [], files });
  finishScan(store, described.localReportId, result, { agent: 'agent', lease, moved: new Map() });
  return Buffer.from(frozenReport(store, described.localReportId)?.bytes ?? []).toString();
}

function reportOfPage(log: string) {
  const file = { name: NAME, imported: importSarif(log) };
  const sizeBytesMax = limits.reportBytesMaxDefault;
  const { bytes } = reportOfLog(file, { ...described, startedAt: AT, at: AT, sizeBytesMax });
  const { project, ...rest } = JSON.parse(Buffer.from(bytes).toString()) as CanonicalReport;
  // Only a scan knows how many files it saw.
  const { name } = project;
  const [before, after] = [Object.entries(rest).slice(0, 4), Object.entries(rest).slice(4)];
  const seen = { project: { name, languages: [], fileCount: 0 } };
  return JSON.stringify({ ...Object.fromEntries(before), ...seen, ...Object.fromEntries(after) });
}

const resultAt = (uri: string, text: string, more: object = {}) => ({
  ruleId: 'R1',
  message: { text },
  locations: [
    { physicalLocation: { artifactLocation: { uri }, region: { startLine: 3, snippet: { text } } } },
  ],
  ...more,
});
const logOf = (results: readonly unknown[], more: object = {}) =>
  JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Linter', version: '2', rules: [{ id: 'R1' }] } }, results, ...more }],
  });

const large = logOf(
  Array.from({ length: 10_050 }, (_item, index) => ({
    ruleId: `R${index}`,
    level: index < 60 ? 'note' : 'error',
    message: { text: `Result ${index}` },
  })),
);

test.each<readonly [string, string]>([
  ...(isThorough ? [['more results than a report holds', large] as const] : []),
  [
    'secrets',
    logOf(secretSamples.map(({ text }, index) => resultAt(`src/${index}.ts`, `It contains ${text}`))),
  ],
  [
    'paths of other machines, repeated and suppressed results',
    logOf([
      resultAt('file:///home/ada/shop/src/a.ts', 'In /home/ada/shop/src/a.ts.'),
      resultAt('src/b.ts', 'Twice in one file'),
      resultAt('src/b.ts', 'Twice in one file'),
      resultAt('src/c.ts', 'Accepted', { suppressions: [{ kind: 'external' }] }),
      resultAt('src/d.ts', 'Known by the tool', { partialFingerprints: { 'primary/v1': 'abc' } }),
      { message: { text: 'Nowhere' } },
      'not an object',
    ]),
  ],
  ['a failed tool', logOf([resultAt('a.ts', 'One')], { invocations: [{ executionSuccessful: false }] })],
  ['no result', logOf([])],
])('[D8] a page and a scan create the same report from a log with %s', async (_name, log) => {
  const dropped = reportOfPage(log);
  expect(dropped).toBe(await reportOfScan(log));
  for (const { secret } of secretSamples) expect(dropped).not.toContain(JSON.stringify(secret).slice(1, -1));
});
