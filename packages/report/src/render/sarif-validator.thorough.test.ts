/** Validates exports of invented reports and of real logs with Microsoft's validator and GitHub's rules. */
import * as fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findingOf, reportOf } from '../../test/samples.ts';
import { complaintsOf, noValidator, VALIDATION_MAX_MS, type Complaint } from '../../test/sarif-judges.ts';
import { addFindings, noFindings } from '../intake/deduplication.ts';
import { wholeProjection } from '../projection/projection.ts';
import { importSarif } from '../sarif/import.ts';
import { renderSarif } from './sarif.ts';

const AT = '2026-01-02T03:04:05.000Z';
const here = import.meta.dirname;
const folder = process.env['SVC_REAL_REPORTS'] ?? path.join(here, '../../../../../shared/real-reports');
const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.sarif')) : [];
const demo = path.join(here, '../../../../scripts/demo/sample.sarif');

/** The validator's time grows faster than the number of results. */
const FINDINGS_MAX = 40;

function reportOn(file: string) {
  const { findings } = importSarif(fs.readFileSync(file));
  const { set } = addFindings(noFindings, findings.slice(0, FINDINGS_MAX), AT);
  return reportOf({ findings: [...set.findings] });
}

const oddFiles = [
  'a b/ü.ts',
  '/etc/passwd',
  '../x.ts',
  String.raw`C:\x.ts`,
  'file:///x.ts',
  '%2e%2e/x',
  'a:b',
  ' ',
];
const odd = reportOf({
  project: { name: 'shop', repositoryUrl: 'git@example.com:shop/shop.git' },
  scan: { ...reportOf().scan, startedAt: '2026-01-02T00:00:00Z', finishedAt: '2026-01-01T00:00:00Z' },
  findings: oddFiles.map((file, index) =>
    findingOf({
      id: `F-${index + 1}`,
      title: '[a](https://example.com) {0} {{',
      severity: index % 2 === 0 ? 'info' : 'critical',
      status: index === 3 ? 'false_positive' : 'open',
      affected: { component: file, file, lineStart: 9, lineEnd: 2 },
      evidence: [{ kind: 'runtime', description: 'It was seen.', location: `${file}:7`, snippet: 'x\ny' }],
      taxonomy: Array.from({ length: 16 }, (_, number) => `CWE-${index * 16 + number + 1}`),
      firstSeenAt: AT,
    }),
  ),
});

/** The exports of each report in both profiles. One is also exported as for shares, with and without its findings. */
function exportsOf(): Map<string, string> {
  const reports = new Map([
    ['plain', reportOf()],
    ['odd', odd],
    ['none', reportOf({ findings: [] })],
    ['demo', reportOn(demo)],
    ...names.map((name) => [path.basename(name, '.sarif'), reportOn(path.join(folder, name))] as const),
  ]);
  const context = {
    reportUrl: 'https://svc.example/reports/rep_1',
    baseline: { newFindingIds: new Set(['F-1']) },
  };
  const logs = new Map<string, string>();
  for (const [name, report] of reports) {
    const reportId = `rep_${'0'.repeat(26)}`;
    const projection = wholeProjection(report, { reportId, projectedFor: { principalType: 'user' } });
    logs.set(name, renderSarif(projection, context));
    logs.set(`${name}-github`, renderSarif(projection, { ...context, profile: 'github' }));
    if (name !== 'odd') continue;
    const { findings: _, ...rest } = projection;
    logs.set('withheld', renderSarif(rest));
    logs.set('shared', renderSarif({ ...projection, findings: projection.findings ?? [] }));
  }
  return logs;
}

/** An invalid log. Without complaints about it, the lack of complaints about the others would mean nothing. */
const broken = JSON.stringify({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'x' } }, results: [{ message: { text: 'x' }, ruleId: 'x' }] }],
});

describe.skipIf(noValidator !== undefined)(
  'the SARIF validator of Microsoft with the rules of GitHub',
  () => {
    let complaints: Complaint[] = [];
    let complaintsOfBroken: Complaint[] = [];
    beforeAll(() => {
      const all = complaintsOf(exportsOf().set('broken', broken));
      complaints = all.filter(({ log }) => log !== 'broken');
      complaintsOfBroken = all.filter(({ log }) => log === 'broken');
    }, VALIDATION_MAX_MS);

    test.skipIf(names.length === 0)('gets the real reports in the folder of SVC_REAL_REPORTS', () => {
      expect(names.length).toBeGreaterThan(0);
    });

    test('finds errors in an invalid log', () => {
      const errors = complaintsOfBroken.filter(({ level }) => level === 'error');
      expect(errors.map(({ rule }) => rule.split(' ')[0])).toContain('GH1015');
    });

    test('[D11] finds no error in either profile', () => {
      expect(complaints.filter(({ level }) => level === 'error')).toEqual([]);
    });

    test('[D11] warns only about exports for shares, which do not have the URL of the service', () => {
      const rule = 'SARIF2005 Warning_ProvideToolnformationUri';
      expect(complaints.map((complaint) => [complaint.log, complaint.rule])).toEqual([
        ['withheld', rule],
        ['shared', rule],
      ]);
    });
  },
);
