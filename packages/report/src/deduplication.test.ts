import { limits, type FindingEvidence } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, submissionOf } from '../test/samples.ts';
import { addFindings, noFindings, type Arrival, type FindingSet } from './deduplication.ts';

const evidenceOf = (name: string): FindingEvidence => ({ kind: 'source', description: `Evidence ${name}.` });
const arrivalOf = (root: string, evidence: readonly string[]): Arrival => ({
  ...submissionOf(),
  fingerprint: root.repeat(64),
  evidence: evidence.map(evidenceOf),
});

const arrivals = fc.array(
  fc
    .tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.array(fc.constantFrom('1', '2', '3', '4', '5'), { minLength: 1, maxLength: 3 }),
    )
    .map(([root, evidence]) => arrivalOf(root, evidence)),
  { maxLength: 15 },
);

/** What is known of each root cause, without order. */
const knownOf = ({ findings }: FindingSet) =>
  Object.fromEntries(
    findings.map(({ fingerprint = '', evidence, corroboration = [] }) => [
      fingerprint,
      [...new Set([...evidence, ...corroboration].map(({ description }) => description))].toSorted(),
    ]),
  );

describe('findings that arrive', () => {
  test('[Finding submission 5] are one finding for each root cause', () => {
    fc.assert(
      fc.property(arrivals, (list) => {
        const { set } = addFindings(noFindings, list, AT);
        const roots = set.findings.map(({ fingerprint }) => fingerprint);
        expect(roots).toEqual([...new Set(list.map(({ fingerprint }) => fingerprint))]);
      }),
    );
  });

  test('[D12] again change nothing', () => {
    fc.assert(
      fc.property(arrivals, (list) => {
        const { set } = addFindings(noFindings, list, AT);
        const again = addFindings(set, list, '2027-01-01T00:00:00.000Z');
        expect(again.set).toEqual(set);
        expect(again.outcomes.every((outcome) => outcome.action === 'merged' && outcome.added === 0)).toBe(
          true,
        );
      }),
    );
  });

  test('[D12] give the same findings and evidence in any order, together or one by one', () => {
    fc.assert(
      fc.property(arrivals, fc.func(fc.integer()), (list, key) => {
        const shuffled = list.toSorted((one, other) => key(one) - key(other));
        let oneByOne: FindingSet = noFindings;
        for (const arrival of shuffled) oneByOne = addFindings(oneByOne, [arrival], AT).set;
        const together = addFindings(noFindings, list, AT).set;
        expect(knownOf(oneByOne)).toEqual(knownOf(together));
        expect(addFindings(noFindings, shuffled, AT).set).toEqual(oneByOne);
      }),
    );
  });

  test('[D8] are numbered as they come and keep their numbers, also when one of them goes', () => {
    const { set } = addFindings(noFindings, [arrivalOf('a', ['1']), arrivalOf('b', ['1'])], AT);
    const [first] = set.findings;
    const without: FindingSet = { ...set, findings: [first!] };
    const { set: next } = addFindings(without, [arrivalOf('a', ['2']), arrivalOf('c', ['1'])], AT);
    expect(next.findings.map(({ id }) => id)).toEqual(['F-1', 'F-3']);
    expect(next.findings[1]).toMatchObject({ status: 'open', firstSeenAt: AT });
  });

  test('[D12] leave the first finding as it was, but for its corroboration', () => {
    const { set } = addFindings(noFindings, [arrivalOf('a', ['1'])], AT);
    const other: Arrival = {
      ...arrivalOf('a', ['1', '2']),
      severity: 'info',
      title: 'Otherwise',
      tags: ['x'],
    };
    const { set: next, outcomes } = addFindings(set, [other], AT);
    expect(next.findings).toEqual([{ ...set.findings[0], corroboration: [evidenceOf('2')] }]);
    expect(outcomes).toEqual([{ action: 'merged', findingId: 'F-1', added: 1, leftOut: 0 }]);
  });

  test('[D12] bring no new evidence by spacing it otherwise or by having it redacted', () => {
    const { set } = addFindings(noFindings, [arrivalOf('a', ['1'])], AT);
    const evidence = [{ ...evidenceOf('1'), description: ' Evidence \n 1. ', redacted: true }];
    expect(addFindings(set, [{ ...arrivalOf('a', []), evidence }], AT).set).toEqual(set);
  });

  test('[D8] corroborate a finding up to 256 times, and say what found no room', () => {
    const many = Array.from({ length: 300 }, (_, index) => `number ${index}`);
    const { set, outcomes } = addFindings(
      noFindings,
      [arrivalOf('a', ['1']), arrivalOf('a', many), arrivalOf('a', ['number 299'])],
      AT,
    );
    expect(set.findings[0]?.corroboration).toHaveLength(256);
    expect(outcomes.slice(1)).toEqual([
      { action: 'merged', findingId: 'F-1', added: 256, leftOut: 44 },
      { action: 'merged', findingId: 'F-1', added: 0, leftOut: 1 },
    ]);
  });

  test('[D12] open again what was verified as fixed', () => {
    const fixed = findingOf({ fingerprint: 'a'.repeat(64), status: 'fixed_verified', fixedAt: AT });
    const { set } = addFindings({ findings: [fixed], lastNumber: 1 }, [arrivalOf('a', ['1'])], AT);
    expect(set.findings[0]?.status).toBe('open');
  });

  test('[D8] are refused once there are 10,000, while those known still merge', () => {
    const findings = Array.from({ length: limits.report.findingsMax }, (_, index) =>
      findingOf({ id: `F-${index + 1}`, fingerprint: index.toString(16).padStart(64, '0') }),
    );
    const full: FindingSet = { findings, lastNumber: findings.length };
    const { set, outcomes } = addFindings(full, [arrivalOf('a', ['1']), arrivalOf('0', ['1'])], AT);
    expect(set.findings).toHaveLength(limits.report.findingsMax);
    expect(outcomes.map(({ action }) => action)).toEqual(['refused', 'merged']);
  });
});
