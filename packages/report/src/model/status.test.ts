import {
  CARRIED_TAG,
  findingStatuses,
  fixActions,
  movesFrom,
  type Finding,
  type FindingStatus,
} from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { AT, findingOf } from '../../test/samples.ts';
import { actionOf, carriedInto, moveStatus, seenAgain, statusOf } from './status.ts';

const LATER = '2026-04-01T00:00:00.000Z';

function move(finding: Finding, to: FindingStatus, more: object = {}): Finding {
  const outcome = moveStatus(finding, { to, at: LATER, ...more });
  if (!outcome.moved) throw new Error(`rejected: ${outcome.from} → ${outcome.to}`);
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

  test.each(pairs)('[D12] changes from %s to %s only if the change is allowed', (status, to) => {
    const isMove =
      allowed.has(`${status} → ${to}`) || (status !== to && (setAside.has(status) || setAside.has(to)));
    expect(moveStatus(findingOf({ status }), { to, at: LATER })).toMatchObject(
      isMove ? { moved: true, finding: { status: to } } : { moved: false, from: status, to },
    );
  });

  test.each(findingStatuses)('[D12] has exactly the allowed changes from %s, with their actions', (from) => {
    const finding = findingOf({ status: from });
    const moves = findingStatuses.filter((to) => moveStatus(finding, { to, at: LATER }).moved);
    expect(movesFrom(from)).toEqual(moves);
    for (const to of moves) {
      const [entry] = move(finding, to).fixHistory ?? [];
      expect(actionOf(from, to)).toBe(entry?.action ?? null);
    }
  });

  test('[D12] loses the tag of a carried-over status when it changes', () => {
    const carried = carriedInto(findingOf({ tags: ['auth'] }), 'accepted_risk');
    expect(carried.tags).toEqual(['auth', CARRIED_TAG]);
    expect(move(carried, 'open')).toEqual(findingOf({ tags: ['auth'] }));
    expect(move(carriedInto(findingOf(), 'false_positive'), 'open')).toEqual(findingOf());
  });

  test('[D12] is open if the finding has none', () => {
    const { status: _status, ...bare } = findingOf();
    expect(statusOf(bare)).toBe('open');
    expect(move(bare, 'fix_suggested').status).toBe('fix_suggested');
  });

  test('[D12] records its changes in the history with times, files and notes', () => {
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

  test('[D12] changes from fix_applied to open as reverted or verification_failed only', () => {
    const applied = findingOf({ status: 'fix_applied' });
    const recorded = (more: object) => move(applied, 'open', more).fixHistory?.at(-1)?.action;
    expect([recorded({}), recorded({ action: 'verification_failed' })]).toEqual([
      'reverted',
      'verification_failed',
    ]);
    for (const action of fixActions.filter((name) => !['reverted', 'verification_failed'].includes(name)))
      expect(moveStatus(applied, { to: 'open', at: LATER, action }).moved).toBe(false);
  });

  test('[D12] is set aside without a history entry, and keeps the time of a fix', () => {
    const fixed = findingOf({ status: 'fixed_verified', fixedAt: AT });
    const aside = move(fixed, 'false_positive');
    expect(aside).toEqual({ ...fixed, status: 'false_positive' });
    expect(move(aside, 'fixed_verified')).toEqual(fixed);
    expect(move(aside, 'open').fixedAt).toBeUndefined();
  });

  test('[D12] changes to open when a finding is seen again only if it was fixed', () => {
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
