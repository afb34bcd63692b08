import { findingStatuses, severities } from '@svc/contract';
import type { FindingSnapshot } from '@svc/report';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absent, followed, forgottenBefore, knownAfter, toTheDay, type Known } from './policy.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-03-04T05:06:07Z');

function snapshotOf(changes: Partial<FindingSnapshot> = {}): FindingSnapshot {
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
    decision: null,
    until: null,
    ...absent,
    ...changes,
  };
}

const FACTS = { tool: new Uint8Array(16), areas: [] };
const after = (snapshot: FindingSnapshot, known: Known | undefined, now: number) =>
  knownAfter({ snapshot, facts: FACTS }, known, { now, order: 1 });

const times = fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW + 1000 * DAY_MS });
const snapshots = fc.record({
  severity: fc.constantFrom(...severities),
  status: fc.constantFrom(...findingStatuses),
  firstSeenAt: fc.option(times),
});
const knowns = fc.option(
  fc
    .record({
      firstSeenAt: fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW }),
      lastSeenAt: fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW }).map(toTheDay),
      status: fc.constantFrom(...findingStatuses),
      severity: fc.constantFrom(...severities),
      statusAt: fc.integer({ min: NOW - 1000 * DAY_MS, max: NOW }),
    })
    .map(knownOf),
  { nil: undefined },
);

describe('what a project knows about a finding', () => {
  test('[D12] gets a later day when the same finding is seen again, and nothing else changes', () => {
    fc.assert(
      fc.property(snapshots, knowns, (given, before) => {
        const known = after(followed(snapshotOf(given), before, NOW), before, NOW);
        const again = after(followed(snapshotOf(given), known, NOW), known, NOW + DAY_MS);
        expect(again).toEqual({ ...known, lastSeenAt: toTheDay(NOW + DAY_MS) });
      }),
    );
  });

  test('[D12] keeps its first time, which is never in the future', () => {
    fc.assert(
      fc.property(snapshots, knowns, (given, before) => {
        const { firstSeenAt } = after(followed(snapshotOf(given), before, NOW), before, NOW);
        expect(firstSeenAt).toBeLessThanOrEqual(Math.min(NOW, before?.firstSeenAt ?? NOW));
      }),
    );
  });

  test('[D12] has a decision that holds up to the severity at the time of the decision', () => {
    const known = knownOf({ status: 'accepted_risk', severity: 'high' });
    const carried = followed(snapshotOf({ severity: 'low' }), known, NOW);
    expect(carried).toMatchObject({ status: 'accepted_risk', carried: true });
    expect(after(carried, known, NOW)).toMatchObject({
      status: 'accepted_risk',
      severity: 'high',
      statusAt: known.statusAt,
    });
    const risen = followed(snapshotOf({ severity: 'critical' }), known, NOW);
    expect(risen).toMatchObject({ status: 'open', carried: false });
    expect(after(risen, known, NOW)).toMatchObject({
      status: 'open',
      severity: 'critical',
      statusAt: NOW,
    });
  });

  test('[D12] is deleted after 400 days', () => {
    const { lastSeenAt } = after(snapshotOf(), undefined, NOW);
    expect(lastSeenAt < forgottenBefore(NOW + 400 * DAY_MS)).toBe(false);
    expect(lastSeenAt < forgottenBefore(NOW + 401 * DAY_MS)).toBe(true);
  });
});
