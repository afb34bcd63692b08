import type { Finding, ReportProjection } from '@svc/contract';
import { expect, it } from 'vitest';
import { findingOf, reportOf } from '../../test/samples.ts';
import { wholeProjection } from '../projection/projection.ts';
import { verdictOf } from '../reading/verdict.ts';

function projectionOf(...findings: Partial<Finding>[]): ReportProjection {
  const report = reportOf({ findings: findings.map((changes) => findingOf(changes)) });
  return wholeProjection(report, {
    reportId: 'rep_0123456789abcdefghjkmnpqrs',
    projectedFor: { principalType: 'user' },
  });
}

function without(projection: ReportProjection, ...keys: (keyof ReportProjection)[]): ReportProjection {
  return Object.fromEntries(
    Object.entries(projection).filter(([key]) => !keys.some((left) => left === key)),
  ) as ReportProjection;
}

const some = projectionOf(
  { severity: 'info', verification: 'needs_review' },
  { severity: 'critical' },
  { severity: 'high' },
  { severity: 'critical', verification: 'strong_evidence' },
);

it('lists the severities of the findings, worst first', () => {
  expect(verdictOf(some)).toBe('2 critical, 1 high and 1 informational findings, 2 of them verified.');
});

it('is computed from the findings or from the summary, whichever is present', () => {
  expect(verdictOf(without(some, 'summary'))).toBe(verdictOf(some));
  expect(verdictOf(without(some, 'findings'))).toBe(verdictOf(some));
  expect(verdictOf(without(some, 'findings', 'summary'))).toBeUndefined();
});

it.each([
  [['verified'], '1 high finding, verified.'],
  [['needs_review'], '1 high finding, not verified.'],
  [['verified', 'verified'], '2 high findings, all of them verified.'],
  [['needs_review', 'strong_evidence'], '2 high findings, none of them verified.'],
] as const)('describes findings that are %j as %s', (verifications, verdict) => {
  expect(verdictOf(projectionOf(...verifications.map((verification) => ({ verification }))))).toBe(verdict);
});

it('separates thousands with commas', () => {
  const { summary } = some;
  const severityCounts = { critical: 2000, high: 0, medium: 0, low: 0, info: 0 };
  const verificationCounts = { verified: 1500, strong_evidence: 500, needs_review: 0 };
  const many = { ...summary, findingCount: 2000, severityCounts, verificationCounts };
  expect(verdictOf({ ...some, summary: many })).toBe('2,000 critical findings, 1,500 of them verified.');
});

it('names the areas if there are no findings', () => {
  const empty = projectionOf();
  const area = { id: 'a', name: 'A', status: 'covered' } as const;
  const coverageAreas = [area, { ...area, status: 'partial' }, { ...area, status: 'not_covered' }] as const;
  expect(verdictOf({ ...empty, coverageAreas: [...coverageAreas] })).toBe('No findings in 1 of 3 areas.');
  expect(verdictOf({ ...empty, coverageAreas: [] })).toBe('No findings.');
});

it('[T15] does not claim that a narrowed report has no findings', () => {
  const redactionNotice = 'Parts of this report are left out.';
  expect(verdictOf({ ...projectionOf(), redactionNotice })).toBe('This view has no findings.');
});
