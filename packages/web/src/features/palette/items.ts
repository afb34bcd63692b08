/** What the search offers, and which of it matches a query. */
import type { ListedReport, Project, ReportRead, User } from '@svc/contract';
import { exactTime } from '../../lib/format.ts';
import { severityLooks } from '../../ui/severity.tsx';

export interface Item {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label and searched as well. */
  readonly detail: string;
  /** The URL that it leads to, or what it does. */
  readonly run: string | (() => void);
}

export interface Group {
  readonly label: string;
  readonly items: readonly Item[];
}

const SHOWN_MAX = 6;

/** The matching items of each group; terms are joined by and. Words that begin with it come first. */
export function matching(groups: readonly Group[], query: string): readonly Group[] {
  const text = query.trim().toLowerCase();
  const terms = text.split(/\s+/).filter((term) => term !== '');
  return groups.flatMap(({ label, items }) => {
    const found = items.filter((item) => {
      const words = `${item.label} ${item.detail}`.toLowerCase();
      return terms.every((term) => words.includes(term));
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
    detail: state === 'live' ? 'Scan running' : exactTime(new Date(createdAt)),
    run: `/reports/${reportId}`,
  }));
}

const pages: readonly (readonly [label: string, detail: string, address: string])[] = [
  ['Overview', 'Newest reports and projects', '/'],
  ['Settings', 'Profile, password and sessions', '/settings'],
  ['Devices', 'Linked command lines', '/settings#devices'],
  ['Install the command line', 'Download for this service', '/install'],
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
