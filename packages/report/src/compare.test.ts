import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AT, findingOf, submissionOf } from '../test/samples.ts';
import { compareFindings, withFingerprint } from './compare.ts';
import { noFindings } from './deduplication.ts';
import { submitFinding } from './intake.ts';
import { redactPointer, redactText, secretPaths } from './redact.ts';

const marked = (id: string, fingerprint: string) => ({ id, fingerprint });
const reports = fc.array(
  fc.record({ id: fc.string(), fingerprint: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') }),
  {
    maxLength: 12,
  },
);

test('[D16] a finding is new, fixed or unchanged by its fingerprint, whatever its id', () => {
  const base = [marked('F-1', 'a'), marked('F-2', 'b')];
  const current = [marked('F-1', 'c'), marked('F-7', 'b')];
  expect(compareFindings(base, current)).toEqual({
    new: [marked('F-1', 'c')],
    fixed: [marked('F-1', 'a')],
    unchanged: [marked('F-7', 'b')],
  });
});

test('[D16] each finding is in exactly one list, and in the order of its report', () => {
  fc.assert(
    fc.property(reports, reports, (base, current) => {
      const { new: added, fixed, unchanged } = compareFindings(base, current);
      const known = new Set(unchanged);
      expect(current.filter((finding) => !known.has(finding))).toEqual(added);
      expect(current.filter((finding) => known.has(finding))).toEqual(unchanged);
      const gone = new Set(fixed);
      const kept = new Set(unchanged.map(({ fingerprint }) => fingerprint));
      expect(base.filter((finding) => gone.has(finding))).toEqual(fixed);
      expect(base.every((finding) => gone.has(finding) !== kept.has(finding.fingerprint))).toBe(true);
    }),
  );
});

test('[D16] what is new in one direction is fixed in the other', () => {
  fc.assert(
    fc.property(reports, reports, (base, current) => {
      const forth = compareFindings(base, current);
      const back = compareFindings(current, base);
      expect([forth.new, forth.fixed]).toEqual([back.fixed, back.new]);
    }),
  );
});

test('[D16] a report has nothing new beside itself', () => {
  fc.assert(
    fc.property(reports, (report) => {
      expect(compareFindings(report, report)).toEqual({ new: [], fixed: [], unchanged: report });
    }),
  );
});

test('[D12] a finding without a fingerprint has the one that intake would give it', () => {
  const secrets = { redactText, redactPointer, secretPaths };
  const { set } = submitFinding(noFindings, submissionOf(), { at: AT, secrets });
  const [taken] = set.findings;
  expect(withFingerprint(findingOf()).fingerprint).toBe(taken?.fingerprint);
});

test('[D12] a finding that bears a fingerprint keeps it', () => {
  const fingerprint = 'f'.repeat(64);
  expect(withFingerprint(findingOf({ fingerprint }))).toEqual(findingOf({ fingerprint }));
});
