/**
 * Earlier reports of a repository. A report says nothing about what it did not scan: files outside of the scanned part, or a
 * scanner that failed or did not run. For those, earlier reports count.
 */
import { lookedAgain } from '@svc/report/reading/looked-again';
import type { Finding } from '@svc/contract';
import { findingsOf } from '../store/findings.ts';
import type { LocalReport } from '../store/local-report.ts';
import { previousReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { holdsPart, isInPart } from './scanned-part.ts';

const REPORTS_MAX = 50;
/** How many reports are read for the findings of scanners that have not run since. Reading a report takes time. */
const READ_FOR_SCANNERS_MAX = 10;

export interface EarlierFinding {
  readonly finding: Finding;
  /** The commit of the report that the finding is from. */
  readonly commit: string | undefined;
}

/** The findings of the previous report. For files and scanners that it did not cover, those of earlier reports. */
export function findingsBefore(store: Store, localReportId: string): EarlierFinding[] {
  const found: EarlierFinding[] = [];
  const fingerprints = new Set<string | undefined>();
  const later: LocalReport[] = [];
  for (const report of reportsThatCount(store, localReportId)) {
    const { findings } = findingsOf(store, report.localReportId);
    const kept = findings.filter(
      (finding) =>
        !fingerprints.has(finding.fingerprint) &&
        !later.some((each) => hasLookedAgain(each, finding, report.agent.name)),
    );
    found.push(...kept.map((finding) => ({ finding, commit: report.scan.commit })));
    for (const { fingerprint } of kept) fingerprints.add(fingerprint);
    // An old fingerprint of a moved finding does not count as another finding.
    for (const { from } of report.moves ?? []) fingerprints.add(from);
    later.push(report);
  }
  return found;
}

/** The reports that count, newest first: the previous one, and earlier ones that cover what was not scanned since. */
export function reportsThatCount(store: Store, localReportId: string): LocalReport[] {
  const counting: LocalReport[] = [];
  const looked = new Set<string>();
  let isWholeKnown = false;
  let readForScanners = 0;
  for (const report of reportsBefore(store, localReportId)) {
    const isOfMore = toolsOf(report).some((tool) => !looked.has(tool));
    if (!isWholeKnown || (isOfMore && readForScanners < READ_FOR_SCANNERS_MAX)) {
      counting.push(report);
      if (isWholeKnown) readForScanners += 1;
    }
    if (report.scan.part !== undefined) continue;
    isWholeKnown = true;
    const { tools } = report.scan;
    for (const tool of [...tools.map(({ name }) => name), report.agent.name])
      if (lookedAgain(laterScanOf(report), {}, tool)) looked.add(tool);
  }
  return counting;
}

/** The tools whose findings a report may contain: its scanners, and the agent, which can submit findings itself. */
function toolsOf({ scan, agent }: LocalReport): string[] {
  return [...scan.tools.flatMap(({ name, findings }) => (findings === 0 ? [] : [name])), agent.name];
}

function hasLookedAgain(later: LocalReport, finding: Finding, agent: string): boolean {
  const { part } = later.scan;
  const { file } = finding.affected;
  if (part !== undefined && (file === undefined || !isInPart(part, file))) return false;
  return lookedAgain(laterScanOf(later), finding, agent);
}

/**
 * In a partial scan an area is `partial` even if its tool scanned the whole part. So only `not_covered` areas count.
 */
function laterScanOf({ scan: { tools, part }, agent, coverageAreas }: LocalReport) {
  const areas =
    part === undefined ? coverageAreas : coverageAreas.filter(({ status }) => status === 'not_covered');
  return { tools, agent: agent.name, coverageAreas: areas };
}

/** The newest earlier report of the same part, or of a larger part that contains it. */
export function comparableBefore(
  store: Store,
  { localReportId, scan }: LocalReport,
): LocalReport | undefined {
  for (const report of reportsBefore(store, localReportId))
    if (holdsPart(report.scan.part, scan.part)) return report;
  return undefined;
}

/** The reports before this one, newest first. */
function* reportsBefore(store: Store, localReportId: string): Generator<LocalReport> {
  let report = previousReport(store, localReportId);
  for (let count = 0; report !== undefined && count < REPORTS_MAX; count += 1) {
    yield report;
    report = previousReport(store, report.localReportId);
  }
}
