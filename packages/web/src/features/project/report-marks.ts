/** What the plot of a project needs to know about its reports: where a click leads, and where the agent changed. */
import type { ListedReport } from '@svc/contract';
import { reportDate } from '../trends/report-date.ts';
import type { PlotMark } from '../trends/plot-frame.tsx';

/** @param reports final ones, in any order */
export function newestUntil(reports: readonly ListedReport[], date: string): ListedReport | undefined {
  return reports
    .filter((report) => reportDate(report) <= date)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
}

/**
 * The days on which a report came from a new agent, or from an agent whose version had changed since its last report.
 * The first report of all has no mark.
 */
export function agentMarks(reports: readonly ListedReport[], dates: readonly string[]): PlotMark[] {
  const versions = new Map<string, string>();
  const marks = new Map<number, string[]>();
  for (const report of reports.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))) {
    const { name = '', version = '' } = report.agent ?? {};
    if (name === '') continue;
    const before = versions.get(name);
    const isFirst = versions.size === 0;
    versions.set(name, version);
    if (isFirst || before === version) continue;
    const at = dates.indexOf(reportDate(report));
    if (at === -1) continue;
    const text =
      before === undefined ? `first report of ${name} ${version}` : `${name} ${before} to ${version}`;
    marks.set(at, [...(marks.get(at) ?? []), text.trim()]);
  }
  return [...marks].map(([at, texts]) => ({ at, label: texts.join(', ') }));
}
