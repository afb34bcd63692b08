/** Scans whose process died, which nobody can continue. They are aborted, and their units returned. */
import { randomUUID } from 'node:crypto';
import { abort } from '../store/freezing.ts';
import { abandonedScans, claim, type Lease } from '../store/leases.ts';
import type { LocalReport } from '../store/local-report.ts';
import { findReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';

/** The cut-off scans of one repository, or of all. */
export function cutOffScans(store: Store, repositoryRoot?: string): LocalReport[] {
  return abandonedScans(store, Date.now())
    .flatMap((localReportId) => findReport(store, localReportId) ?? [])
    .filter((report) => repositoryRoot === undefined || report.repositoryRoot === repositoryRoot);
}

/** @returns undefined if another process holds the report or has already aborted the scan. */
export function giveUpCutOff(store: Store, localReportId: string): LocalReport | undefined {
  return store.write(() => {
    const lease = claim(store, localReportId, Date.now());
    const isScanning = findReport(store, localReportId)?.state === 'scanning';
    if (lease === undefined || !isScanning) return undefined;
    giveUp(store, localReportId, { type: 'scan_failed', lease });
    return findReport(store, localReportId);
  });
}

/** Aborts a scan. Its findings stay readable on this machine. */
export function giveUp(
  store: Store,
  localReportId: string,
  { type, lease }: { readonly type: 'scan_failed' | 'scan_cancelled'; readonly lease: Lease },
): void {
  const at = new Date().toISOString();
  const scan = findReport(store, localReportId)?.scan;
  const event = { eventId: randomUUID(), type, occurredAt: at, safeCode: 'interrupted' } as const;
  const details = scan && { scan: { ...scan, finishedAt: at } };
  abort(store, localReportId, { events: [event], ...(details && { details }) }, { at, lease });
}
