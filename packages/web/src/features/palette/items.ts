/** The items that the search offers, and those that match a query. */
import type {
  ListedReport,
  Project,
  ReportRead,
  User,
  WorkspaceFinding,
  WorkspaceFindingsQuery,
} from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { visibleLine } from '@svc/report/reading/visible-text';
import { exactTime } from '../../lib/format.ts';
import type { PageAction } from '../../ui/page-actions.ts';
import { severityLooks } from '../../ui/severity.tsx';

export interface Item {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label and searched as well. */
  readonly detail: string;
  /** Not shown. A search finds it by its beginning. */
  readonly recordId?: string;
  /** The URL that the item leads to, or what it does. */
  readonly run: string | (() => void);
}

export interface Group {
  readonly label: string;
  readonly items: readonly Item[];
  /** The service has already matched the items, including by text that is not shown. */
  readonly areMatched?: boolean;
}

const SHOWN_MAX = 6;

/** Shorter texts would match ids by chance. */
const ID_LENGTH_MIN = 'rep_0000'.length;

function isIdOf({ recordId }: Item, term: string): boolean {
  return term.length >= ID_LENGTH_MIN && recordId?.startsWith(term) === true;
}

/**
 * The matching items of each group, at most `SHOWN_MAX`: those that contain every term. Items with a word that begins
 * with the query come first. Groups that the service has matched stay whole.
 */
export function matching(groups: readonly Group[], query: string): readonly Group[] {
  const text = query.trim().toLowerCase();
  const terms = text.split(/\s+/).filter((term) => term !== '');
  return groups.flatMap((group) => {
    const { label, items } = group;
    if (group.areMatched === true) return items.length > 0 ? [group] : [];
    const found = items.filter((item) => {
      const words = `${item.label} ${item.detail}`.toLowerCase();
      return terms.every((term) => words.includes(term) || isIdOf(item, term));
    });
    const first = (item: Item) =>
      ` ${item.label} ${item.detail}`.toLowerCase().includes(` ${text}`) ? 0 : 1;
    const shown = found.toSorted((one, other) => first(one) - first(other)).slice(0, SHOWN_MAX);
    return shown.length > 0 ? [{ label, items: shown }] : [];
  });
}

export function findingItems({ reportId, report }: ReportRead): readonly Item[] {
  return (report?.findings ?? []).map(({ id, title, severity, affected }) => ({
    id: `finding ${id}`,
    label: title,
    detail: `${id} · ${severityLooks[severity].word} · ${affected.file ?? affected.component}`,
    run: `/reports/${reportId}?finding=${encodeURIComponent(id)}`,
  }));
}

export function workspaceFindingItems(findings: readonly WorkspaceFinding[]): readonly Item[] {
  return findings.map(({ findingKey, findingId, projectId, projectName, title, severity }) => ({
    id: `finding ${findingKey}`,
    label: visibleLine(title),
    detail: `${findingId} · ${severityLooks[severity].word} · ${visibleLine(projectName)}`,
    run: `/projects/${projectId}/findings/${findingKey}`,
  }));
}

const FINDING_KEY = /^[0-9a-hjkmnp-tv-z]{26}$/;
/** An id as the CLI numbers findings. Other words with hyphens are searched as text. */
const FINDING_ID = /^f-[0-9]{1,7}$/i;
const TEXT_LENGTH_MIN = 2;

/** The request for findings of the workspace: by key, by id, or by text. Null if the text is too short. */
export function findingsWantedBy(text: string): WorkspaceFindingsQuery | null {
  const limit = String(SHOWN_MAX);
  const wanted = text.trim();
  if (FINDING_KEY.test(wanted)) return { findingKey: wanted, limit };
  if (FINDING_ID.test(wanted)) return { findingId: wanted.toUpperCase(), limit };
  if (wanted.length < TEXT_LENGTH_MIN) return null;
  return { q: wanted.slice(0, limits.findingSearchLengthMax), limit };
}

export function projectItems(projects: readonly Project[]): readonly Item[] {
  return projects.map(({ projectId, name }) => ({
    id: `project ${projectId}`,
    label: name,
    detail: 'Project',
    run: `/projects/${projectId}`,
  }));
}

export function reportItems(reports: readonly ListedReport[]): readonly Item[] {
  return reports.map(({ reportId, projectName, createdAt, state }) => ({
    id: `report ${reportId}`,
    label: projectName || 'Report',
    detail: state === 'live' ? 'No report yet' : exactTime(new Date(createdAt)),
    recordId: reportId,
    run: `/reports/${reportId}`,
  }));
}

export function actionItems(actions: readonly PageAction[]): readonly Item[] {
  return actions.map(({ label, run }) => ({ id: `action ${label}`, label, detail: '', run }));
}

const pages: readonly (readonly [label: string, detail: string, address: string])[] = [
  ['Overview', 'Newest reports and projects', '/'],
  ['Settings', 'Profile, password and sessions', '/settings'],
  ['Devices', 'Machines that can upload reports', '/settings#devices'],
  ['Install the CLI', 'Download for this service', '/install'],
  ['API reference', 'Every operation', '/docs'],
];

export function pageItems(
  { isPlatformAdmin }: User,
  workspaceId: string | undefined,
  sections: readonly { readonly label: string; readonly to: string }[],
): readonly Item[] {
  const own =
    workspaceId === undefined
      ? []
      : [
          ...sections.map(
            ({ label, to }) => [label, 'Of this workspace', to.replace('$id', workspaceId)] as const,
          ),
          ['Workspace', 'Members, plan and audit log', `/workspaces/${workspaceId}`] as const,
        ];
  const admin = isPlatformAdmin ? [['Administration', 'Of this service', '/admin'] as const] : [];
  return [...pages, ...own, ...admin].map(([label, detail, address]) => ({
    id: `page ${address}`,
    label,
    detail,
    run: address,
  }));
}
