import { findingStatuses, severities } from '@svc/contract';
import type { FindingSnapshot } from '@svc/report';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  followed,
  forgottenBefore,
  knownAfter,
  openCounts,
  openCountsAfter,
  toTheDay,
  type Known,
} from './policy.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-03-04T05:06:07Z');

function markOf(changes: Partial<FindingSnapshot> = {}): FindingSnapshot {
  return {
    id: 'F-1',
    identity: new Uint8Array(16),
    severity: 'high',
    status: 'open',
    firstSeenAt: null,
    dated: false,
    carried: false,
    reopened: false,
    weak: false,
    ...changes,
  };
}

function knownOf(changes: Partial<Known> = {}): Known {
  return {
    firstSeenAt: NOW - 9 * DAY_MS,
    lastSeenAt: toTheDay(NOW - DAY_MS),
    status: 'open',
    severity: 'high',
    statusAt: NOW - 2 * DAY_MS,
    ...changes,
  };
}

const times = fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW + 1000 * DAY_MS });
const marks = fc.record({
  severity: fc.constantFrom(...severities),
  status: fc.constantFrom(...findingStatuses),
  firstSeenAt: fc.option(times),
});
const knowns = fc.option(
  fc.record({
    firstSeenAt: fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW }),
    lastSeenAt: fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW }).map(toTheDay),
    status: fc.constantFrom(...findingStatuses),
    severity: fc.constantFrom(...severities),
    statusAt: fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW }),
  }),
  { nil: undefined },
);

describe('what a project knows about a finding', () => {
  test('[D12] gets a later day when the same finding is seen again, and nothing else changes', () => {
    fc.assert(
      fc.property(marks, knowns, (given, before) => {
        const known = knownAfter([followed(markOf(given), before)], before, NOW);
        const again = knownAfter([followed(markOf(given), known)], known, NOW + DAY_MS);
        expect(again).toEqual({ ...known, lastSeenAt: toTheDay(NOW + DAY_MS) });
      }),
    );
  });

  test('[D12] keeps its first time, which is never in the future', () => {
    fc.assert(
      fc.property(marks, knowns, (given, before) => {
        const { firstSeenAt } = knownAfter([followed(markOf(given), before)], before, NOW);
        expect(firstSeenAt).toBeLessThanOrEqual(Math.min(NOW, before?.firstSeenAt ?? NOW));
      }),
    );
  });

  test('[D12] has a decision about the severity at that time', () => {
    const known = knownOf({ status: 'accepted_risk', severity: 'high' });
    const carried = followed(markOf({ severity: 'low' }), known);
    expect(carried).toMatchObject({ status: 'accepted_risk', carried: true });
    expect(knownAfter([carried], known, NOW)).toMatchObject({
      status: 'accepted_risk',
      severity: 'high',
      statusAt: known.statusAt,
    });
    const risen = followed(markOf({ severity: 'critical' }), known);
    expect(risen).toMatchObject({ status: 'open', carried: false });
    expect(knownAfter([risen], known, NOW)).toMatchObject({
      status: 'open',
      severity: 'critical',
      statusAt: NOW,
    });
  });

  test('[D12] comes from the most severe of equal findings, and of equally severe ones from the first', () => {
    const low = markOf({ severity: 'low', status: 'accepted_risk' });
    const high = markOf({ severity: 'high', status: 'open' });
    const other = markOf({ severity: 'high', status: 'false_positive' });
    expect(knownAfter([low, high, other], undefined, NOW).status).toBe('open');
    expect(knownAfter([low, other, high], undefined, NOW).status).toBe('false_positive');
  });

  test('[D12] is deleted after 400 days', () => {
    const { lastSeenAt } = knownAfter([markOf()], undefined, NOW);
    expect(lastSeenAt < forgottenBefore(NOW + 400 * DAY_MS)).toBe(false);
    expect(lastSeenAt < forgottenBefore(NOW + 401 * DAY_MS)).toBe(true);
  });
});

test('[D5] counts updated with each decision equal counts computed from all findings', () => {
  const moves = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...findingStatuses)));
  fc.assert(
    fc.property(fc.array(marks, { minLength: 1 }), moves, (given, made) => {
      const all = given.map((mark) => markOf(mark));
      let counts = openCounts(all);
      for (const [number, to] of made) {
        const index = number % all.length;
        const { severity, status: from } = all[index] ?? markOf();
        counts = openCountsAfter(counts, severity, { from, to });
        all[index] = markOf({ severity, status: to });
      }
      expect(counts).toEqual(openCounts(all));
    }),
  );
});
