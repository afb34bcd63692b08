/** The steps in a report's life that change its body: finishing it, and changing a status after that. */
import { randomUUID } from 'node:crypto';
import { limits, type Finding, type FindingStatus, type MovedIdentity } from '@svc/contract';
import { succeed, type CanonicalReport, type FindingSet } from '@svc/report';
import type { NewEvent } from '../store/events.ts';
import { changeFindings, findingsOf } from '../store/findings.ts';
import { freeze, refreeze, type FreezeOptions } from '../store/freezing.ts';
import type { CoverageArea, LocalReport } from '../store/local-report.ts';
import { findReport, previousReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { canonicalReport } from './canonical.ts';
import { findingsBefore } from './earlier.ts';
import type { MovesSince } from './moves-since.ts';
import { movedInSet, type MovedFinding, type StatusMoveInReport } from './status-moves.ts';

export interface FinishOptions extends FreezeOptions {
  /** What was scanned and what was not, without secrets. */
  readonly notes?: ScanNotes;
  /** The number of secrets that were removed from the notes. */
  readonly redactions?: number;
  /** How files and lines moved since the earlier reports, from git. */
  readonly moved?: MovesSince;
}

export interface ScanNotes {
  readonly coverage?: readonly string[];
  readonly coverageAreas?: readonly CoverageArea[];
  readonly limitations?: readonly string[];
}

const noMoves: MovesSince = new Map();

export interface FinishedReport {
  readonly report: CanonicalReport;
  readonly sizeBytes: number;
  /** Ids of findings whose status was carried over from an earlier report. */
  readonly carried: readonly string[];
  /** Sentences about what was changed so that the report is valid. */
  readonly repairs: readonly string[];
  /** Findings that did not fit into the report. */
  readonly leftOut: readonly Finding[];
}

/**
 * Ends a scan: carries over the decisions of the repository's earlier reports, and freezes the body to be sent.
 *
 * @throws CliError when the report is not `scanning`, or cannot be made valid; it then stays as it was.
 */
export function finishReport(store: Store, localReportId: string, options: FinishOptions): FinishedReport {
  const { at, notes = {}, redactions: ofNotes = 0, moved = noMoves } = options;
  return store.write(() => {
    const pending = pendingMoves(store, previousReport(store, localReportId));
    const decided = findingsBefore(store, localReportId);
    const commits = new Map(decided.map(({ finding, commit = '' }) => [finding, commit]));
    return freeze(
      store,
      localReportId,
      (before, local) => {
        const { findings, carried, moves } = succeed(
          [...commits.keys()],
          before.findings,
          (finding) => moved.get(commits.get(finding) ?? ''),
          pending,
        );
        const set: FindingSet = { ...before, findings };
        const redactions = local.redactions + ofNotes;
        const details = {
          ...notes,
          redactions,
          scan: { ...local.scan, finishedAt: at },
          moves: sinceSynced(pending, moves, fingerprintsOf([...commits.keys(), ...findings])),
        };
        const made = canonicalReport({ ...local, ...details }, set, { at });
        return {
          set,
          details: { ...details, fitted: made.fitted },
          events: [{ eventId: randomUUID(), type: 'scan_completed', occurredAt: at, safeCode: 'ok' }],
          bytes: made.bytes,
          result: {
            report: made.report,
            sizeBytes: made.bytes.length,
            carried,
            repairs: made.repairs,
            leftOut: made.leftOut,
          },
        };
      },
      options,
    );
  });
}

/**
 * Moved identities that the service does not know yet. Either it never received the previous report, or that report
 * lacked the finding because its scanner had not run.
 */
function pendingMoves(store: Store, previous: LocalReport | undefined): readonly MovedIdentity[] {
  const { moves = [], state, localReportId = '' } = previous ?? {};
  if (state !== 'synced' || moves.length === 0) return moves;
  const present = fingerprintsOf(findingsOf(store, localReportId).findings);
  return moves.filter(({ to }) => !present.has(to));
}

/** @param alive the fingerprints of the findings in this report, and of those in the earlier reports that count */
function sinceSynced(
  pending: readonly MovedIdentity[],
  moves: readonly MovedIdentity[],
  alive: ReadonlySet<string | undefined>,
): readonly MovedIdentity[] {
  const next = new Map(moves.map(({ from, to }) => [from, to]));
  const passedOn = pending
    .map(({ from, to }) => ({ from, to: next.get(to) ?? to }))
    .filter(({ from, to }) => from !== to && alive.has(to));
  const room = Math.max(0, limits.movedIdentitiesMax - moves.length);
  // The oldest come first, and are dropped first.
  return [...passedOn.slice(Math.max(0, passedOn.length - room)), ...moves].slice(
    0,
    limits.movedIdentitiesMax,
  );
}

function fingerprintsOf(findings: readonly Finding[]): Set<string | undefined> {
  return new Set(findings.map(({ fingerprint }) => fingerprint));
}

/**
 * Changes the status of a finding in a report that is still scanning, or in a finished one, whose body is then written
 * again.
 *
 * @throws CliError when the finding does not exist, the change is not allowed, or the report was sent.
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
        const { bytes, fitted } = canonicalReport(local, set, { at: options.at });
        return {
          set,
          details: { fitted },
          events: eventsOf(move.to, options.at),
          bytes,
          result: moved,
        };
      },
      options,
    );
  });
}

function eventsOf(to: FindingStatus, at: string): NewEvent[] {
  if (to !== 'false_positive') return [];
  return [{ eventId: randomUUID(), type: 'finding_dismissed', occurredAt: at }];
}
