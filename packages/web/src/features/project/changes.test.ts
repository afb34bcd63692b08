import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesOf, caveatsOf } from './changes.ts';

const finding = (id: string, more: Partial<ProjectedFinding> = {}): ProjectedFinding => ({
  id,
  title: 'Order lookup trusts the id it is given',
  category: 'broken_access_control',
  severity: 'high',
  verification: 'verified',
  summary: '',
  impact: '',
  affected: { component: 'orders api' },
  evidence: [],
  remediation: '',
  verificationPlan: '',
  fingerprint: id,
  status: 'open',
  ...more,
});
const report = (findings: ProjectedFinding[], more: Partial<ReportProjection> = {}): ReportProjection => ({
  id: 'rep_1',
  schemaVersion: '1.0.0',
  projectedFor: { principalType: 'user' },
  generatedAt: '2026-03-04T05:06:07.000Z',
  findings,
  ...more,
});
const area = (name: string, status: 'covered' | 'partial' | 'not_covered') => ({ id: name, name, status });
const none = { baseReportId: 'rep_0', new: [], fixed: [], unchanged: [] };
const gone = (was: ProjectedFinding, coverageAreas: ReturnType<typeof area>[]) => {
  const comparison = { ...none, fixed: [was.id] };
  const { fixed, notSeen } = changesOf({
    comparison,
    base: report([was]),
    current: report([], { coverageAreas }),
  });
  return { fixed: fixed.length, notSeen: notSeen.length };
};

test('a missing finding counts as fixed only if the newer report covered its area', () => {
  const was = finding('F-1');
  expect(gone(was, [area('Orders API', 'covered'), area('Secrets', 'not_covered')])).toEqual({
    fixed: 1,
    notSeen: 0,
  });
  expect(gone(was, [area('broken_access_control', 'partial')])).toEqual({ fixed: 0, notSeen: 1 });
  expect(gone(was, [area('Orders API', 'not_covered')])).toEqual({ fixed: 0, notSeen: 1 });
});

test('a missing finding without an area counts as fixed only if all areas are covered', () => {
  const was = finding('F-1');
  expect(gone(was, [area('Secrets', 'covered'), area('Code', 'covered')])).toEqual({ fixed: 1, notSeen: 0 });
  expect(gone(was, [area('Secrets', 'covered'), area('Code', 'partial')])).toEqual({ fixed: 0, notSeen: 1 });
  expect(gone(was, [])).toEqual({ fixed: 0, notSeen: 1 });
});

test('findings of secrets and dependencies match the areas of the same name', () => {
  const secretReferences = [{ label: 'key', kind: 'aws', fingerprint: 'f' }];
  const areas = [area('secrets', 'covered'), area('dependencies', 'not_covered')];
  expect(gone(finding('F-1', { secretReferences }), areas)).toEqual({ fixed: 1, notSeen: 0 });
  const evidence = [{ kind: 'dependency' as const, description: '' }];
  expect(gone(finding('F-1', { evidence }), areas)).toEqual({ fixed: 0, notSeen: 1 });
});

test('a finding of a scanner counts as fixed only if the scanner ran again; otherwise a reason is given', () => {
  const scan = (tools: string[]) => ({
    startedAt: '',
    finishedAt: '',
    effortRequested: 'auto' as const,
    effortResolved: 'high' as const,
    agent: { name: 'svc', version: '1.0.0' },
    tools: tools.map((name) => ({ name })),
  });
  const tags = ['tool:bandit'];
  const was = [
    finding('F-1', { tags }),
    finding('F-2', { tags: [...tags, 'weak-identity'] }),
    finding('F-3', { tags: ['tool:semgrep'] }),
  ];
  const { fixed, notSeen } = changesOf({
    comparison: { ...none, fixed: was.map(({ id }) => id) },
    base: report(was, { scan: scan(['bandit', 'semgrep']) }),
    // Not all areas are covered.
    current: report([], { scan: scan(['bandit']), coverageAreas: [area('dependencies', 'not_covered')] }),
  });
  expect(fixed.map(({ id }) => id)).toEqual(['F-1']);
  expect(notSeen.map(({ finding: { id }, reason }) => [id, reason])).toEqual([
    ['F-2', 'identified only by its message'],
    ['F-3', 'semgrep did not run'],
  ]);
});

test('findings in both reports are classified by severity and status, regardless of ids', () => {
  const base = report([
    finding('F-1', { fingerprint: 'a', severity: 'low' }),
    finding('F-2', { fingerprint: 'b', status: 'fixed_verified' }),
    finding('F-3', { fingerprint: 'c' }),
  ]);
  const current = report([
    finding('F-7', { fingerprint: 'a' }),
    finding('F-8', { fingerprint: 'b' }),
    finding('F-9', { fingerprint: 'c' }),
  ]);
  const changes = changesOf({ comparison: { ...none, unchanged: ['F-7', 'F-8', 'F-9'] }, base, current });
  expect(changes.severityChanged.map(({ before, now }) => [before.id, now.id])).toEqual([['F-1', 'F-7']]);
  expect(changes.reopened.map(({ id }) => id)).toEqual(['F-8']);
  expect(changes.unchanged.map(({ id }) => id)).toEqual(['F-9']);
});

test('a finding first seen before the older report and missing in it counts as reopened', () => {
  const current = report([
    finding('F-1', { firstSeenAt: '2026-01-01T00:00:00.000Z' }),
    finding('F-2', { firstSeenAt: '2026-03-09T00:00:00.000Z' }),
  ]);
  const comparison = { ...none, new: ['F-1', 'F-2'] };
  const { added, reopened } = changesOf({ comparison, base: report([]), current });
  expect([added.map(({ id }) => id), reopened.map(({ id }) => id)]).toEqual([['F-2'], ['F-1']]);
});

test('each finding of the comparison is in exactly one list', () => {
  const words = fc.constantFrom('open', 'fixed_verified', 'accepted_risk') as fc.Arbitrary<'open'>;
  const some = (prefix: string) =>
    fc
      .array(fc.record({ severity: fc.constantFrom('low', 'high') as fc.Arbitrary<'low'>, status: words }), {
        maxLength: 8,
      })
      .map((given) =>
        given.map((more, index) => finding(`${prefix}-${index + 1}`, { ...more, fingerprint: `${index}` })),
      );
  fc.assert(
    fc.property(some('A'), some('B'), fc.nat({ max: 8 }), (before, now, shared) => {
      const both = Math.min(shared, before.length, now.length);
      const comparison = {
        baseReportId: 'rep_0',
        unchanged: now.slice(0, both).map(({ id }) => id),
        new: now.slice(both).map(({ id }) => id),
        fixed: before.slice(both).map(({ id }) => id),
      };
      const changes = changesOf({ comparison, base: report(before), current: report(now) });
      const { added, reopened, severityChanged, unchanged, fixed, notSeen } = changes;
      const classified = [...added, ...reopened, ...severityChanged.map((pair) => pair.now), ...unchanged];
      expect(classified.map(({ id }) => id).toSorted()).toEqual(now.map(({ id }) => id).toSorted());
      expect([...fixed, ...notSeen]).toHaveLength(before.length - both);
    }),
  );
});

test('reports with different effort or without a tool of the older one have caveats', () => {
  const scan = (effortResolved: 'low' | 'high', tools: string[]) => ({
    startedAt: '',
    finishedAt: '',
    effortRequested: 'auto' as const,
    effortResolved,
    tools: tools.map((name) => ({ name, findings: 1 })),
  });
  const [older, newer] = [
    report([], { scan: scan('high', ['semgrep']) }),
    report([], { scan: scan('low', []) }),
  ];
  expect(caveatsOf({ base: older, current: newer }).join()).toMatch(/effort “low”.*without semgrep/);
  expect(caveatsOf({ base: older, current: older })).toEqual([]);
});
