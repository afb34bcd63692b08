import type { ProjectedFinding } from '@svc/contract';
import { expect, test } from 'vitest';
import { canBecome, decided, movesOfAll } from './triage.ts';
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

test('[D19] a decision changes the status and removes the tags of the earlier one', () => {
  const before = { ...findingOf('F-1', 'accepted_risk'), tags: ['carried-status', 'sast'] };
  expect(decided(before, 'open')).toEqual({ ...before, status: 'open', tags: ['sast'] });
  expect(decided(findingOf('F-1'), 'false_positive')).toEqual(findingOf('F-1', 'false_positive'));
});

test('[D19] a finding that is set aside can be decided again with another reason', () => {
  expect(canBecome(findingOf('F-1', 'accepted_risk'), 'accepted_risk')).toBe(true);
  expect(canBecome(findingOf('F-1', 'fix_suggested'), 'fix_suggested')).toBe(false);
});

test('[D12] selected findings offer every status that at least one of them can change to', () => {
  expect(movesOfAll([findingOf('F-1')])).toEqual(['fix_suggested', 'accepted_risk', 'false_positive']);
  expect(movesOfAll([findingOf('F-1'), findingOf('F-2', 'accepted_risk')])).toContain('open');
});

test('a range extends in both directions, and is one finding if its other end is gone', () => {
  const shown = ['F-1', 'F-2', 'F-3', 'F-4'];
  expect([...withRange(new Set(), shown, 'F-2', 'F-4')]).toEqual(['F-2', 'F-3', 'F-4']);
  expect([...withRange(new Set(), shown, 'F-3', 'F-1')]).toEqual(['F-1', 'F-2', 'F-3']);
  expect([...withRange(new Set(['F-1']), shown, 'F-9', 'F-4')]).toEqual(['F-1', 'F-4']);
});
