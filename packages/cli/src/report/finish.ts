/** The steps in a report's life that change its bytes: finishing it, and changing a status after that. */
import { randomUUID } from 'node:crypto';
import type { FindingStatus } from '@svc/contract';
import { carryOver, type CanonicalReport, type FindingSet } from '@svc/report';
import type { NewEvent } from '../store/events.ts';
import { changeFindings, findingsOf } from '../store/findings.ts';
import { freeze, refreeze, type FreezeOptions } from '../store/freezing.ts';
import type { CoverageArea } from '../store/local-report.ts';
import { findReport, previousReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { canonicalReport } from './canonical.ts';
import { movedInSet, type MovedFinding, type StatusMoveInReport } from './status-moves.ts';

export interface FinishOptions extends FreezeOptions {
  /** What was looked at and what was not, free of secrets. */
  readonly notes?: ScanNotes;
  /** Secrets that were taken out of the notes. */
  readonly redactions?: number;
}

export interface ScanNotes {
  readonly coverage?: readonly string[];
  readonly coverageAreas?: readonly CoverageArea[];
  readonly limitations?: readonly string[];
}

export interface FinishedReport {
  readonly report: CanonicalReport;
  readonly sizeBytes: number;
  /** Ids of findings whose status was decided in an earlier report. */
  readonly carried: readonly string[];
}

/**
 * Ends a scan: takes over what was decided in the repository's previous report, and freezes what is to be sent.
 *
 * @throws CliError when the report is not `scanning`, or can not be made valid; it then stays as it was.
 */
export function finishReport(store: Store, localReportId: string, options: FinishOptions): FinishedReport {
  const { at, notes = {}, redactions: ofNotes = 0 } = options;
  return store.write(() => {
    const previous = previousReport(store, localReportId);
    const decided = previous === undefined ? [] : findingsOf(store, previous.localReportId).findings;
    return freeze(
      store,
      localReportId,
      (before, local) => {
        const { findings, carried } = carryOver(decided, before.findings);
        const set: FindingSet = { ...before, findings };
        const redactions = local.redactions + ofNotes;
        const details = { ...notes, redactions, scan: { ...local.scan, finishedAt: at } };
        const made = canonicalReport({ ...local, ...details }, set, { at });
        return {
          set,
          details,
          events: [{ eventId: randomUUID(), type: 'scan_completed', occurredAt: at, safeCode: 'ok' }],
          bytes: made.bytes,
          result: { report: made.report, sizeBytes: made.bytes.length, carried },
        };
      },
      options,
    );
  });
}

/**
 * Moves a finding of a report that is still scanning, or of a finished one whose bytes are then made anew.
 *
 * @throws CliError when there is no such finding, the move is not allowed, or the report was sent.
 */
export function moveFinding(
  store: Store,
  localReportId: string,
  move: StatusMoveInReport,
  options: FreezeOptions,
): MovedFinding {
  return store.write(() => {
    if (findReport(store, localReportId)?.state === 'scanning') {
      return changeFindings(store, localReportId, (before) => {
        const { set, moved } = movedInSet(before, move, options.at);
        return { set, events: eventsOf(move.to, options.at), result: moved };
      });
    }
    return refreeze(
      store,
      localReportId,
      (before, local) => {
        const { set, moved } = movedInSet(before, move, options.at);
        const { bytes } = canonicalReport(local, set, { at: options.at });
        return { set, events: eventsOf(move.to, options.at), bytes, result: moved };
      },
      options,
    );
  });
}

function eventsOf(to: FindingStatus, at: string): NewEvent[] {
  if (to !== 'false_positive') return [];
  return [{ eventId: randomUUID(), type: 'finding_dismissed', occurredAt: at }];
}
