/** Reads the audit log page by page. The first page is the newest; within a page, the oldest entry comes first. */
import {
  isTime,
  limits,
  type AdminAuditEntry,
  type AuditEntry,
  type AuditHead,
  type WorkspaceAuditEntry,
} from '@svc/contract';
import { validationFailed } from '#app-error';
import { isoTime } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { isRecordId, lowestTimedId } from '#platform/ids';
import * as store from './store.ts';

export interface AuditReading {
  /** The entries of one workspace. The caller has checked that the reader may see them. */
  ofWorkspace(workspaceId: string, before: string | undefined): Promise<WorkspaceAuditEntry[]>;
  /** All entries of the service, and the current end of the log. */
  ofAll(
    before: string | undefined,
  ): Promise<{ readonly entries: AdminAuditEntry[]; readonly head: AuditHead | null }>;
}

export function createAuditReading({ database }: { readonly database: Database }): AuditReading {
  const db = database.read;

  async function list(workspaceId: string | null, before: string | undefined) {
    const place = before === undefined ? null : await placeOf(before, workspaceId);
    const newest = await store.listBefore(db, {
      workspaceId,
      before: place,
      most: limits.auditEntriesListedMax,
    });
    return newest.toReversed();
  }

  async function placeOf(before: string, workspaceId: string | null): Promise<number | null> {
    if (isTime(before)) return store.placeOfFirst(db, lowestTimedId('aud', Date.parse(before)));
    const place = isRecordId('aud', before) ? await store.placeOf(db, before, workspaceId) : null;
    if (place === null)
      throw validationFailed({ path: '/before', message: 'must be a time or the id of an entry' });
    return place;
  }

  return {
    async ofWorkspace(workspaceId, before) {
      const rows = await list(workspaceId, before);
      const names = await store.namesOf(db, [...new Set(rows.flatMap(peopleIn))]);
      return rows.map((row) => ({
        ...toEntry(row),
        actorName: isOfSupport(row) ? null : (names.get(row.actorId ?? '') ?? null),
        subjectName: names.get(row.subjectId ?? '') ?? null,
      }));
    },

    async ofAll(before) {
      const rows = await list(null, before);
      const head = await store.findHead(db);
      return {
        entries: rows.map((row) => ({ sequence: row.sequence, ...toEntry(row) })),
        head: head && { sequence: head.sequence, hash: Buffer.from(head.hash).toString('hex') },
      };
    },
  };
}

type StoredEntry = Pick<
  store.ListedRow,
  'id' | 'at' | 'action' | 'actorId' | 'workspaceId' | 'reportId' | 'subjectId' | 'detail' | 'count'
>;

function toEntry(stored: StoredEntry): AuditEntry {
  const { id, at, action, actorId, workspaceId, reportId, subjectId, detail, count } = stored;
  return {
    entryId: id,
    at: isoTime(at),
    action,
    actorId,
    workspaceId,
    reportId,
    subjectId,
    detail,
    count,
  };
}

/** In these actions an administrator acts from outside the workspace, so its audit log does not name them. */
function isOfSupport({ action }: StoredEntry): boolean {
  return action.startsWith('support_') || action === 'workspace_plan_changed';
}

function peopleIn({ actorId, subjectId }: StoredEntry): string[] {
  return [actorId, subjectId].filter((id) => id !== null && isRecordId('usr', id)) as string[];
}
