/** What the plot of a project needs to know about its reports: where a click leads, and where its tools changed. */
import type { ListedReport, ToolScan } from '@svc/contract';
import { reportDate } from '../trends/report-date.ts';
import type { PlotMark } from '../trends/plot-frame.tsx';

/** @param reports final ones, in any order */
export function newestUntil(reports: readonly ListedReport[], date: string): ListedReport | undefined {
  return reports
    .filter((report) => reportDate(report) <= date)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
}

/**
 * The days on which a report came from a new agent, or from an agent whose version had changed since its last report,
 * and those on which another tool first found something. What the counts begin with has no mark.
 */
export function toolMarks(
  reports: readonly ListedReport[],
  scans: readonly ToolScan[],
  dates: readonly string[],
): PlotMark[] {
  const marks = new Map<number, string[]>();
  function mark(date: string, text: string): void {
    const at = dates.indexOf(date);
    if (at !== -1) marks.set(at, [...(marks.get(at) ?? []), text]);
  }
  const agents = markAgents(reports, mark);
  for (const { tool, firstCountedOn } of scans)
    if (firstCountedOn !== null && !agents.has(tool)) mark(firstCountedOn, `first findings of ${tool}`);
  return [...marks]
    .toSorted(([one], [other]) => one - other)
    .map(([at, texts]) => ({ at, label: texts.join(', ') }));
}

/** @returns the names of the agents. */
function markAgents(
  reports: readonly ListedReport[],
  mark: (date: string, text: string) => void,
): ReadonlySet<string> {
  const versions = new Map<string, string>();
  for (const report of reports.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))) {
    const { name = '', version = '' } = report.agent ?? {};
    if (name === '') continue;
    const before = versions.get(name);
    const isFirst = versions.size === 0;
    versions.set(name, version);
    if (isFirst || before === version) continue;
    const text =
      before === undefined ? `first report of ${name} ${version}` : `${name} ${before} to ${version}`;
    mark(reportDate(report), text.trim());
  }
  return new Set(versions.keys());
}
