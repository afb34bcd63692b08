import type { Project, StoppedScan, WorkspaceFinding, WorkspaceShare } from '@svc/contract';
import { DAY_MS } from '@svc/contract/durations';
import { expect, test } from 'vitest';
import { clockOrDay } from '../../lib/format.ts';
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
const stopped = (reportId: string, outcome: StoppedScan['outcome'], days: number) => ({
  reportId,
  projectId: 'p',
  outcome,
  lastEventAt: at(days),
});
const without = (reportId: string, days: number, ...tools: string[]) => ({
  projectId: 'p',
  openByWeek: [],
  lastScans: [],
  missingTools: tools.map((tool) => ({ tool, reportId, finalizedAt: at(days) })),
});
const share = (id: string, days: number | null, label: string | null = id) =>
  ({ id, label, projectName: 'shop', expiresAt: days === null ? null : at(days) }) as WorkspaceShare;
const quiet: AttentionFacts = {
  workspaceId: 'w',
  overview: {
    projects: [],
    stoppedScans: [],
    newSevere: { critical: 0, high: 0, findings: [] },
    lapsing: { total: 0, findings: [] },
  },
  projects: [{ projectId: 'p', name: 'shop' } as Project],
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
      stoppedScans: [stopped('r', 'failed', -1)],
      newSevere: { critical: 1, high: 2, findings: [finding('a', { firstSeenAt: at(-1) })] },
      lapsing: { total: 1, findings: [finding('b', { until: at(2) })] },
    },
    shares: [share('s', 1)],
  });
  expect(groups.map(({ title, items, more }) => [title, items[0]?.href, items[0]?.at, more])).toEqual([
    [
      '3 new critical and high findings this week',
      '/projects/p/findings/a',
      at(-1),
      { label: '2 more', href: '/workspaces/w/findings?q=severity:critical,high+status:open&sort=newest' },
    ],
    ['1 incomplete scan', '/reports/r', at(-1), undefined],
    ['1 accepted risk opens again soon', '/projects/p/findings/b', at(2), undefined],
    ['1 share link ending soon', '/workspaces/w/shares', at(1), undefined],
  ]);
});

test('incomplete scans are listed with how they stopped or what is missing, the newest first', () => {
  const yesterday = at(-1);
  const earlier = at(-2 / 24);
  const [group] = attentionOf({
    ...quiet,
    overview: {
      ...quiet.overview,
      projects: [without('missing', -3, 'Bandit', 'Semgrep'), without('older', -4, 'Trivy')],
      stoppedScans: [
        stopped('failed', 'failed', -2),
        stopped('silent', 'silent', -1),
        stopped('fresh', 'silent', -2 / 24),
        stopped('cancelled', 'cancelled', -5),
      ],
    },
  });
  expect(group?.title).toBe('6 incomplete scans');
  expect(group?.items.map(({ href, title, timeLabel }) => [href, title, timeLabel])).toEqual([
    ['/reports/fresh', `No progress since ${clockOrDay(new Date(earlier), new Date(now))}`, 'last event'],
    ['/reports/silent', `No progress since ${clockOrDay(new Date(yesterday), new Date(now))}`, 'last event'],
    ['/reports/failed', 'Scan failed', 'failed'],
    ['/reports/missing', 'No results from Bandit and Semgrep', 'scanned'],
    ['/reports/older', 'No results from Trivy', 'scanned'],
    ['/reports/cancelled', 'Scan cancelled', 'cancelled'],
  ]);
  expect(group?.items.every(({ place }) => place === 'shop')).toBe(true);
});

test('shares that end later need no attention', () => {
  expect(attentionOf({ ...quiet, shares: [share('late', 3.01), share('endless', null)] })).toEqual([]);
});

test('shares that end soon are listed with the next one first, at most five', () => {
  const shares = [3, 1, 2, 2.5, 0.5, 1.5].map((days) => share(`${days}`, days));
  const [group] = attentionOf({ ...quiet, shares });
  expect(group?.items.map(({ title }) => title)).toEqual(['0.5', '1', '1.5', '2', '2.5']);
  expect(group?.more).toEqual({ label: '1 more', href: '/workspaces/w/shares' });
});
