import { severities, type ProjectedFinding, type ReportProjection } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interferencePairs } from '../../test/interference.ts';
import { projectReport } from '../projection/projection.ts';
import { firstScreenOf, renderFirstScreen } from './first-screen.ts';

const base: ReportProjection = {
  id: 'rep_00000000000000000000000001',
  schemaVersion: '1.0.0',
  projectedFor: { principalType: 'anonymous' },
};

function finding(number: number, given: Partial<ProjectedFinding> = {}): ProjectedFinding {
  return {
    id: `F-${number}`,
    title: `Finding ${number}`,
    category: 'ssrf',
    severity: severities[number % severities.length] ?? 'info',
    verification: 'verified',
    summary: 'It is so.',
    impact: 'It matters.',
    affected: { component: `part ${number % 70}` },
    evidence: [],
    remediation: '',
    verificationPlan: '',
    ...given,
  };
}

const many = (count: number, given?: Partial<ProjectedFinding>) =>
  Array.from({ length: count }, (_, index) => finding(index + 1, given));

test('a report of fifty findings is sent whole, in its own order', () => {
  const report = { ...base, findings: many(50), coverage: ['All of it.'] };
  expect(firstScreenOf(report)).toMatchObject({ report, isWhole: true, totals: { findings: 50 } });
});

test('a larger report is cut to the fifty worst findings, in report order within a severity', () => {
  const { report, isWhole, totals } = firstScreenOf({ ...base, findings: many(300) });
  const ids = (report.findings ?? []).map(({ id }) => id);
  expect([isWhole, totals?.findings, ids.length]).toEqual([false, 300, 50]);
  expect(ids.slice(0, 3)).toEqual(['F-5', 'F-10', 'F-15']);
  expect(new Set(report.findings?.map(({ severity }) => severity))).toEqual(new Set(['critical']));
});

test('if the findings are long, only as many as fit are sent, but always the first', () => {
  const long = { impact: 'x'.repeat(300_000) };
  const { report, isWhole } = firstScreenOf({ ...base, findings: many(3, long) });
  expect([isWhole, report.findings?.length]).toEqual([false, 1]);
});

test('totals count all findings, with the fifty most frequent values of a facet', () => {
  const { totals } = firstScreenOf({ ...base, findings: [...many(140), finding(1), finding(1)] });
  expect(totals?.facets.severity).toEqual([
    ['high', 30],
    ['critical', 28],
    ['info', 28],
    ['low', 28],
    ['medium', 28],
  ]);
  expect(totals?.facets.component).toHaveLength(50);
  expect(totals?.facets.component[0]).toEqual(['part 1', 4]);
  expect(totals?.facets.status).toEqual([['open', 142]]);
});

test('a projection without findings has no totals', () => {
  expect(firstScreenOf(base)).toEqual({ report: base, isWhole: true, totals: null });
});

test('[T12] the JSON of any report contains no < and parses to the same value', () => {
  fc.assert(
    fc.property(interferencePairs(), fc.string(), ({ report, projectedFor, sharing }, text) => {
      const projection = projectReport(report, projectedFor, sharing);
      const hostile = { ...projection, limitations: [`</script><!--${text}`] };
      const json = renderFirstScreen(hostile);
      expect(json).not.toContain('<');
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(firstScreenOf(hostile))));
    }),
    { numRuns: 100 },
  );
});
