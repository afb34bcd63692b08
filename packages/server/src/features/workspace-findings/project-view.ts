/**
 * The findings that are present in one project, each from the newest report that has it and can still be read. Built
 * from finding snapshots and finding texts, without report bodies.
 */
import {
  isOutstanding,
  listedSnapshots,
  searchTextOf,
  type FindingText,
  type ListedSnapshot,
} from '@svc/report';
import type { FindingStatus, Severity, SeverityCounts } from '@svc/contract';
import { AppError } from '#app-error';
import type { ReadTexts } from '#features/uploads';
import type { Db } from '#platform/database/database';
import type { ListedFinding } from './listed.ts';
import * as store from './store.ts';
import type { ListedProject, ReadableReport } from './store.ts';
import { lastScansOf, missingToolsOf, newestOfTools, type LastScan } from './tool-scans.ts';

/** Most findings are in the newest reports. */
const REPORTS_AT_ONCE = 10;

export interface ProjectView {
  readonly findings: readonly ListedFinding[];
  /** How many findings are present, but in no report that can be read. */
  readonly inExpiredReports: number;
  /** The open findings, including those in no report that can be read. */
  readonly open: SeverityCounts;
  /** The same of each tool, by the digest of its name. */
  readonly openByTool: ReadonlyMap<string, SeverityCounts>;
  /** Newest first. */
  readonly lastScans: readonly LastScan[];
  /** Tools without results, and the report that says so; newest first. */
  readonly missingTools: readonly LastScan[];
  /** When it must be built again although nothing was written: a report expires or a decision lapses. */
  readonly validUntil: number;
}

export interface ProjectViewPorts {
  readonly textsOf: ReadTexts;
}

/** A finding that is present, with its status now. */
interface PresentFinding {
  /** In hexadecimal digits. */
  readonly identity: string;
  readonly severity: Severity;
  readonly status: FindingStatus;
  readonly until: number | null;
  readonly firstSeenAt: number;
  /** The digest of its tool in hexadecimal digits. */
  readonly tool: string;
}

/** Where a finding is shown: in that report, at that position. */
interface Occurrence {
  readonly present: PresentFinding;
  readonly report: ReadableReport;
  readonly snapshot: ListedSnapshot;
  readonly at: number;
}

/** @throws AppError REPORT_EXPIRED when a report ended meanwhile. */
export async function buildView(
  db: Db,
  ports: ProjectViewPorts,
  project: ListedProject,
  now: number,
): Promise<ProjectView> {
  const rows = (await store.listPresent(db, project.id)).map((row) => presentNow(row, now));
  const present = new Map(rows.map((row) => [row.identity, row]));
  const readable = await store.listReadable(db, project.id, now);
  const occurrences = await findOccurrences(db, readable, present);
  const scanned = await newestOfTools(db, readable);
  const reports = [...new Set([...occurrences.map(({ report }) => report), ...scanned])];
  const texts = await ports.textsOf(reports);
  const findings = occurrences.map((occurrence) =>
    listed(project, occurrence, texts.get(occurrence.report.id)?.findings),
  );
  const ends = [...reports.map(({ expiresAt }) => expiresAt), ...rows.flatMap(({ until }) => until ?? [])];
  return {
    findings,
    inExpiredReports: present.size,
    open: openCounts(rows),
    openByTool: openByTool(rows),
    lastScans: lastScansOf(scanned, texts),
    missingTools: missingToolsOf(scanned, texts),
    validUntil: Math.min(...ends, Number.MAX_SAFE_INTEGER),
  };
}

function openByTool(rows: readonly PresentFinding[]): ReadonlyMap<string, SeverityCounts> {
  const byTool = Map.groupBy(rows, ({ tool }) => tool);
  return new Map([...byTool].map(([tool, found]) => [tool, openCounts(found)]));
}

function openCounts(rows: readonly PresentFinding[]): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity, status } of rows) if (isOutstanding(status)) counts[severity] += 1;
  return counts;
}

/** Looks through the reports, newest first, until every finding was found. Removes those found from `present`. */
async function findOccurrences(
  db: Db,
  reports: readonly ReadableReport[],
  present: Map<string, PresentFinding>,
): Promise<Occurrence[]> {
  const found: Occurrence[] = [];
  for (let from = 0; from < reports.length && present.size > 0; from += REPORTS_AT_ONCE) {
    const some = reports.slice(from, from + REPORTS_AT_ONCE);
    const packed = await store.findSnapshots(
      db,
      some.flatMap(({ uploadId }) => uploadId ?? []),
    );
    for (const report of some) {
      const bytes = packed.get(report.uploadId ?? '');
      if (bytes === undefined) continue;
      const inReport = occurrencesIn(report, listedSnapshots(bytes), present);
      for (const [key, occurrence] of inReport) {
        present.delete(key);
        found.push(occurrence);
      }
    }
  }
  return found;
}

function occurrencesIn(
  report: ReadableReport,
  snapshots: readonly ListedSnapshot[],
  present: ReadonlyMap<string, PresentFinding>,
): Map<string, Occurrence> {
  const occurrences = new Map<string, Occurrence>();
  for (const [at, snapshot] of snapshots.entries()) {
    const finding = present.get(snapshot.key);
    if (finding !== undefined) occurrences.set(snapshot.key, { present: finding, report, snapshot, at });
  }
  return occurrences;
}

function listed(
  { id, name }: ListedProject,
  { present, report, snapshot, at }: Occurrence,
  texts: readonly FindingText[] | undefined,
): ListedFinding {
  const text = texts?.[at];
  if (text === undefined || text.id !== snapshot.id) throw new AppError('REPORT_EXPIRED');
  const { title, category, verification, component, file, lineStart } = text;
  const finding: { -readonly [Name in keyof ListedFinding]: ListedFinding[Name] } = {
    identity: present.identity,
    projectId: id,
    projectName: name,
    reportId: report.id,
    ownerId: report.ownerId,
    findingId: snapshot.id,
    title,
    category,
    severity: present.severity,
    verification,
    status: present.status,
    component,
    firstSeenAt: present.firstSeenAt,
    until: present.until,
    tool: present.tool,
    searchText: searchTextOf(text),
  };
  if (file !== undefined) finding.file = file;
  if (lineStart !== undefined) finding.lineStart = lineStart;
  return finding;
}

/** A decision counts until it lapses, by the clock. */
function presentNow(row: store.PresentRow, now: number): PresentFinding {
  const { identity, severity, firstSeenAt, tool } = row;
  const hasLapsed = row.until !== null && row.until <= now;
  const [status, until] = hasLapsed ? (['open', null] as const) : [row.status, row.until];
  return { identity, severity, status, until, firstSeenAt, tool };
}
