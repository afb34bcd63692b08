/** The last scan of each agent of a project, from its reports. */
import type { ListedReport } from '@svc/contract';

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
