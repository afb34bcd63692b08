/**
 * `svc watch`: shows the progress of a scan from the local store, whichever process writes it. Ends with the scan: when its
 * report is finished and no process is sending it, when it was aborted, or when its process died.
 */
import { phaseLabels } from '@svc/contract/progress-labels';
import type { Run } from '../command.ts';
import { withStore, anyReport } from '../report/picked.ts';
import { eventsAfter, type LocalEvent } from '../store/events.ts';
import { abandonedScans, ownerOf } from '../store/leases.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import type { Colours } from '../terminal/colours.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { reportIn } from './context.ts';
import { pause } from '../pause.ts';

const LOOK_EVERY_MS = 200;

export const run: Run = async (invocation, terminal) => {
  await withStore(invocation, async (store) => {
    const { localReportId, sync } = await anyReport(store, invocation);
    invocation.happened('report_watched', { sync });
    let number = 0;
    let isOver = false;
    while (!isOver) {
      // Checked before the events are read, so that the last events are included.
      isOver = isEnded(store, reportIn(store, localReportId));
      for (const next of eventsAfter(store, localReportId, number)) {
        number = next.number;
        say(localReportId, next.event, terminal);
      }
      if (!isOver) await pause(LOOK_EVERY_MS, invocation);
    }
    sayEnd(store, reportIn(store, localReportId), terminal);
  });
};

function isEnded(store: Store, { localReportId, state }: LocalReport): boolean {
  if (state === 'synced') return true;
  if (state === 'scanning') return isCutOff(store, localReportId);
  return ownerOf(store, localReportId, Date.now()) === undefined;
}

function isCutOff(store: Store, localReportId: string): boolean {
  return abandonedScans(store, Date.now()).includes(localReportId);
}

function say(localReportId: string, { isDelivered: _sent, ...event }: LocalEvent, terminal: Terminal): void {
  terminal.part({ localReportId, ...event }, () => [lineOf(event, terminal.colours)]);
}

function lineOf(
  { occurredAt, type, phase, safeCode }: Omit<LocalEvent, 'isDelivered'>,
  colours: Colours,
): string {
  const { dim, red, yellow } = colours;
  const time = new Date(occurredAt).toLocaleTimeString(undefined, { hour12: false });
  const what = type.replaceAll('_', ' ');
  const code = safeCode === undefined || safeCode === 'ok' ? '' : yellow(safeCode.replaceAll('_', ' '));
  const isBad = type === 'scan_failed' || type === 'scan_cancelled';
  return [dim(time), (isBad ? red(what) : what).padEnd(20), phase ? phaseLabels[phase] : '', code]
    .join('  ')
    .trimEnd();
}

function sayEnd(store: Store, { localReportId, state, sync }: LocalReport, terminal: Terminal): void {
  const { green, yellow } = terminal.colours;
  const isDead = state === 'scanning' && isCutOff(store, localReportId);
  const sentences = {
    synced: `${green('✓')} Synced: ${safeLine(sync.reportUrl ?? '')}`,
    finished: `${green('✓')} Finished, and kept on this machine: ${localReportId}`,
    aborted: `${yellow('!')} Aborted: ${localReportId}`,
    scanning: `${yellow('!')} The process of this scan died. To clean up: svc sync`,
  };
  const reportUrl = sync.reportUrl ?? null;
  terminal.part({ localReportId, state, isCutOff: isDead, reportUrl }, () => [sentences[state]]);
}
