/**
 * What of a project stops being present, or begins to be, other than by a report that becomes final: reports that end, tools
 * that are given up, and reports from before the service counted.
 */
import { severities, type Severity } from '@svc/contract';
import {
  factsOf,
  identityKey,
  packedFacts,
  snapshotsWithIdentities,
  toolDigest,
  unpackedFacts,
  unpackedSnapshots,
  type CanonicalReport,
  type FindingSnapshot,
} from '@svc/report';
import { AppError } from '#app-error';
import { updateReport } from '#features/reports';
import { updateUpload } from '#features/uploads';
import { MINUTE_MS, type Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { ProjectKeys } from '#platform/project-keys';
import type { Job } from '#platform/sweeper';
import { countReport, equalsOf } from './counting.ts';
import { createLedger } from './ledger.ts';
import { judged, knownAfter, knownWithout, type Known } from './policy.ts';
import { openProject, saveProject, saveRows, type ProjectState } from './project-state.ts';
import { countsOfReport } from './report-findings.ts';
import * as store from './store.ts';
import type { KnownRow, UncountedRow } from './store.ts';

const COUNTS_EVERY_MS = MINUTE_MS;
const PROJECTS_AT_ONCE = 100;
const REPORTS_AT_ONCE = 20;

export interface PresencePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly projectKeys: ProjectKeys;
  /** @throws AppError REPORT_EXPIRED when it has expired. */
  readonly readBytes: (report: Pick<UncountedRow, 'id' | 'wrappedKey' | 'uploadId'>) => Promise<Uint8Array>;
}

/** A report that is about to end. */
export interface EndingReport {
  readonly id: string;
  readonly projectId: string;
  readonly uploadId: string | null;
  readonly countedAs: number | null;
}

export interface PresenceService {
  /** A person deletes the report: what it alone made present is not present any more. */
  withdraw(tx: Tx, report: EndingReport): Promise<void>;
  /** The report expires: what it has stays present, and no deletion can withdraw it. */
  hold(tx: Tx, report: EndingReport): Promise<void>;
  forgetTool(tx: Tx, projectId: string, name: string): Promise<void>;
  /** Counts the reports of a project that became final before the service counted, or under an earlier version. */
  catchUp(projectId: string): Promise<void>;
  /** Computes the facts about an upload of an earlier version, from its body. */
  completeFacts(reportId: string): Promise<void>;
  readonly job: Job;
}

export function createPresence(ports: PresencePorts): PresenceService {
  const { database, clock, projectKeys } = ports;
  const db = database.read;

  /** The findings of an ending report that it may have made present. */
  async function heldBy(tx: Tx, state: ProjectState, { uploadId, countedAs }: EndingReport) {
    const kept = uploadId === null ? null : await store.findKept(tx, uploadId);
    if (!kept?.findingMarks || countedAs === null || countedAs === 0) return new Map<string, KnownRow>();
    const identities = unpackedSnapshots(kept.findingMarks).map(({ identity }) => identity);
    const known = await store.findKnown(tx, state.project.id, identities);
    return new Map([...known].filter(([, row]) => row.present === 1 && (row.presentFrom ?? 0) <= countedAs));
  }

  /** The newest other report that keeps each finding present, with the severity there. */
  async function otherHolders(
    tx: Tx,
    { id, projectId }: EndingReport,
    rows: ReadonlyMap<string, KnownRow>,
  ): Promise<Map<string, { readonly countedAs: number; readonly severity: Severity }>> {
    const waiting = new Map(rows);
    const found = new Map<string, { countedAs: number; severity: Severity }>();
    for (let skip = 0; waiting.size > 0; skip += REPORTS_AT_ONCE) {
      const reports = await store.listNewest(tx, projectId, { now: 0, skip, most: REPORTS_AT_ONCE });
      for (const { id: otherId, countedAs, uploadId } of reports) {
        if (otherId === id || uploadId === null || countedAs === null || countedAs === 0) continue;
        const kept = await store.findKept(tx, uploadId);
        if (!kept?.findingMarks) continue;
        const identities = [...waiting.values()]
          .filter(({ presentFrom }) => (presentFrom ?? 0) <= countedAs)
          .map(({ identity }) => identity);
        const marks = snapshotsWithIdentities(kept.findingMarks, identities).map(({ mark }) => mark);
        for (const [key, equals] of Map.groupBy(marks, ({ identity }) => identityKey(identity))) {
          waiting.delete(key);
          found.set(key, { countedAs, severity: worstOf(equals) });
        }
      }
      if (reports.length < REPORTS_AT_ONCE) break;
    }
    return found;
  }

  /** The facts of a report, from its body when they are not stored. */
  async function completed(report: UncountedRow) {
    const kept = report.uploadId === null ? null : await store.findKept(db, report.uploadId);
    if (!kept?.findingMarks || report.uploadId === null) return null;
    const marks = unpackedSnapshots(kept.findingMarks);
    if (kept.findingFacts !== null) return { marks, facts: unpackedFacts(kept.findingFacts) };
    const bytes = await ports.readBytes(report);
    const body = JSON.parse(new TextDecoder().decode(bytes)) as CanonicalReport;
    const facts = factsOf(body, projectKeys.ofFindings(report.projectId));
    const moves = Map.groupBy(await store.listMoves(db, report.id), ({ findingId }) => findingId);
    const { uploadId } = report;
    await database.transaction((tx) =>
      updateUpload(tx, uploadId, {
        findingFacts: packedFacts(facts),
        openFindings: JSON.stringify(countsOfReport(marks, moves)),
      }),
    );
    return { marks, facts };
  }

  async function completedIfPresent(report: UncountedRow) {
    try {
      return await completed(report);
    } catch (error) {
      if (error instanceof AppError && error.code === 'REPORT_EXPIRED') return null;
      throw error;
    }
  }

  /** Begins to count, with what the newest report has. */
  async function start(tx: Tx, state: ProjectState, report: UncountedRow, now: number): Promise<void> {
    const found = await completedFrom(tx, report);
    const { project, ledger } = state;
    const order = project.reportsCounted + 1;
    const rows: KnownRow[] = [];
    const isOfOtherBranch = found?.facts.scan.isOfOtherBranch ?? true;
    if (found && !isOfOtherBranch) {
      const known = await store.findKnown(
        tx,
        project.id,
        found.marks.map(({ identity }) => identity),
      );
      const decided = new Set((await store.listMoves(tx, report.id)).map(({ findingId }) => findingId));
      for (const [key, equals] of equalsOf(found)) {
        const before = known.get(key);
        const counted = knownAfter(equals, before, { now: report.finalizedAt ?? now, order });
        const isByPerson = equals.some(({ mark }) => decided.has(mark.id));
        const after = judged({ ...counted, ...(before ? statusIn(before, isByPerson) : {}) }, now);
        const { identity } = equals[0].mark;
        rows.push({ ...after, identity });
      }
    }
    await saveRows(tx, project.id, rows);
    for (const row of rows) ledger.begin(row);
    await saveProject(tx, state, now, {
      presentSince: now,
      ...(isOfOtherBranch ? {} : { reportsCounted: order }),
    });
    await updateReport(tx, report.id, { countedAs: isOfOtherBranch ? 0 : order });
  }

  async function completedFrom(tx: Tx, { uploadId }: UncountedRow) {
    const kept = uploadId === null ? null : await store.findKept(tx, uploadId);
    if (!kept?.findingMarks || !kept.findingFacts) return null;
    return { marks: unpackedSnapshots(kept.findingMarks), facts: unpackedFacts(kept.findingFacts) };
  }

  /** Counts a report that an earlier version finalized while this one was running. */
  async function countLate(tx: Tx, state: ProjectState, report: UncountedRow, now: number): Promise<void> {
    const found = await completedFrom(tx, report);
    const { project } = state;
    const order = project.reportsCounted + 1;
    const isOfOtherBranch = found?.facts.scan.isOfOtherBranch ?? true;
    if (found && !isOfOtherBranch) {
      const known = await store.findKnown(
        tx,
        project.id,
        found.marks.map(({ identity }) => identity),
      );
      const present = await store.listPresent(tx, project.id, found.facts.scan.ran);
      const taken = { now: known, movedTo: new Set<string>(), movedAway: [] };
      await countReport(tx, state, { ...found, known: taken, found: known, present, order }, now);
      await saveProject(tx, state, now, { reportsCounted: order });
    }
    await updateReport(tx, report.id, { countedAs: isOfOtherBranch ? 0 : order });
  }

  async function catchUp(projectId: string): Promise<void> {
    for (;;) {
      const waiting = await store.listUncounted(db, projectId);
      const newest = waiting.at(-1);
      if (!newest) return;
      for (const report of waiting) await completedIfPresent(report);
      const isDone = await database.transaction(async (tx) => {
        const now = clock.now();
        const state = await openProject(tx, projectId, now);
        if (!state) return true;
        const uncounted = await store.listUncounted(tx, projectId);
        if (state.project.presentSince === null) {
          const last = uncounted.at(-1);
          if (!last) return true;
          for (const { id } of uncounted.slice(0, -1)) await updateReport(tx, id, { countedAs: 0 });
          await start(tx, state, last, now);
          return true;
        }
        const [first] = uncounted;
        if (!first) return true;
        // The version before has replaced the counts with those of its newest report.
        const ledger = createLedger(await store.countOpen(tx, projectId));
        await countLate(tx, { ...state, ledger }, first, now);
        return uncounted.length === 1;
      });
      if (isDone) return;
    }
  }

  return {
    async withdraw(tx, report) {
      const now = clock.now();
      const state = await openProject(tx, report.projectId, now);
      if (!state) return;
      const { ledger } = state;
      const rows = await heldBy(tx, state, report);
      const others = await otherHolders(tx, report, rows);
      const changed: KnownRow[] = [];
      for (const [key, row] of rows) {
        const other = others.get(key);
        if (!other && row.isHeld === 0) {
          ledger.withdraw(row);
          changed.push({ ...knownWithout(row), identity: row.identity });
        } else if (other && other.countedAs < (report.countedAs ?? 0)) {
          const after = { ...row, presentSeverity: other.severity };
          ledger.change(row.identity, row, after);
          changed.push(after);
        }
      }
      await saveRows(tx, report.projectId, changed);
      await saveProject(tx, state, now);
    },

    async hold(tx, report) {
      const state = await openProject(tx, report.projectId, clock.now());
      if (!state) return;
      const rows = await heldBy(tx, state, report);
      const held = [...rows.values()].filter(({ isHeld }) => isHeld === 0);
      await saveRows(
        tx,
        report.projectId,
        held.map((row) => ({ ...row, isHeld: 1 })),
      );
    },

    async forgetTool(tx, projectId, name) {
      const now = clock.now();
      const state = await openProject(tx, projectId, now);
      if (!state) return;
      const digest = toolDigest(name, projectKeys.ofFindings(projectId));
      const rows = [...(await store.listPresent(tx, projectId, [digest])).values()];
      for (const row of rows) state.ledger.withdraw(row);
      await saveRows(
        tx,
        projectId,
        rows.map((row) => ({ ...knownWithout(row), identity: row.identity })),
      );
      await saveProject(tx, state, now);
    },

    catchUp,

    async completeFacts(reportId) {
      const report = await store.findFinal(db, reportId);
      if (report) await completedIfPresent(report);
    },

    job: {
      name: 'reports to count',
      everyMs: COUNTS_EVERY_MS,
      async run() {
        for (let last = ''; ;) {
          const projectIds = await store.listProjectsToCount(db, last, PROJECTS_AT_ONCE);
          for (const projectId of projectIds) await catchUp(projectId);
          if (projectIds.length < PROJECTS_AT_ONCE) return;
          last = projectIds.at(-1) ?? last;
        }
      },
    },
  };
}

function worstOf(equals: readonly FindingSnapshot[]): Severity {
  return severities.find((severity) => equals.some((mark) => mark.severity === severity)) ?? 'info';
}

/** The status that an earlier version stored is the newest one. */
function statusIn({ status, severity, statusAt }: Known, isByPerson: boolean) {
  return { status, severity, statusAt, decidedAt: isByPerson ? statusAt : null, until: null, decision: null };
}
