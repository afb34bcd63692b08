import type { ListedReport, WorkspaceFinding, WorkspaceShare } from '@svc/contract';
import { DAY_MS } from '@svc/contract/durations';
import { expect, test } from 'vitest';
import { attentionOf, type AttentionFacts } from './attention.ts';

const now = Date.parse('2026-03-10T12:00:00Z');
const at = (days: number) => new Date(now + days * DAY_MS).toISOString();
const finding = (findingKey: string, more: object = {}) =>
  ({
    findingKey,
    projectId: 'p',
    projectName: 'shop',
    title: findingKey,
    severity: 'high',
    ...more,
  }) as WorkspaceFinding;
const report = (reportId: string, state: string, days: number) =>
  ({ reportId, state, createdAt: at(days), projectName: 'shop' }) as ListedReport;
const share = (id: string, days: number | null, label: string | null = id) =>
  ({ id, label, projectName: 'shop', expiresAt: days === null ? null : at(days) }) as WorkspaceShare;
const quiet: AttentionFacts = {
  workspaceId: 'w',
  overview: {
    projects: [],
    newSevere: { critical: 0, high: 0, findings: [] },
    lapsing: { total: 0, findings: [] },
  },
  reports: [],
  shares: [],
  now,
};

test('a workspace where nothing happened needs no attention', () => {
  expect(attentionOf(quiet)).toEqual([]);
});

test('each item links to the page where the user can act on it, and the rest to a list', () => {
  const groups = attentionOf({
    ...quiet,
    overview: {
      projects: [],
      newSevere: { critical: 1, high: 2, findings: [finding('a', { firstSeenAt: at(-1) })] },
      lapsing: { total: 1, findings: [finding('b', { until: at(2) })] },
    },
    reports: [report('r', 'live', -1)],
    shares: [share('s', 1)],
  });
  expect(groups.map(({ title, items, more }) => [title, items[0]?.href, items[0]?.at, more])).toEqual([
    [
      '3 new critical and high findings this week',
      '/projects/p/findings/a',
      at(-1),
      { label: '2 more', href: '/workspaces/w/findings?q=severity:critical,high+status:open&sort=newest' },
    ],
    ['1 scan without a report', '/reports/r', at(-1), undefined],
    ['1 accepted risk opens again soon', '/projects/p/findings/b', at(2), undefined],
    ['1 share link ending soon', '/workspaces/w/shares', at(1), undefined],
  ]);
});

test('scans that run, reports that are complete and shares that end later need no attention', () => {
  const reports = [report('new', 'live', -0.99), report('done', 'finalized', -30)];
  expect(attentionOf({ ...quiet, reports, shares: [share('late', 3.01), share('endless', null)] })).toEqual(
    [],
  );
});

test('shares that end soon are listed with the next one first, at most five', () => {
  const shares = [3, 1, 2, 2.5, 0.5, 1.5].map((days) => share(`${days}`, days));
  const [group] = attentionOf({ ...quiet, shares });
  expect(group?.items.map(({ title }) => title)).toEqual(['0.5', '1', '1.5', '2', '2.5']);
  expect(group?.more).toEqual({ label: '1 more', href: '/workspaces/w/shares' });
});
