/** When decisions hold for findings of a later report, and under which fingerprints they are looked for. */
import { findingStatuses, isSetAside, severities } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rated } from '../model/status.ts';
import { fingerprintsToAsk, statusCarriedOver, statusesDecided, type Decidable } from './carrying.ts';

const [OLD, NEW, OTHER] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const finding = (fingerprint: string, more: Partial<Decidable> = {}): Decidable => ({
  fingerprint,
  severity: 'medium',
  status: 'open',
  ...more,
});
const accepted = { status: 'accepted_risk', severity: 'medium' } as const;
const rejected = { status: 'false_positive', severity: 'medium' } as const;

test('[D20] a decision holds for an open finding that is not more severe than before, unless its identity is weak', () => {
  const rated = fc.record({
    status: fc.constantFrom(...findingStatuses),
    severity: fc.constantFrom(...severities),
  });
  fc.assert(
    fc.property(rated, rated, fc.boolean(), (decided, now, isWeak) => {
      const rose = severities.indexOf(now.severity) < severities.indexOf(decided.severity);
      const holds = isSetAside(decided.status) && now.status === 'open' && !rose && !isWeak;
      expect(statusCarriedOver(decided, { ...now, isWeak })).toBe(holds ? decided.status : undefined);
      expect(statusCarriedOver(undefined, { ...now, isWeak })).toBeUndefined();
    }),
  );
});

describe('[D26] a finding whose fingerprint changed', () => {
  const moves = [{ from: OLD, to: NEW }];
  const decide = (
    findings: readonly Decidable[],
    decisions: Parameters<typeof statusesDecided>[1],
    given = moves,
  ) => statusesDecided(findings, decisions, given);

  test('is looked up and decided under both fingerprints', () => {
    expect(fingerprintsToAsk([finding(NEW)], moves)).toEqual([NEW, OLD]);
    expect(decide([finding(NEW)], new Map([[OLD, accepted]]))).toEqual(['accepted_risk']);
    expect(decide([finding(NEW)], new Map([[NEW, accepted]]))).toEqual(['accepted_risk']);
    expect(decide([finding(NEW)], new Map([[OTHER, accepted]]))).toEqual([undefined]);
  });

  test('prefers a decision about its earlier fingerprint to one about its current fingerprint', () => {
    const both = new Map<string, Rated>([
      [OLD, rejected],
      [NEW, accepted],
    ]);
    expect(decide([finding(NEW)], both)).toEqual(['false_positive']);
  });

  test('does not take over a decision if another finding still has the earlier fingerprint', () => {
    const findings = [finding(OLD), finding(NEW)];
    expect(fingerprintsToAsk(findings, moves)).toEqual([OLD, NEW]);
    expect(decide(findings, new Map([[OLD, accepted]]))).toEqual(['accepted_risk', undefined]);
  });

  test('takes over no decision if it has two earlier fingerprints with decisions', () => {
    const given = [...moves, { from: OTHER, to: NEW }];
    const both = new Map([
      [OLD, accepted],
      [OTHER, accepted],
    ]);
    expect(decide([finding(NEW)], both, given)).toEqual([undefined]);
    expect(decide([finding(NEW)], new Map([[OTHER, accepted]]), given)).toEqual(['accepted_risk']);
  });
});

test('[D20] only fingerprints of findings that a decision can set aside are looked up, each once', () => {
  const findings = [
    finding(OLD),
    finding(OLD),
    finding(NEW, { tags: ['weak-identity'] }),
    finding(OTHER, { status: 'fix_applied' }),
  ];
  expect(fingerprintsToAsk(findings, [])).toEqual([OLD]);
});
