/**
 * The sample report, as its owners read it and as a customer reads it through a share link. Both are created by the
 * projection that the service uses, so the page shows exactly what the product does.
 */
import { createHmac } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { ReportProjection, type Issue, type SharePolicy } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import {
  CanonicalReport,
  inconsistencies,
  projectReport,
  secretPaths,
  summarize,
  wholeProjection,
} from '@svc/report';

const file = path.join(import.meta.dirname, 'report.json');
const reportId = `rep_${'0'.repeat(26)}`;

export interface SampleProjections {
  readonly team: ReportProjection;
  readonly customer: ReportProjection;
}

/** @throws Error that lists what is wrong with the sample. */
export function readSample(): CanonicalReport {
  const given: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
  const shape = issuesOf(validatorOf(CanonicalReport), given);
  if (shape.length > 0) throw wrong(shape);
  const report = given as CanonicalReport;
  const secrets = secretPaths(report).map((place) => ({ path: place, message: 'looks like a secret' }));
  const issues = [...inconsistencies(report), ...secrets];
  if (issues.length > 0) throw wrong(issues, report);
  return report;
}

export function sampleProjections(): SampleProjections {
  const report = readSample();
  const projections = {
    team: wholeProjection(report, { reportId, projectedFor: { principalType: 'user' } }),
    customer: projectReport(
      report,
      { reportId, projectedFor: { principalType: 'anonymous' } },
      { policy: customerPolicy(report), projectNames: [], pseudonymOf },
    ),
  };
  for (const projection of Object.values(projections)) {
    const issues = issuesOf(validatorOf(ReportProjection), projection);
    if (issues.length > 0) throw wrong(issues);
  }
  return projections;
}

/** What a customer sees: the worst findings and their remediation, without code, names and reproduction. */
export function customerPolicy({ findings }: CanonicalReport): SharePolicy {
  const worst = findings.filter(({ severity }) => severity === 'critical' || severity === 'high');
  return {
    version: 1,
    sections: { mode: 'allow_all' },
    findings: { mode: 'allow_listed', ids: worst.map(({ id }) => id) },
    fields: { evidence: true, code: false, reproduction: false, remediation: true, metadata: true },
    anonymize: true,
  };
}

function pseudonymOf(fingerprint: string): string {
  return createHmac('sha256', 'the link of the sample').update(fingerprint).digest('hex');
}

function wrong(issues: readonly Issue[], report?: CanonicalReport): Error {
  const lines = issues.map(({ path: place, message }) => `${place}: ${message}`);
  const counts = report && [`The findings add up to ${JSON.stringify(summarize(report.findings))}`];
  return new Error(
    ['scripts/sample/report.json is no valid report:', ...lines, ...(counts ?? [])].join('\n'),
  );
}
