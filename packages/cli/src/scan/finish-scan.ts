/**
 * Finishes a scan in one transaction: a report is either scanning without findings, or finished with all of them. Results
 * beyond the report's limit are a gap of the scan.
 */
import { countSeverities, isOutstanding, statusOf, sumOf, type Arrival } from '@svc/report';
import { notesWithout } from '@svc/report/making/imported-results';
import { finishReport, type FinishedReport } from '../report/finish.ts';
import { importIntoReport } from '../report/intake.ts';
import { incompleteWithout } from '../report/left-out.ts';
import type { MovesSince } from '../report/moves-since.ts';
import type { ScanResult } from '../scanners/index.ts';
import type { Lease } from '../store/leases.ts';
import { changeReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';

export interface FinishScanOptions {
  /** The agent, to which findings without a tool are attributed. */
  readonly agent: string;
  readonly lease: Lease;
  readonly moved: MovesSince;
}

export interface FinishedScan {
  readonly result: ScanResult;
  readonly finished: FinishedReport;
}

export function finishScan(
  store: Store,
  localReportId: string,
  result: ScanResult,
  { agent, ...options }: FinishScanOptions,
): FinishedScan {
  const { languages, fileCount } = result.inventory;
  const at = new Date().toISOString();
  return store.write(() => {
    const added = importIntoReport(store, localReportId, result, at);
    changeReport(store, localReportId, ({ scan }) => ({
      scan: { ...scan, languages, fileCount },
    }));
    const notes = notesWithout(result, added, agent);
    const finished = finishReport(store, localReportId, { at, ...options, notes });
    return { result: withGaps(result, { agent, rejected: added.rejected, ...finished }), finished };
  });
}

interface LeftOut extends Pick<FinishedReport, 'leftOut'> {
  readonly agent: string;
  /** Results that exceed the limit of findings. */
  readonly rejected: readonly Arrival[];
}

function withGaps(result: ScanResult, { agent, rejected, leftOut }: LeftOut): ScanResult {
  const open = rejected.filter((each) => isOutstanding(statusOf(each)));
  return {
    ...result,
    leftOut: sumOf([result.leftOut, countSeverities(open)]),
    incomplete: [
      ...result.incomplete,
      ...incompleteWithout(rejected, { agent, reason: 'because the report is full' }),
      ...incompleteWithout(leftOut, { agent, reason: 'so that the report fits' }),
    ],
  };
}
