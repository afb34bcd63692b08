/**
 * Stores each response of the service before the next call. A sync that is interrupted anywhere continues from here,
 * and repeats at most the one call whose response it did not see.
 */
import { forgetDeliveries } from './events.ts';
import { frozenSha256, moveTo } from './freezing.ts';
import type { LocalReport, SyncFailure } from './local-report.ts';
import { changeReport } from './reports.ts';
import type { Store } from './store.ts';

export interface ShellRecord {
  readonly origin: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly reportUrl: string;
  readonly expiresAt: string;
}

/**
 * Call this before requesting a shell. Even if the request then fails without a response, it is known which service may
 * have the shell.
 */
export function recordTarget(
  store: Store,
  localReportId: string,
  target: Pick<ShellRecord, 'origin' | 'workspaceId' | 'projectId'>,
): LocalReport {
  return changeReport(store, localReportId, ({ sync }) => ({ sync: { ...sync, ...target } }));
}

/** The report has a shell in the service. A different shell than before begins the sync again. */
export function recordShell(store: Store, localReportId: string, shell: ShellRecord): LocalReport {
  return store.write(() =>
    changeReport(store, localReportId, ({ sync }) => {
      if (sync.reportId === shell.reportId && sync.origin === shell.origin)
        return { sync: { ...sync, ...shell } };
      forgetDeliveries(store, localReportId);
      return { sync: { ...shell, isReceived: false } };
    }),
  );
}

/**
 * An upload was declared for the frozen bytes.
 *
 * @returns false, with nothing recorded, when the body has been written again in the meantime: declare the new body.
 */
export function recordUpload(
  store: Store,
  localReportId: string,
  { uploadId, sha256 }: { readonly uploadId: string; readonly sha256: string },
): boolean {
  return store.write(() => {
    if (frozenSha256(store, localReportId) !== sha256) return false;
    changeReport(store, localReportId, ({ sync }) => ({
      sync: { ...sync, uploadId, uploadSha256: sha256, isReceived: false },
    }));
    return true;
  });
}

/** The service no longer accepts the upload: the next sync declares the bytes again. */
export function forgetUpload(store: Store, localReportId: string, uploadId: string): LocalReport {
  return changeReport(store, localReportId, ({ sync }) => {
    if (sync.uploadId !== uploadId) return {};
    const { uploadId: _id, uploadSha256: _sha256, ...rest } = sync;
    return { sync: { ...rest, isReceived: false } };
  });
}

/** @returns false when this is no longer the current upload. */
export function recordReceived(store: Store, localReportId: string, uploadId: string): boolean {
  return store.write(() => {
    let isCurrent = false;
    changeReport(store, localReportId, ({ sync }) => {
      isCurrent = sync.uploadId === uploadId;
      return isCurrent ? { sync: { ...sync, isReceived: true } } : {};
    });
    return isCurrent;
  });
}

/** → `synced`; earlier failures no longer matter. An aborted report keeps its state. */
export function recordFinalized(store: Store, localReportId: string, finalizedAt: string): LocalReport {
  return store.write(() => {
    const report = changeReport(store, localReportId, ({ sync: { lastFailure: _past, ...sync } }) => ({
      sync: { ...sync, isReceived: true, finalizedAt },
    }));
    if (report.state !== 'finished') return report;
    moveTo(store, localReportId, 'synced');
    return { ...report, state: 'synced' };
  });
}

export function recordSyncFailure(
  store: Store,
  localReportId: string,
  lastFailure: SyncFailure,
): LocalReport {
  return changeReport(store, localReportId, ({ sync }) => ({ sync: { ...sync, lastFailure } }));
}

/** Deletes an earlier failure. */
export function forgetSyncFailure(store: Store, localReportId: string): LocalReport {
  return changeReport(store, localReportId, ({ sync: { lastFailure: _past, ...sync } }) => ({ sync }));
}

/** The shell is gone from the service, or was released: the next sync creates another one. */
export function forgetShell(store: Store, localReportId: string): LocalReport {
  return changeReport(store, localReportId, ({ sync: { lastFailure } }) => ({
    sync: { isReceived: false, ...(lastFailure && { lastFailure }) },
  }));
}

/** Records whether a sync without `--report` sends the report. */
export function recordSyncWish(store: Store, localReportId: string, isSyncWanted: boolean): LocalReport {
  return changeReport(store, localReportId, () => ({ isSyncWanted }));
}
