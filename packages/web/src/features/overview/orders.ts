/** The orders in which projects and reports are listed. The first one is the default. */
import type { ListedReport, Project } from '@svc/contract';
import { byName, bySeverity, orderIn } from '../../lib/order.ts';

export const projectOrders = ['recent', 'name', 'open'] as const;
export type ProjectOrder = (typeof projectOrders)[number];

export const projectOrderLabels: Readonly<Record<ProjectOrder, string>> = {
  recent: 'Last scan',
  name: 'Name',
  open: 'Most severe',
};

const lastOf = ({ lastReportAt, createdAt }: Project) => lastReportAt ?? createdAt;
const newestFirst = (one: Project, other: Project) => lastOf(other).localeCompare(lastOf(one));

const compareProjects: Readonly<Record<ProjectOrder, (one: Project, other: Project) => number>> = {
  recent: newestFirst,
  name: (one, other) => byName(one.name, other.name),
  open: (one, other) => bySeverity(one.openFindings, other.openFindings) || newestFirst(one, other),
};

export function inProjectOrder(projects: readonly Project[], order: ProjectOrder): readonly Project[] {
  return projects.toSorted(compareProjects[order]);
}

export const reportOrders = ['newest', 'oldest', 'severity'] as const;
export type ReportOrder = (typeof reportOrders)[number];

export const reportOrderLabels: Readonly<Record<ReportOrder, string>> = {
  newest: 'Newest',
  oldest: 'Oldest',
  severity: 'Most severe',
};

/** The order of reports that a project's URL names; empty for the default order. */
export function reportOrderIn(value: unknown): { readonly reports?: ReportOrder } {
  const { sort } = orderIn(reportOrders, { sort: value });
  return sort === undefined ? {} : { reports: sort };
}

/** @param reports in the default order */
export function inReportOrder(reports: readonly ListedReport[], order: ReportOrder): readonly ListedReport[] {
  if (order === 'newest') return reports;
  if (order === 'oldest') return reports.toReversed();
  return reports.toSorted((one, other) => bySeverity(one.openFindings, other.openFindings));
}
