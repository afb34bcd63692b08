import type { WorkspaceFinding } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../lib/api.ts';
import { callsFor, decideAll, type DecisionCalls } from './bulk-decision.ts';

const finding = (reportId: string, number: number): WorkspaceFinding => ({
  findingKey: `${reportId}-${number}`,
  projectId: 'prj_1',
  projectName: `Project of ${reportId}`,
  reportId,
  findingId: `F-${number}`,
  title: 'Title',
  category: 'xss',
  severity: 'low',
  verification: 'verified',
  status: 'open',
  component: 'web',
  firstSeenAt: '2026-03-04T05:06:07.000Z',
});
const findings = [finding('a', 1), finding('b', 1), finding('a', 2), finding('c', 1)];
const accepted = { status: 'accepted_risk' } as const;

function apiError(code: string, details?: unknown): ApiError {
  const error = { code, message: code, requestId: 'req_1', details };
  return new ApiError({ ok: false, status: 400, error, retryAfterMs: null } as never);
}

/** Calls that fail for the given reports, and the log of what was called. */
function callsFailingFor(errors: Readonly<Record<string, ApiError>>, failingUndos: readonly string[] = []) {
  const log: string[] = [];
  let running = 0;
  let most = 0;
  const calls: DecisionCalls = {
    async change(reportId, findingIds) {
      log.push(`${reportId} ${findingIds.join(' ')}`);
      most = Math.max(most, ++running);
      await Promise.resolve();
      running -= 1;
      const error = errors[reportId];
      if (error) throw error;
      return { changed: findingIds, undoId: `undo ${reportId} ${findingIds.length}` };
    },
    async undo(reportId, undoId) {
      log.push(undoId);
      if (failingUndos.includes(reportId)) throw apiError('NOT_FOUND');
      return Promise.resolve({ restored: Array.from({ length: Number(undoId.at(-1)) }, String) });
    },
  };
  return { calls, log, mostAtOnce: () => most };
}

describe('[D19] a decision about findings of several reports', () => {
  test('makes one call for each report, reports progress, and undoes each call', async () => {
    const { calls, log } = callsFailingFor({});
    const progress: number[] = [];
    const result = await decideAll(findings, accepted, (done) => progress.push(done), calls);
    expect(log).toEqual(['a F-1 F-2', 'b F-1', 'c F-1']);
    expect(progress).toEqual([2, 3, 4]);
    expect(result.failed).toEqual([]);
    expect(result.changed.toSorted()).toEqual(['a-1', 'a-2', 'b-1', 'c-1']);
    expect(await result.undo()).toBe(4);
    expect(log.slice(3)).toEqual(['undo a 2', 'undo b 1', 'undo c 1']);
  });

  test('keeps what succeeded when a call fails, and names the findings of that call', async () => {
    const { calls, log } = callsFailingFor({ b: apiError('CONFLICT') });
    const { changed, failed, undo } = await decideAll(findings, accepted, () => undefined, calls);
    expect(changed.toSorted()).toEqual(['a-1', 'a-2', 'c-1']);
    expect(failed.map(({ reportId, findings: of }) => [reportId, of.length])).toEqual([['b', 1]]);
    expect(await undo()).toBe(3);
    expect(log).not.toContain('undo b 1');
  });

  test.each([
    apiError('UNSAFE_PAYLOAD_REJECTED'),
    apiError('VALIDATION_FAILED', { issues: [{ path: '/note', message: 'is required' }] }),
  ])('stops after the first call if the decision itself is rejected with $code', async (error) => {
    const { calls, log } = callsFailingFor({ a: error, b: error, c: error });
    await expect(decideAll(findings, accepted, () => undefined, calls)).rejects.toBe(error);
    expect(log).toHaveLength(1);
  });

  test('continues if the first report lacks a finding', async () => {
    const error = apiError('VALIDATION_FAILED', {
      issues: [{ path: '/findingIds/0', message: 'is unknown' }],
    });
    const { calls } = callsFailingFor({ a: error });
    const { changed, failed } = await decideAll(findings, accepted, () => undefined, calls);
    expect([changed.length, failed.length]).toEqual([2, 1]);
  });

  test('has at most four calls in flight', async () => {
    const { calls, mostAtOnce } = callsFailingFor({});
    const many = Array.from({ length: 20 }, (_, at) => finding(`r${at}`, 1));
    await decideAll(many, accepted, () => undefined, calls);
    expect(mostAtOnce()).toBe(4);
  });

  test('counts what could be restored, and fails only if nothing could', async () => {
    const some = callsFailingFor({}, ['a']);
    expect(await (await decideAll(findings, accepted, () => undefined, some.calls)).undo()).toBe(2);
    const none = callsFailingFor({}, ['a', 'b', 'c']);
    const { undo } = await decideAll(findings, accepted, () => undefined, none.calls);
    await expect(undo()).rejects.toThrow('NOT_FOUND');
  });
});

test('a report with more findings than one call takes is split', () => {
  const many = Array.from({ length: limits.decision.findingsMax + 1 }, (_, at) => finding('a', at));
  expect(callsFor(many).map(({ findings: of }) => of.length)).toEqual([limits.decision.findingsMax, 1]);
});
