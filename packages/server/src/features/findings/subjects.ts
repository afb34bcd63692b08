/** The reports and findings that a decision is about, from rows and packed snapshots, without a report body. */
import type { Finding, SeverityCounts } from '@svc/contract';
import {
  factsAt,
  identityKey,
  snapshotsWithIdentities,
  type FindingFacts,
  type PlacedSnapshot,
} from '@svc/report';
import { AppError } from '#app-error';
import { lockReport } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import type { Tx } from '#platform/database/database';
import { findKept } from './kept-store.ts';
import { settleWithin } from './lapses-service.ts';
import { listStatusChanges, type StatusChangeRow } from './status-changes-store.ts';
import { findingIn } from './report-findings.ts';
import { listNewer, type ReportPlace } from './reports-store.ts';

/** A report with findings that a decision is about. */
export interface Target {
  readonly id: string;
  readonly uploadId: string;
  readonly finalizedAt: number;
  /** Whether the report changed its project. */
  readonly isCounted: boolean;
  overlayVersion: number;
  lapsesAt: number | null;
  readonly findingSnapshots: Uint8Array;
  readonly findingFacts: Uint8Array;
  readonly openFindings: SeverityCounts;
}

/** A finding to decide about, as it is in the report. */
export interface Subject extends PlacedSnapshot {
  readonly facts: FindingFacts | undefined;
  readonly moves: readonly StatusChangeRow[];
  readonly finding: Finding;
}

/** The number of the decision that applies to a finding after these of its moves; null when none does. */
export function decisionAfter(
  { snapshot, facts }: Pick<Subject, 'snapshot' | 'facts'>,
  moves: readonly StatusChangeRow[],
): number | null {
  const last = moves.at(-1);
  if (last) return last.isLapse === 1 ? null : last.decision;
  return snapshot.carried ? (facts?.carried?.number ?? null) : null;
}

/** @throws AppError REPORT_EXPIRED. */
export async function openTarget(
  tx: Tx,
  report: Omit<Target, 'findingSnapshots' | 'findingFacts' | 'openFindings'>,
): Promise<Target> {
  const kept = await findKept(tx, report.uploadId);
  if (!kept) throw new AppError('REPORT_EXPIRED');
  const { findingSnapshots, findingFacts, openFindings } = kept;
  return {
    ...report,
    findingSnapshots,
    findingFacts,
    openFindings: JSON.parse(openFindings) as SeverityCounts,
  };
}

export async function subjectsOf(
  tx: Tx,
  target: Target,
  placed: readonly PlacedSnapshot[],
): Promise<Subject[]> {
  const facts = factsAt(target.findingFacts, new Set(placed.map(({ place }) => place)));
  const findingIds = placed.map(({ snapshot }) => snapshot.id);
  const moves = Map.groupBy(await listStatusChanges(tx, target.id, findingIds), ({ findingId }) => findingId);
  return placed.map(({ place, snapshot }) => {
    const own = { facts: facts.get(place), moves: moves.get(snapshot.id) ?? [] };
    return {
      place,
      snapshot,
      ...own,
      finding: findingIn(snapshot, own.facts, target.finalizedAt, own.moves),
    };
  });
}

/**
 * For each finding, the newest report that became final after this one and has the finding, if any. Locks these
 * reports.
 */
export async function newestWith(
  tx: Tx,
  bus: Pick<Bus, 'publish'>,
  report: ReportPlace,
  subjects: readonly Subject[],
  now: number,
): Promise<{ readonly target: Target; readonly subjects: Subject[] }[]> {
  const waiting = new Map(
    subjects.map(({ snapshot }) => [identityKey(snapshot.identity), snapshot.identity]),
  );
  const found: { target: Target; subjects: Subject[] }[] = [];
  for (const newer of await listNewer(tx, report, now)) {
    if (waiting.size === 0) break;
    const kept = await findKept(tx, newer.uploadId);
    if (!kept) continue;
    const placed = snapshotsWithIdentities(kept.findingSnapshots, [...waiting.values()]);
    if (placed.length === 0) continue;
    const locked = await lockReport(tx, newer.id);
    if (locked?.state !== 'finalized' || locked.uploadId === null || locked.finalizedAt === null) continue;
    const settled = await settleWithin(tx, bus, locked, now);
    const { id, uploadId, finalizedAt } = locked;
    const isCounted = (locked.countedAs ?? 0) > 0;
    const target = await openTarget(tx, { id, uploadId, finalizedAt, isCounted, ...settled });
    for (const { snapshot } of placed) waiting.delete(identityKey(snapshot.identity));
    found.push({ target, subjects: await subjectsOf(tx, target, placed) });
  }
  return found;
}

/** When a finding that the project does not know was first seen. */
export function firstSeenIn(
  subjects: readonly Subject[],
  finalizedAt: number,
): (identity: Uint8Array) => number {
  const seen = new Map(
    subjects.map(({ snapshot }) => [identityKey(snapshot.identity), snapshot.firstSeenAt]),
  );
  return (identity) => seen.get(identityKey(identity)) ?? finalizedAt;
}
