import { CARRIED_TAG, type SharePolicy } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interferencePairs } from '../../test/interference.ts';
import { findingOf, reportOf } from '../../test/samples.ts';
import { filteredReport, listedUnder } from './filtered-report.ts';
import { projectReport } from './projection.ts';
import { canonicalPolicy, findingsOf, sectionsOf } from './share-policy.ts';

test('[T30] a filtered report has the same projection as the whole report', () => {
  fc.assert(
    fc.property(interferencePairs(), ({ report, other, policy, projectedFor, sharing }) => {
      for (const each of [report, other])
        expect(JSON.stringify(projectReport(filteredReport(each, policy), projectedFor, sharing))).toBe(
          JSON.stringify(projectReport(each, projectedFor, sharing)),
        );
    }),
  );
});

test('[T30] a filtered report contains no hidden finding, and filtering it again changes nothing', () => {
  fc.assert(
    fc.property(interferencePairs(), ({ report, policy }) => {
      const filtered = filteredReport(report, policy);
      const sections = sectionsOf(policy);
      const kept = sections.has('findings') || sections.has('summary') ? findingsOf(policy) : () => false;
      expect(filtered.findings.map(({ id }) => id)).toEqual(report.findings.filter(kept).map(({ id }) => id));
      expect(JSON.stringify(filteredReport(filtered, policy))).toBe(JSON.stringify(filtered));
    }),
  );
});

test('[T30] a filtered report has the same bytes with and without hidden findings, fields and sections', () => {
  const policy: SharePolicy = {
    version: 1,
    sections: { mode: 'allow_listed', ids: ['findings', 'summary'] },
    findings: { mode: 'allow_all', maxSeverity: 'medium' },
    fields: { remediation: true },
  };
  const shown = findingOf({ id: 'F-7', severity: 'low' });
  const few = reportOf({ findings: [shown] });
  const many = reportOf({
    findings: [
      ...Array.from({ length: 20 }, (_, at) => findingOf({ id: `F-${at + 10}`, severity: 'high' })),
      { ...shown, reproduction: 'Ask twice.', tags: [CARRIED_TAG], evidence: [] },
    ],
    limitations: ['Only a part was read.'],
    scan: { ...few.scan, tools: [{ name: 'scanner', findings: 20 }] },
  });
  expect(JSON.stringify(filteredReport(many, policy))).toBe(JSON.stringify(filteredReport(few, policy)));
});

test('[T30] triage decisions are shown only if findings are listed', () => {
  const listing: SharePolicy = {
    version: 1,
    sections: { mode: 'allow_all' },
    findings: { mode: 'allow_all' },
  };
  const counting: SharePolicy = { ...listing, sections: { mode: 'deny_listed', ids: ['findings'] } };
  expect(listedUnder(listing)(findingOf())).toBe(true);
  expect(listedUnder(counting)(findingOf())).toBe(false);
});

test('policies that differ only in the order of keys and ids have the same canonical text', () => {
  const one: SharePolicy = {
    version: 1,
    findings: { mode: 'allow_listed', ids: ['F-2', 'F-1', 'F-2'] },
    anonymize: true,
  };
  const same: SharePolicy = {
    anonymize: true,
    findings: { ids: ['F-1', 'F-2'], mode: 'allow_listed' },
    version: 1,
  };
  expect(canonicalPolicy(same)).toBe(canonicalPolicy(one));
  expect(canonicalPolicy({ ...same, anonymize: false })).not.toBe(canonicalPolicy(one));
});
