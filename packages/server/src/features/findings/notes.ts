/**
 * The notes of decisions. Each is sealed under a random key of its project, which the master key wraps. A note is
 * deleted soon after the last report with its finding has expired or was deleted.
 */
import { snapshotsWithIdentities, identityKey } from '@svc/report';
import {
  listProjectsWithNotesToCheck,
  lockCounts,
  updateProject,
  type ProjectCounts,
} from '#features/projects';
import type { Database, Tx } from '#platform/database/database';
import type { Random } from '#platform/random';
import type { ReportKeys } from '#platform/report-keys';
import { seal, unseal } from '#platform/sealing';
import type { Job } from '#platform/sweeper';
import { forgetNotes, listNoted, type DecisionRow } from './decisions-store.ts';
import { findKept } from './kept-store.ts';
import { listNewest } from './reports-store.ts';

const CHECKED_EVERY_MS = 15_000;
const PROJECTS_AT_ONCE_MAX = 100;
const REPORTS_AT_ONCE = 20;

export interface NotesPorts {
  readonly database: Database;
  readonly random: Random;
  readonly reportKeys: ReportKeys;
}

export interface Notes {
  /** The key for a project's notes with its wrapped form. Creates the key if the project has none. */
  keyFor(
    tx: Tx,
    project: Pick<ProjectCounts, 'id' | 'notesKey'>,
  ): Promise<{ readonly key: Uint8Array; readonly wrapped: Uint8Array }>;
  seal(key: Uint8Array, decision: Pick<DecisionRow, 'projectId' | 'number'>, note: string): Uint8Array;
  /** Null for a decision without a note. */
  open(
    notesKey: Uint8Array | null,
    decision: Pick<DecisionRow, 'projectId' | 'number' | 'note'>,
  ): string | null;
  readonly job: Job;
}

const contextOf = ({ projectId, number }: Pick<DecisionRow, 'projectId' | 'number'>) => [
  'note of a decision',
  projectId,
  String(number),
];

/** Null for a decision without a note. */
export function openNote(
  keys: Pick<ReportKeys, 'unwrap'>,
  notesKey: Uint8Array | null,
  decision: Pick<DecisionRow, 'projectId' | 'number' | 'note'>,
): string | null {
  if (notesKey === null || decision.note === null) return null;
  const key = keys.unwrap(decision.projectId, notesKey);
  return new TextDecoder().decode(unseal(key, contextOf(decision), decision.note));
}

export function createNotes({ database, random, reportKeys }: NotesPorts): Notes {
  /** Deletes the project's notes about findings that no report contains any more. True when there were such notes. */
  const check = (projectId: string) =>
    database.transaction(async (tx) => {
      const project = await lockCounts(tx, projectId);
      if (!project) return false;
      const unseen = new Map(
        (await listNoted(tx, projectId)).map((identity) => [identityKey(identity), identity]),
      );
      for (let skip = 0; unseen.size > 0; skip += REPORTS_AT_ONCE) {
        const reports = await listNewest(tx, projectId, { now: 0, skip, most: REPORTS_AT_ONCE });
        for (const { uploadId } of reports) {
          const kept = await findKept(tx, uploadId);
          if (!kept) continue;
          for (const { snapshot } of snapshotsWithIdentities(kept.findingSnapshots, [...unseen.values()]))
            unseen.delete(identityKey(snapshot.identity));
        }
        if (reports.length < REPORTS_AT_ONCE) break;
      }
      const forgotten = await forgetNotes(tx, projectId, [...unseen.values()]);
      const notesBytes = project.notesBytes - forgotten;
      await updateProject(tx, projectId, { notesToCheck: 0, notesBytes });
      return unseen.size > 0;
    });

  return {
    async keyFor(tx, { id, notesKey }) {
      if (notesKey !== null) return { key: reportKeys.unwrap(id, notesKey), wrapped: notesKey };
      const key = reportKeys.make();
      return { key, wrapped: await reportKeys.wrap(tx, id, key) };
    },

    seal: (key, decision, note) =>
      Buffer.concat(seal(key, contextOf(decision), new TextEncoder().encode(note), random)),

    open: (notesKey, decision) => openNote(reportKeys, notesKey, decision),

    job: {
      name: 'notes of findings without a report',
      everyMs: CHECKED_EVERY_MS,
      async run() {
        let isAnyDeleted = false;
        for (;;) {
          const projectIds = await listProjectsWithNotesToCheck(database.read, PROJECTS_AT_ONCE_MAX);
          for (const projectId of projectIds) isAnyDeleted = (await check(projectId)) || isAnyDeleted;
          if (projectIds.length < PROJECTS_AT_ONCE_MAX) break;
        }
        // Deleted notes are still in the database's write-ahead log.
        if (isAnyDeleted) await database.scrub();
      },
    },
  };
}
