/** `svc scan abort`: aborts a scan. Its findings stay readable on this machine and are never sent. */
import { randomUUID } from 'node:crypto';
import type { Run } from '../command.ts';
import { openReport, withStore } from '../report/picked.ts';
import { abort } from '../store/freezing.ts';
import { findReport } from '../store/reports.ts';
import { afterAbort } from '../sync/after.ts';

export const run: Run = async (invocation, terminal) => {
  await withStore(invocation, async (store) => {
    const { localReportId, scan } = await openReport(store, invocation);
    const at = new Date().toISOString();
    const change = {
      details: { scan: { ...scan, finishedAt: at } },
      events: [{ eventId: randomUUID(), type: 'scan_cancelled', occurredAt: at } as const],
    };
    abort(store, localReportId, change, { at });
    const aborted = findReport(store, localReportId);
    if (aborted) await afterAbort(aborted, { store, invocation, terminal });
    terminal.result({ localReportId, state: 'aborted' }, () => [
      `${terminal.colours.green('✓')} Aborted ${localReportId}`,
    ]);
  });
};
