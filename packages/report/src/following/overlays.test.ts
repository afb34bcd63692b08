import { CARRIED_TAG, findingStatuses, movesFrom, type FindingStatus } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf } from '../../test/samples.ts';
import { overlaidFinding, overlaidReport } from './overlays.ts';
import { moveStatus, statusOf } from '../model/status.ts';

const LATER = '2026-04-01T00:00:00.000Z';

describe('a finding with an overlay', () => {
  test('[D12] is unchanged by an empty overlay', () => {
    expect(overlaidFinding(findingOf(), {})).toEqual(findingOf());
  });

  test('[D11] has the earliest time at which any report saw it', () => {
    const finding = findingOf({ firstSeenAt: LATER });
    expect(overlaidFinding(finding, { firstSeenAt: AT })).toEqual({ ...finding, firstSeenAt: AT });
  });

  test('[D12] has the earlier decision with the tag carried-status', () => {
    expect(overlaidFinding(findingOf(), { carried: 'accepted_risk' })).toEqual(
      findingOf({ status: 'accepted_risk', tags: [CARRIED_TAG] }),
    );
  });

  test('[D12] whose status changed later has no tag carried-status', () => {
    const moves = [{ to: 'open', at: LATER }] as const;
    const tags = Array.from({ length: 32 }, (_, index) => `tag ${index}`);
    expect(overlaidFinding(findingOf({ tags }), { carried: 'accepted_risk', moves })).toEqual(
      findingOf({ tags }),
    );
  });

  test('[D12] that was fixed before has the fix in its history', () => {
    const { fixHistory } = overlaidFinding(findingOf(), { reopenedAt: LATER });
    expect(fixHistory).toMatchObject([{ at: LATER, action: 'reverted', verified: false }]);
  });

  test('[D12] is the same whether its steps are applied one by one or all together', () => {
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
        expect(overlaidFinding(uploaded, { moves })).toEqual(step);
      }),
    );
  });
});

test('[D12] an overlay changes the findings of a report and nothing else', () => {
  const findings = [findingOf(), findingOf({ id: 'F-2' }), findingOf({ id: 'F-3' })];
  const report = reportOf({ findings });
  const overlaid = overlaidReport(report, { 'F-2': { firstSeenAt: AT }, 'F-9': { firstSeenAt: AT } });
  expect(overlaid).toEqual({
    ...report,
    findings: [findings[0], { ...findings[1], firstSeenAt: AT }, findings[2]],
  });
});
