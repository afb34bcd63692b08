import type { Severity } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AT, findingOf, submissionOf } from '../../test/samples.ts';
import { withFingerprints } from '../identity/distinct-fingerprints.ts';
import { compareFindings, compareFingerprints } from './compare.ts';
import { noFindings } from '../intake/deduplication.ts';
import { submitFinding } from '../intake/intake.ts';
import { redactPointer, redactText, secretPaths } from '../secrets/redact.ts';

const marked = (id: string, fingerprint: string) => ({ id, fingerprint });
const reports = fc.array(
  fc.record({ id: fc.string(), fingerprint: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h') }),
  {
    maxLength: 12,
  },
);

test('[D16] the fingerprint of a finding, not its id, decides whether it is new, fixed or unchanged', () => {
  const base = [marked('F-1', 'a'), marked('F-2', 'b')];
  const current = [marked('F-1', 'c'), marked('F-7', 'b')];
  expect(compareFingerprints(base, current)).toEqual({
    new: [marked('F-1', 'c')],
    fixed: [marked('F-1', 'a')],
    unchanged: [marked('F-7', 'b')],
  });
});

test('[D16] each finding is in exactly one list, and each list is in the order of its report', () => {
  fc.assert(
    fc.property(reports, reports, (base, current) => {
      const { new: added, fixed, unchanged } = compareFingerprints(base, current);
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
      const forth = compareFingerprints(base, current);
      const back = compareFingerprints(current, base);
      expect([forth.new, forth.fixed]).toEqual([back.fixed, back.new]);
    }),
  );
});

test('[D16] a report compared with itself has no new findings', () => {
  fc.assert(
    fc.property(reports, (report) => {
      expect(compareFingerprints(report, report)).toEqual({ new: [], fixed: [], unchanged: report });
    }),
  );
});

test('[D12] a finding without a fingerprint is matched by the fingerprint that intake computes', () => {
  const secrets = { redactText, redactPointer, secretPaths };
  const { set } = submitFinding(noFindings, submissionOf(), { at: AT, secrets });
  const [taken] = set.findings;
  expect(withFingerprints([findingOf()])).toMatchObject([{ fingerprint: taken?.fingerprint }]);
});

test('[D12] a finding with a fingerprint keeps it', () => {
  const fingerprint = 'f'.repeat(64);
  expect(withFingerprints([findingOf({ fingerprint })])).toEqual([findingOf({ fingerprint })]);
});

const rated = (id: string, severity: Severity, tags: string[] = []) => ({
  ...findingOf({ id, severity, tags }),
  fingerprint: id.padEnd(64, '0'),
});

test('[D20] a missing finding is fixed only if the newer scan looked again and git knows both commits', () => {
  const [here, there] = [rated('a', 'high'), rated('b', 'low')];
  const whyUnknown = ({ id }: { readonly id: string }) => (id === 'b' ? 'nobody looked' : undefined);
  const some = compareFindings([here, there], [], { moved: {}, whyUnknown });
  expect([some.fixed, some.unknown]).toEqual([[here], [{ before: there, reason: 'nobody looked' }]]);
  const none = compareFindings([here, there], [], { whyUnknown });
  expect(none.fixed).toEqual([]);
  expect(none.unknown.map(({ reason }) => reason)).toEqual([
    'git does not have both commits',
    'nobody looked',
  ]);
});

test('[D20] a finding that became more severe is both raised and unchanged', () => {
  const pairs = [rated('a', 'medium'), rated('b', 'high'), rated('c', 'low')];
  const now = [rated('a', 'high'), rated('b', 'medium'), rated('c', 'low')];
  const { unchanged, raised } = compareFindings(pairs, now, { moved: {}, whyUnknown: () => undefined });
  expect(unchanged).toEqual(now);
  expect(raised).toEqual([{ before: pairs[0], now: now[0] }]);
});
