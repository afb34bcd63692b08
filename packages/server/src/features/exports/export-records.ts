/**
 * Each export is in the audit log before its file goes out; only its head is no export. A file that a viewer without an
 * account takes through a link again and again is told once a minute: there is nobody to tell apart, and whoever has a link
 * could otherwise make the log as long as they like.
 */
import type { ExportFormat } from '@svc/contract';
import { LRUCache } from 'lru-cache';
import type { AuditRecorder } from '#features/audit';
import type { ReportRow } from '#features/reports';
import type { Clock } from '#platform/clock';

const TOLD_ONCE_MS = 60_000;
/** When more are asked for within a minute, some are told again. */
const LINKS_MAX = 10_000;

export interface WantedFile {
  readonly format: ExportFormat;
  readonly profile: 'github' | undefined;
  readonly headOnly: boolean;
}

export interface Exporter {
  /** Null without an account. */
  readonly actorId: string | null;
  /** The link that it was taken through. */
  readonly shareId?: string;
}

/** Resolves when the export is recorded. */
export type ExportRecorder = (
  report: Pick<ReportRow, 'id' | 'workspaceId'>,
  wanted: WantedFile,
  by: Exporter,
) => Promise<void>;

export function createExportRecorder({
  audit,
  clock,
}: {
  readonly audit: Pick<AuditRecorder, 'recordAlone'>;
  readonly clock: Clock;
}): ExportRecorder {
  const toldAt = new LRUCache<string, number>({ max: LINKS_MAX });

  function wasToldLately(key: string): boolean {
    const at = toldAt.get(key);
    return at !== undefined && Math.abs(clock.now() - at) < TOLD_ONCE_MS;
  }

  return async ({ id: reportId, workspaceId }, { format, headOnly }, { actorId, shareId }) => {
    if (headOnly) return;
    const key = `${shareId} ${format}`;
    if (actorId === null && wasToldLately(key)) return;
    const link = shareId === undefined ? {} : { subjectId: shareId };
    await audit.recordAlone({
      action: 'report_exported',
      actorId,
      workspaceId,
      reportId,
      ...link,
      detail: format,
    });
    if (actorId === null) toldAt.set(key, clock.now());
  };
}
