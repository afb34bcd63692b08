import { CARRIED_TAG, findingStatuses, movesFrom, type FindingStatus } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf } from '../test/samples.ts';
import { amendedFinding, amendedReport } from './amendments.ts';
import { moveStatus, statusOf } from './status.ts';

const LATER = '2026-04-01T00:00:00.000Z';

describe('an amended finding', () => {
  test('[D12] is what it was where nothing is amended', () => {
    expect(amendedFinding(findingOf(), {})).toEqual(findingOf());
  });

  test('[D11] was first seen when it was first seen in any report', () => {
    const finding = findingOf({ firstSeenAt: LATER });
    expect(amendedFinding(finding, { firstSeenAt: AT })).toEqual({ ...finding, firstSeenAt: AT });
  });

  test('[D12] bears what was decided before, marked as carried', () => {
    expect(amendedFinding(findingOf(), { carried: 'accepted_risk' })).toEqual(
      findingOf({ status: 'accepted_risk', tags: [CARRIED_TAG] }),
    );
  });

  test('[D12] that was moved since is as if it had been decided here', () => {
    const moves = [{ to: 'open', at: LATER }] as const;
    const tags = Array.from({ length: 32 }, (_, index) => `tag ${index}`);
    expect(amendedFinding(findingOf({ tags }), { carried: 'accepted_risk', moves })).toEqual(
      findingOf({ tags }),
    );
  });

  test('[D12] that was fixed before says so in its history', () => {
    const { fixHistory } = amendedFinding(findingOf(), { reopenedAt: LATER });
    expect(fixHistory).toMatchObject([{ at: LATER, action: 'reverted', verified: false }]);
  });

  test('[D12] is the same whether its steps were taken one by one or are taken anew', () => {
    const choices = fc.array(fc.nat(), { maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom(...findingStatuses), choices, (status, numbers) => {
        const uploaded = findingOf({
          status,
          ...(status === 'fixed_verified' ? { fixedAt: AT } : {}),
        });
        let step = uploaded;
        const moves = numbers.map((number, index) => {
          const allowed = movesFrom(statusOf(step));
          const to = allowed[number % allowed.length] as FindingStatus;
          const move = { to, at: new Date(Date.parse(LATER) + index).toISOString() };
          const outcome = moveStatus(step, move);
          if (outcome.moved) step = outcome.finding;
          return move;
        });
        expect(amendedFinding(uploaded, { moves })).toEqual(step);
      }),
    );
  });
});

test('[D12] a report is amended where its findings are, and nowhere else', () => {
  const findings = [findingOf(), findingOf({ id: 'F-2' }), findingOf({ id: 'F-3' })];
  const report = reportOf({ findings });
  const amended = amendedReport(report, { 'F-2': { firstSeenAt: AT }, 'F-9': { firstSeenAt: AT } });
  expect(amended).toEqual({
    ...report,
    findings: [findings[0], { ...findings[1], firstSeenAt: AT }, findings[2]],
  });
});
