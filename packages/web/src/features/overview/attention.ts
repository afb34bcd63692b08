/** What needs attention in a workspace. Each item has a link to the page where the user can act on it. */
import type { ListedReport, WorkspaceFinding, WorkspaceOverview, WorkspaceShare } from '@svc/contract';
import { DAY_MS } from '@svc/contract/durations';
import { counted } from '../../lib/format.ts';

/** A scan without a report after a day has failed or was stopped. */
const SCAN_MS_MAX = DAY_MS;
const SHARE_ENDS_WITHIN_MS = 3 * DAY_MS;
const LISTED_MAX = 5;

export interface AttentionItem {
  readonly key: string;
  readonly href: string;
  readonly title: string;
  readonly severity?: WorkspaceFinding['severity'];
  /** The name of the project. */
  readonly place: string;
  readonly at: string;
}

export interface AttentionGroup {
  readonly id: 'severe' | 'scans' | 'lapsing' | 'shares';
  readonly title: string;
  readonly items: readonly AttentionItem[];
  /** How many more items there are, and a link to them. */
  readonly more?: { readonly label: string; readonly href: string };
}

export interface AttentionFacts {
  readonly workspaceId: string;
  readonly overview: WorkspaceOverview;
  readonly reports: readonly ListedReport[];
  readonly shares: readonly WorkspaceShare[];
  readonly now: number;
}

/** The most urgent first; groups without items are left out. */
export function attentionOf(facts: AttentionFacts): AttentionGroup[] {
  return [severe(facts), unfinished(facts), lapsing(facts), ending(facts)].filter(
    ({ items }) => items.length > 0,
  );
}

function severe({ workspaceId, overview: { newSevere } }: AttentionFacts): AttentionGroup {
  const total = newSevere.critical + newSevere.high;
  return {
    id: 'severe',
    title: `${counted(total, 'new critical or high finding', 'new critical and high findings')} this week`,
    items: newSevere.findings.map((finding) => ({ ...ofFinding(finding), at: finding.firstSeenAt })),
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
    items: findings.map((finding) => ({ ...ofFinding(finding), at: finding.until ?? '' })),
    ...moreOf(total, findings.length, { workspaceId, search: 'q=status:accepted_risk' }),
  };
}

function unfinished({ reports, now }: AttentionFacts): AttentionGroup {
  const stopped = reports.filter(
    ({ state, createdAt }) => state === 'live' && now - Date.parse(createdAt) >= SCAN_MS_MAX,
  );
  return {
    id: 'scans',
    title: counted(stopped.length, 'scan without a report', 'scans without a report'),
    items: stopped.slice(0, LISTED_MAX).map(({ reportId, projectName, createdAt }) => ({
      key: reportId,
      href: `/reports/${reportId}`,
      title: 'Scan failed or stopped',
      place: projectName,
      at: createdAt,
    })),
  };
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
      at: expiresAt ?? '',
    })),
    ...(soon.length > shown.length
      ? { more: { label: moreLabel(soon.length - shown.length), href: `/workspaces/${workspaceId}/shares` } }
      : {}),
  };
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

function moreLabel(count: number): string {
  return `${count.toLocaleString('en')} more`;
}
