/**
 * What the service answered, written down before the next call is made: a sync that is cut short anywhere goes on from
 * here, and repeats at most the one call whose answer it did not see.
 */
import { forgetDeliveries } from './events.ts';
import { frozenSha256, moveTo } from './freezing.ts';
import type { LocalReport, SyncFailure, SyncState } from './local-report.ts';
import { changeReport } from './reports.ts';
import type { Store } from './store.ts';

export interface Shell {
  readonly origin: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly reportId: string;
  readonly reportUrl: string;
  readonly expiresAt: string;
}

/**
 * A shell is about to be asked for. Whatever becomes of the call, it is known from then on where a shell may be.
 */
export function recordTarget(
  store: Store,
  localReportId: string,
  target: Pick<Shell, 'origin' | 'workspaceId' | 'projectId'>,
): LocalReport {
  return changeSync(store, localReportId, (sync) => ({ ...sync, ...target }));
}

/** The report has a shell in the service; another one than before begins anew. */
export function recordShell(store: Store, localReportId: string, shell: Shell): LocalReport {
  return store.write(() =>
    changeSync(store, localReportId, (sync) => {
      if (sync.reportId === shell.reportId && sync.origin === shell.origin) return { ...sync, ...shell };
      forgetDeliveries(store, localReportId);
      return { ...shell, isReceived: false };
    }),
  );
}

/**
 * An upload was declared for the frozen bytes.
 *
 * @returns false, with nothing recorded, when the bytes have been made anew meanwhile: declare those.
 */
export function recordUpload(
  store: Store,
  localReportId: string,
  { uploadId, sha256 }: { readonly uploadId: string; readonly sha256: string },
): boolean {
  return store.write(() => {
    if (frozenSha256(store, localReportId) !== sha256) return false;
    changeSync(store, localReportId, (sync) => ({
      ...sync,
      uploadId,
      uploadSha256: sha256,
      isReceived: false,
    }));
    return true;
  });
}

/** The service no longer takes it: the next sync declares the bytes anew. */
export function forgetUpload(store: Store, localReportId: string, uploadId: string): LocalReport {
  return changeSync(store, localReportId, (sync) => {
    if (sync.uploadId !== uploadId) return sync;
    const { uploadId: _id, uploadSha256: _sha256, ...rest } = sync;
    return { ...rest, isReceived: false };
  });
}

/** @returns false when this is no longer the upload that counts. */
export function recordReceived(store: Store, localReportId: string, uploadId: string): boolean {
  return store.write(() => {
    let isCurrent = false;
    changeSync(store, localReportId, (sync) => {
      isCurrent = sync.uploadId === uploadId;
      return isCurrent ? { ...sync, isReceived: true } : sync;
    });
    return isCurrent;
  });
}

/** → `synced`; what went wrong before no longer matters. Of an aborted report the state stays. */
export function recordFinalized(store: Store, localReportId: string, finalizedAt: string): LocalReport {
  return store.write(() => {
    const report = changeSync(store, localReportId, ({ lastFailure: _past, ...sync }) => ({
      ...sync,
      isReceived: true,
      finalizedAt,
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
  return changeSync(store, localReportId, (sync) => ({ ...sync, lastFailure }));
}

/** The shell is gone in the service, or was given back: the next sync makes another one. */
export function forgetShell(store: Store, localReportId: string): LocalReport {
  return changeSync(store, localReportId, ({ lastFailure }) => ({
    isReceived: false,
    ...(lastFailure && { lastFailure }),
  }));
}

/** Whether a sync that names no report sends this one. */
export function recordSyncWish(store: Store, localReportId: string, isSyncWanted: boolean): LocalReport {
  return changeReport(store, localReportId, () => ({ isSyncWanted }));
}

function changeSync(
  store: Store,
  localReportId: string,
  change: (sync: SyncState) => SyncState,
): LocalReport {
  return changeReport(store, localReportId, ({ sync }) => ({ sync: change(sync) }));
}
