/** The last scan of each tool or agent of a project. */
import type { ListedReport, ToolScan } from '@svc/contract';
import { visibleLine } from '@svc/report/reading/visible-text';

export interface ReportScan {
  readonly reportId: string;
  readonly finalizedAt: string;
  /** The tools whose newest report this is. */
  readonly tools: readonly string[];
}

/** The order stays the same. */
export function scansByReport(scans: readonly ToolScan[]): ReportScan[] {
  return [...Map.groupBy(scans, ({ reportId }) => reportId)].flatMap(([reportId, of]) =>
    of.slice(0, 1).map(({ finalizedAt }) => {
      return { reportId, finalizedAt, tools: of.map(({ tool }) => visibleLine(tool)) };
    }),
  );
}

export interface LastScan {
  /** The agent, such as `svc`, that made the report; null if it has no name. */
  readonly name: string | null;
  readonly version: string | undefined;
  readonly report: ListedReport;
  /** How many reports of this agent there are. */
  readonly count: number;
}

/** The newest first. Running scans are left out. */
export function lastScansOf(reports: readonly ListedReport[]): LastScan[] {
  const final = reports
    .filter(({ state }) => state === 'finalized')
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  return [...Map.groupBy(final, ({ agent }) => agent?.name || null)].flatMap(([name, ofAgent]) => {
    const [report] = ofAgent;
    return report ? [{ name, version: report.agent?.version, report, count: ofAgent.length }] : [];
  });
}
