import { auditActions } from '@svc/contract';
import { expect, test } from 'vitest';
import { isMerged, keyOf, type MergedFact } from './merging.ts';

const exported = {
  action: 'report_exported',
  actorId: 'usr_1',
  workspaceId: 'ws_1',
  reportId: 'rep_1',
  subjectId: 'shr_1',
  detail: 'json',
} as const satisfies MergedFact;

test('[D24] only these actions are merged; changes of rights and support accesses never are', () => {
  const merged = auditActions.filter((action) => isMerged({ action, actorId: null }));
  expect(merged).toEqual(['report_exported', 'finding_decided', 'decisions_queried']);
});

test('[D24] facts that differ in actor, action, report or detail are no repeats', () => {
  const others: MergedFact[] = [
    { ...exported, actorId: 'usr_2' },
    { ...exported, actorId: null },
    { ...exported, action: 'finding_decided' },
    { ...exported, reportId: 'rep_2' },
    { ...exported, workspaceId: 'ws_2' },
    { ...exported, detail: 'html' },
  ];
  const keys = [exported, ...others].map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
});

test('[D24] exports of one account are repeats through any share, and those of viewers without one through the same', () => {
  expect(keyOf({ ...exported, subjectId: 'shr_2' })).toBe(keyOf(exported));
  const viewer = { ...exported, actorId: null };
  expect(keyOf({ ...viewer, subjectId: 'shr_2' })).not.toBe(keyOf(viewer));
});
