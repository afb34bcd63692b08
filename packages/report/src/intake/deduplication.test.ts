import { limits, type FindingEvidence } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, submissionOf } from '../../test/samples.ts';
import {
  addFindings,
  addResults,
  noFindings,
  SUPPRESSED,
  type Arrival,
  type FindingSet,
} from './deduplication.ts';

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

/** The evidence of each root cause, sorted. */
const knownOf = ({ findings }: FindingSet) =>
  Object.fromEntries(
    findings.map(({ fingerprint = '', evidence, corroboration = [] }) => [
      fingerprint,
      [...new Set([...evidence, ...corroboration].map(({ description }) => description))].toSorted(),
    ]),
  );

describe('submitted findings', () => {
  test('[Finding submission 5] become one finding for each root cause', () => {
    fc.assert(
      fc.property(arrivals, (list) => {
        const { set } = addFindings(noFindings, list, AT);
        const roots = set.findings.map(({ fingerprint }) => fingerprint);
        expect(roots).toEqual([...new Set(list.map(({ fingerprint }) => fingerprint))]);
      }),
    );
  });

  test('[D12] change nothing when they are submitted again', () => {
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

  test('[D12] give the same findings and evidence in any order, together or separately', () => {
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

  test('[D8] are numbered in order and keep their numbers when one is removed', () => {
    const { set } = addFindings(noFindings, [arrivalOf('a', ['1']), arrivalOf('b', ['1'])], AT);
    const [first] = set.findings;
    const without: FindingSet = { ...set, findings: [first!] };
    const { set: next } = addFindings(without, [arrivalOf('a', ['2']), arrivalOf('c', ['1'])], AT);
    expect(next.findings.map(({ id }) => id)).toEqual(['F-1', 'F-3']);
    expect(next.findings[1]).toMatchObject({ status: 'open', firstSeenAt: AT });
  });

  test('[D12] change only the corroboration of the first finding', () => {
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

  test('[D12] add no evidence that differs only in white space or redaction', () => {
    const { set } = addFindings(noFindings, [arrivalOf('a', ['1'])], AT);
    const evidence = [{ ...evidenceOf('1'), description: ' Evidence \n 1. ', redacted: true }];
    expect(addFindings(set, [{ ...arrivalOf('a', []), evidence }], AT).set).toEqual(set);
  });

  test('[D8] corroborate a finding up to 256 times, and the rest is counted', () => {
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

  test('[D12] reopen a finding that was verified as fixed', () => {
    const fixed = findingOf({ fingerprint: 'a'.repeat(64), status: 'fixed_verified', fixedAt: AT });
    const { set } = addFindings({ findings: [fixed], lastNumber: 1 }, [arrivalOf('a', ['1'])], AT);
    expect(set.findings[0]?.status).toBe('open');
  });

  test('[D8] beyond 10,000 are rejected, while known ones still merge', () => {
    const findings = Array.from({ length: limits.report.findingsMax }, (_, index) =>
      findingOf({ id: `F-${index + 1}`, fingerprint: index.toString(16).padStart(64, '0') }),
    );
    const full: FindingSet = { findings, lastNumber: findings.length };
    const { set, outcomes } = addFindings(full, [arrivalOf('a', ['1']), arrivalOf('0', ['1'])], AT);
    expect(set.findings).toHaveLength(limits.report.findingsMax);
    expect(outcomes.map(({ action }) => action)).toEqual(['rejected', 'merged']);
  });
});

describe('results of scanners', () => {
  const open = arrivalOf('a', ['1']);
  const suppressed: Arrival = {
    ...open,
    severity: 'low',
    status: 'accepted_risk',
    evidence: [...open.evidence, { kind: 'other', description: `${SUPPRESSED} Accepted by the team.` }],
  };

  test('[D26] that are equal become one finding, at the worst severity, and open if one is not suppressed', () => {
    for (const order of [
      [open, suppressed],
      [suppressed, open],
    ]) {
      const { set } = addResults(noFindings, order, AT);
      expect(set.findings).toMatchObject([{ id: 'F-1', severity: open.severity, status: 'open' }]);
    }
    const { set } = addResults(noFindings, [suppressed, suppressed], AT);
    expect(set.findings).toMatchObject([{ severity: 'low', status: 'accepted_risk' }]);
  });

  test('do not reopen a finding that a person has set aside', () => {
    const { set } = addResults(noFindings, [open], AT);
    const decided = {
      ...set,
      findings: set.findings.map((one) => ({ ...one, status: 'accepted_risk' as const })),
    };
    expect(addResults(decided, [open], AT).set).toEqual(decided);
  });
});
