/**
 * Records each export in the audit log before its file is sent; a HEAD request is not an export. If one actor exports
 * the same report in the same format again within a minute, the count of the entry rises, so nobody can fill the log.
 * Viewers without an account are indistinguishable, so the share counts as their actor.
 */
import type { ExportFormat } from '@svc/contract';
import type { AuditRecorder } from '#features/audit';
import type { ReportRow } from '#features/reports';

export interface WantedFile {
  readonly format: ExportFormat;
  readonly profile: 'github' | undefined;
  readonly headOnly: boolean;
}

export interface Exporter {
  /** Null without an account. */
  readonly actorId: string | null;
  /** The share through which the report was exported. */
  readonly shareId?: string;
}

/** Resolves when the export is recorded. */
export type ExportRecorder = (
  report: Pick<ReportRow, 'id' | 'workspaceId'>,
  wanted: WantedFile,
  by: Exporter,
) => Promise<void>;

export function createExportRecorder(audit: Pick<AuditRecorder, 'recordAlone'>): ExportRecorder {
  return async ({ id: reportId, workspaceId }, { format, headOnly }, { actorId, shareId }) => {
    if (headOnly) return;
    const link = shareId === undefined ? {} : { subjectId: shareId };
    await audit.recordAlone({
      action: 'report_exported',
      actorId,
      workspaceId,
      reportId,
      ...link,
      detail: format,
    });
  };
}
