import {
  CARRIED_TAG,
  findingStatuses,
  fixActions,
  movesFrom,
  severities,
  type Finding,
  type FindingStatus,
} from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf } from '../test/samples.ts';
import { actionOf, carriedInto, carryOver, moveStatus, seenAgain, statusOf } from './status.ts';

const LATER = '2026-04-01T00:00:00.000Z';
const fingerprint = 'a'.repeat(64);

function move(finding: Finding, to: FindingStatus, more: object = {}): Finding {
  const outcome = moveStatus(finding, { to, at: LATER, ...more });
  if (!outcome.moved) throw new Error(`refused: ${outcome.from} → ${outcome.to}`);
  return outcome.finding;
}

describe('a status', () => {
  const allowed = new Set([
    'open → fix_suggested',
    'fix_suggested → fix_applied',
    'fix_applied → fixed_verified',
    'fix_applied → open',
  ]);
  const setAside = new Set<FindingStatus>(['accepted_risk', 'false_positive']);
  const pairs = findingStatuses.flatMap((from) => findingStatuses.map((to) => [from, to] as const));

  test.each(pairs)('[D12] moves from %s to %s only if that is one of the moves', (status, to) => {
    const isMove =
      allowed.has(`${status} → ${to}`) || (status !== to && (setAside.has(status) || setAside.has(to)));
    expect(moveStatus(findingOf({ status }), { to, at: LATER })).toMatchObject(
      isMove ? { moved: true, finding: { status: to } } : { moved: false, from: status, to },
    );
  });

  test.each(findingStatuses)(
    '[D12] names from %s exactly the moves that there are, and their actions',
    (from) => {
      const finding = findingOf({ status: from });
      const moves = findingStatuses.filter((to) => moveStatus(finding, { to, at: LATER }).moved);
      expect(movesFrom(from)).toEqual(moves);
      for (const to of moves) {
        const [entry] = move(finding, to).fixHistory ?? [];
        expect(actionOf(from, to)).toBe(entry?.action ?? null);
      }
    },
  );

  test('[D12] that somebody moves is not marked as carried any more', () => {
    const carried = carriedInto(findingOf({ tags: ['auth'] }), 'accepted_risk');
    expect(carried.tags).toEqual(['auth', CARRIED_TAG]);
    expect(move(carried, 'open')).toEqual(findingOf({ tags: ['auth'] }));
    expect(move(carriedInto(findingOf(), 'false_positive'), 'open')).toEqual(findingOf());
  });

  test('[D12] that a finding does not bear is open', () => {
    const { status: _status, ...bare } = findingOf();
    expect(statusOf(bare)).toBe('open');
    expect(move(bare, 'fix_suggested').status).toBe('fix_suggested');
  });

  test('[D12] leaves its steps in the history, with their times, files and notes', () => {
    const suggested = move(findingOf(), 'fix_suggested', { note: 'Check the owner.' });
    const applied = move(suggested, 'fix_applied', { changedFiles: ['src/orders/read.ts'] });
    const verified = move(applied, 'fixed_verified');
    expect(verified.fixHistory).toEqual([
      { at: LATER, action: 'suggested', verified: false, note: 'Check the owner.' },
      { at: LATER, action: 'applied', verified: false, changedFiles: ['src/orders/read.ts'] },
      { at: LATER, action: 'verified', verified: true },
    ]);
    expect(verified.fixedAt).toBe(LATER);
  });

  test('[D12] goes from applied back to open as reverted, or as verification that failed', () => {
    const applied = findingOf({ status: 'fix_applied' });
    const recorded = (more: object) => move(applied, 'open', more).fixHistory?.at(-1)?.action;
    expect([recorded({}), recorded({ action: 'verification_failed' })]).toEqual([
      'reverted',
      'verification_failed',
    ]);
    for (const action of fixActions.filter((name) => !['reverted', 'verification_failed'].includes(name)))
      expect(moveStatus(applied, { to: 'open', at: LATER, action }).moved).toBe(false);
  });

  test('[D12] set aside writes no history, and keeps the time of a fix', () => {
    const fixed = findingOf({ status: 'fixed_verified', fixedAt: AT });
    const aside = move(fixed, 'false_positive');
    expect(aside).toEqual({ ...fixed, status: 'false_positive' });
    expect(move(aside, 'fixed_verified')).toEqual(fixed);
    expect(move(aside, 'open').fixedAt).toBeUndefined();
  });

  test('[D12] opens again when what was fixed is seen again, and only then', () => {
    const fixed = findingOf({ status: 'fixed_verified', fixedAt: AT });
    const { fixedAt, ...again } = seenAgain(fixed, LATER);
    expect(again).toMatchObject({ status: 'open', fixHistory: [{ action: 'reverted', at: LATER }] });
    expect(fixedAt).toBeUndefined();
    for (const status of findingStatuses.filter((other) => other !== 'fixed_verified')) {
      const other = findingOf({ status });
      expect(seenAgain(other, LATER)).toBe(other);
    }
  });

  test('[D8] keeps the newest 200 entries of a history', () => {
    const entry = { at: AT, action: 'suggested', verified: false } as const;
    const full = findingOf({ fixHistory: Array.from({ length: 200 }, () => entry) });
    const { fixHistory } = move(full, 'fix_suggested', { note: 'newest' });
    expect([fixHistory?.length, fixHistory?.at(-1)?.note]).toEqual([200, 'newest']);
  });
});

describe('the next report', () => {
  test('[D12] keeps what was set aside, marked as carried, unless it has become more severe', () => {
    const severity = fc.constantFrom(...severities);
    const status = fc.constantFrom(...findingStatuses);
    fc.assert(
      fc.property(severity, severity, status, (before, now, decided) => {
        const previous = [findingOf({ id: 'F-9', fingerprint, severity: before, status: decided })];
        const { findings, carried } = carryOver(previous, [findingOf({ fingerprint, severity: now })]);
        const isSetAside = decided === 'accepted_risk' || decided === 'false_positive';
        const isKept = isSetAside && severities.indexOf(now) >= severities.indexOf(before);
        expect(carried).toEqual(isKept ? ['F-1'] : []);
        expect(findings[0]?.status).toBe(isKept ? decided : 'open');
        expect(findings[0]?.tags ?? []).toEqual(isKept ? [CARRIED_TAG] : []);
      }),
    );
  });

  test('[D12] carries by fingerprint alone', () => {
    const previous = [
      findingOf({ fingerprint, status: 'accepted_risk' }),
      findingOf({ status: 'accepted_risk' }),
    ];
    const current = [findingOf({ fingerprint: 'b'.repeat(64) }), findingOf()];
    expect(carryOver(previous, current)).toEqual({ findings: current, carried: [] });
  });

  test('[D12] changes no status that was decided in it', () => {
    const current = [findingOf({ fingerprint, status: 'false_positive' })];
    const previous = [findingOf({ fingerprint, status: 'accepted_risk' })];
    expect(carryOver(previous, current)).toEqual({ findings: current, carried: [] });
  });

  test('[Finding] says when a finding was first seen, in whichever report', () => {
    const { findings } = carryOver(
      [findingOf({ fingerprint, firstSeenAt: AT })],
      [findingOf({ fingerprint, firstSeenAt: LATER })],
    );
    expect(findings[0]?.firstSeenAt).toBe(AT);
  });

  test('[D8] has no more tags on a finding than it may', () => {
    const tags = Array.from({ length: 32 }, (_, index) => `tag ${index}`);
    const previous = [findingOf({ fingerprint, status: 'accepted_risk' })];
    const [carried] = carryOver(previous, [findingOf({ fingerprint, tags })]).findings;
    expect([carried?.tags?.length, carried?.tags?.at(-1)]).toEqual([32, CARRIED_TAG]);
  });
});
