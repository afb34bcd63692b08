import type { ProjectedFinding } from '@svc/contract';
import { expect, test } from 'vitest';
import { entriesOf } from './entries.ts';
import { moveAll, movesOfAll } from './triage.ts';
import { withRange } from './use-selection.ts';

const findingOf = (id: string, status: ProjectedFinding['status'] = 'open'): ProjectedFinding => ({
  id,
  status,
  title: id,
  category: 'x',
  severity: 'low',
  verification: 'verified',
  summary: '',
  impact: '',
  affected: { component: 'x' },
  evidence: [],
  remediation: '',
  verificationPlan: '',
});

test('[D12] a failed status change does not affect the others', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const ids = Array.from({ length: 20 }, (_, at) => `F-${at}`);
  const { moved, failed } = await moveAll(
    {
      async move(id, to) {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (id.endsWith('3')) throw new Error('no');
        return findingOf(id, to);
      },
    },
    ids,
    'accepted_risk',
    (count) => done.push(count),
  );
  expect(moved.map(({ id }) => id).toSorted()).toEqual(ids.filter((id) => !id.endsWith('3')).toSorted());
  expect([...failed.keys()]).toEqual(['F-3', 'F-13']);
  expect(done.at(-1)).toBe(20);
  expect(most).toBeLessThanOrEqual(4);
});

test('[D12] selected findings offer every status that at least one of them can change to', () => {
  expect(movesOfAll([findingOf('F-1')])).toEqual(['fix_suggested', 'accepted_risk', 'false_positive']);
  expect(movesOfAll([findingOf('F-1'), findingOf('F-2', 'accepted_risk')])).toContain('open');
});

test('a range extends in both directions, and is one finding if its other end is gone', () => {
  const shown = entriesOf(['F-1', 'F-2', 'F-3', 'F-4'].map((id) => findingOf(id)));
  expect([...withRange(new Set(), shown, 'F-2', 'F-4')]).toEqual(['F-2', 'F-3', 'F-4']);
  expect([...withRange(new Set(), shown, 'F-3', 'F-1')]).toEqual(['F-1', 'F-2', 'F-3']);
  expect([...withRange(new Set(['F-1']), shown, 'F-9', 'F-4')]).toEqual(['F-1', 'F-4']);
});
