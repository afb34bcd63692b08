/** What needs attention in a workspace. Each item has a link to the page where the user can act on it. */
import type {
  Project,
  StoppedScan,
  WorkspaceFinding,
  WorkspaceOverview,
  WorkspaceShare,
} from '@svc/contract';
import { DAY_MS } from '@svc/contract/durations';
import { clockOrDay, counted, listed } from '../../lib/format.ts';

const SHARE_ENDS_WITHIN_MS = 3 * DAY_MS;
/** How many items of a group are shown at first. */
export const LISTED_MAX = 5;

export interface AttentionItem {
  readonly key: string;
  readonly href: string;
  readonly title: string;
  readonly severity?: WorkspaceFinding['severity'];
  /** The name of the project. */
  readonly place: string;
  /** What happens at the time, such as `ends`. */
  readonly timeLabel: string;
  readonly at: string;
}

export interface AttentionGroup {
  readonly id: 'severe' | 'scans' | 'lapsing' | 'shares';
  readonly title: string;
  readonly items: readonly AttentionItem[];
  /** How many more items there are than these, and a link to them. */
  readonly more?: { readonly label: string; readonly href: string };
}

export interface AttentionFacts {
  readonly workspaceId: string;
  readonly overview: WorkspaceOverview;
  readonly projects: readonly Project[];
  readonly shares: readonly WorkspaceShare[];
  readonly now: number;
}

/** The most urgent first; groups without items are left out. */
export function attentionOf(facts: AttentionFacts): AttentionGroup[] {
  return [severe(facts), incomplete(facts), lapsing(facts), ending(facts)].filter(
    ({ items }) => items.length > 0,
  );
}

function severe({ workspaceId, overview: { newSevere } }: AttentionFacts): AttentionGroup {
  const total = newSevere.critical + newSevere.high;
  return {
    id: 'severe',
    title: `${counted(total, 'new critical or high finding', 'new critical and high findings')} this week`,
    items: newSevere.findings.map((finding) => ({
      ...ofFinding(finding),
      timeLabel: 'first seen',
      at: finding.firstSeenAt,
    })),
    ...moreOf(total, newSevere.findings.length, {
      workspaceId,
      search: 'q=severity:critical,high+status:open&sort=newest',
    }),
  };
}

function lapsing({ workspaceId, overview }: AttentionFacts): AttentionGroup {
  const { total, findings } = overview.lapsing;
  return {
    id: 'lapsing',
    title: `${counted(total, 'accepted risk')} ${total === 1 ? 'opens' : 'open'} again soon`,
    items: findings.map((finding) => ({
      ...ofFinding(finding),
      timeLabel: 'open again',
      at: finding.until ?? '',
    })),
    ...moreOf(total, findings.length, { workspaceId, search: 'q=status:accepted_risk' }),
  };
}

/** Scans without a report that stopped, and reports without the results of a tool; the newest first. */
function incomplete({ overview, projects, now }: AttentionFacts): AttentionGroup {
  const nameOf = (projectId: string) =>
    projects.find((project) => project.projectId === projectId)?.name ?? '';
  const stopped = overview.stoppedScans.map((scan) => ({
    ...ofReport(scan.reportId),
    ...ofStopped(scan, now),
    place: nameOf(scan.projectId),
    at: scan.lastEventAt,
  }));
  const withoutTools = overview.projects.flatMap(({ projectId, missingTools }) =>
    [...Map.groupBy(missingTools, ({ reportId }) => reportId)].map(([reportId, tools]) => ({
      ...ofReport(reportId),
      title: `No results from ${listed(tools.map(({ tool }) => tool))}`,
      place: nameOf(projectId),
      timeLabel: 'scanned',
      at: tools[0]?.finalizedAt ?? '',
    })),
  );
  const items = [...stopped, ...withoutTools].toSorted((one, other) => other.at.localeCompare(one.at));
  return { id: 'scans', title: counted(items.length, 'incomplete scan'), items };
}

function ofStopped({ outcome, lastEventAt }: StoppedScan, now: number) {
  if (outcome === 'failed') return { title: 'Scan failed', timeLabel: 'failed' };
  if (outcome === 'cancelled') return { title: 'Scan cancelled', timeLabel: 'cancelled' };
  const since = clockOrDay(new Date(lastEventAt), new Date(now));
  return { title: `No progress since ${since}`, timeLabel: 'last event' };
}

function ending({ workspaceId, shares, now }: AttentionFacts): AttentionGroup {
  const soon = shares
    .filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) - now <= SHARE_ENDS_WITHIN_MS)
    .toSorted((one, other) => (one.expiresAt ?? '').localeCompare(other.expiresAt ?? ''));
  const shown = soon.slice(0, LISTED_MAX);
  return {
    id: 'shares',
    title: `${counted(soon.length, 'share link')} ending soon`,
    items: shown.map(({ id, label, projectName, expiresAt }) => ({
      key: id,
      href: `/workspaces/${workspaceId}/shares`,
      title: label ?? 'Share link',
      place: projectName,
      timeLabel: 'ends',
      at: expiresAt ?? '',
    })),
    ...(soon.length > shown.length
      ? { more: { label: moreLabel(soon.length - shown.length), href: `/workspaces/${workspaceId}/shares` } }
      : {}),
  };
}

function ofReport(reportId: string) {
  return { key: reportId, href: `/reports/${reportId}` };
}

function ofFinding({ findingKey, projectId, projectName, title, severity }: WorkspaceFinding) {
  return {
    key: findingKey,
    href: `/projects/${projectId}/findings/${findingKey}`,
    title,
    severity,
    place: projectName,
  };
}

function moreOf(
  total: number,
  shown: number,
  { workspaceId, search }: { readonly workspaceId: string; readonly search: string },
): Pick<AttentionGroup, 'more'> {
  if (total <= shown) return {};
  return { more: { label: moreLabel(total - shown), href: `/workspaces/${workspaceId}/findings?${search}` } };
}

export function moreLabel(count: number): string {
  return `${count.toLocaleString('en')} more`;
}
