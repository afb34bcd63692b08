import { limits, severities, verifications } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingOf, reportOf } from '../../test/samples.ts';
import { CanonicalReport, inconsistencies, summarize } from './canonical.ts';

const findings = fc.array(
  fc.record({ severity: fc.constantFrom(...severities), verification: fc.constantFrom(...verifications) }),
  { maxLength: 30 },
);

const accepts = (report: unknown) => validatorOf(CanonicalReport).Check(report);
const numbered = (changes: readonly object[]) =>
  changes.map((change, index) => findingOf({ id: `F-${index + 1}`, ...change }));

describe('a summary', () => {
  test('[ReportSummary] counts every finding by severity and by verification', () => {
    fc.assert(
      fc.property(findings, (list) => {
        const { findingCount, severityCounts, verificationCounts } = summarize(list);
        const sum = (counts: object) => Object.values(counts).reduce((total, count) => total + count, 0);
        expect([findingCount, sum(severityCounts), sum(verificationCounts)]).toEqual(
          Array.from({ length: 3 }, () => list.length),
        );
      }),
    );
  });

  test('[ReportSummary] has candidate and duplicate counts only if they are given', () => {
    expect(Object.keys(summarize([]))).toEqual(['findingCount', 'severityCounts', 'verificationCounts']);
    expect(summarize([], { candidateCount: 9, duplicateCount: 2 })).toMatchObject({
      candidateCount: 9,
      duplicateCount: 2,
    });
  });

  test('[D6] computed from the findings of a report is consistent with them', () => {
    fc.assert(
      fc.property(findings, (list) => {
        expect(inconsistencies(reportOf({ findings: numbered(list) }))).toEqual([]);
      }),
    );
  });

  test('[D6] is reported as inconsistent for each wrong count', () => {
    const report = reportOf({ findings: numbered([{}, { severity: 'low' }]) });
    report.summary.findingCount = 3;
    report.summary.severityCounts.low = 0;
    report.summary.verificationCounts.needs_review = 1;
    expect(inconsistencies(report).map(({ path }) => path)).toEqual([
      '/summary/findingCount',
      '/summary/severityCounts/low',
      '/summary/verificationCounts/needs_review',
    ]);
  });
});

describe('a report', () => {
  test('[D6] with a duplicate finding id is inconsistent', () => {
    const repeated = ['F-1', 'F-2', 'F-1', 'F-1'].map((id) => findingOf({ id }));
    expect(inconsistencies(reportOf({ findings: repeated })).map(({ path }) => path)).toEqual([
      '/findings/2/id',
      '/findings/3/id',
    ]);
  });

  test('[D6] with a long list of faults has only the first ones reported', () => {
    const repeated = Array.from({ length: limits.issuesMax + 2 }, () => findingOf({ id: 'F-1' }));
    const report = reportOf({ findings: repeated });
    report.summary.findingCount += 1;
    const paths = repeated.slice(2).map((_, index) => `/findings/${index + 1}/id`);
    expect(inconsistencies(report).map(({ path }) => path)).toEqual(paths);
    // One place is left after the repeated ids, and two counts are wrong.
    report.findings.splice(-2);
    report.summary.severityCounts.low += 1;
    expect(inconsistencies(report).map(({ path }) => path)).toEqual([
      ...paths.slice(0, -1),
      '/summary/findingCount',
    ]);
  });

  test('[D8] is valid without findings and without optional fields', () => {
    expect(accepts(reportOf({ findings: [] }))).toBe(true);
    const { fingerprint: _fingerprint, status: _status, ...bare } = findingOf();
    expect(accepts(reportOf({ findings: [bare] }))).toBe(true);
  });

  test.each([
    ['project', { name: 'x'.repeat(201) }],
    ['project', { name: 'x', languages: Array.from({ length: 65 }, () => 'ts') }],
    ['project', { name: 'x', fileCount: -1 }],
    ['methodologyVersion', 'x'.repeat(41)],
    ['localReportId', 'seven77'],
    ['schemaVersion', '1.0.1'],
    ['authorization', { basis: 'curiosity', scope: [] }],
    ['coverage', Array.from({ length: 501 }, () => '')],
    ['coverageAreas', [{ id: 'a', name: 'a', status: 'mostly' }]],
    ['limitations', Array.from({ length: 101 }, () => '')],
    ['redactionNotice', 'x'.repeat(2001)],
    ['findings', [findingOf({ corroboration: Array.from({ length: 257 }, () => findingOf().evidence[0]!) })]],
    ['findings', [findingOf({ fingerprint: 'a'.repeat(63) })]],
    ['findings', [{ ...findingOf(), note: 'an unknown field' }]],
  ])('[D8] is rejected for its %s: %j', (field, value) => {
    expect(accepts({ ...reportOf(), [field]: value })).toBe(false);
  });
});
