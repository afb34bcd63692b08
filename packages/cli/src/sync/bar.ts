/** The sync of one report, shown as a bar with its steps. */
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { CliError } from '../errors.ts';
import { fittedSentence } from '@svc/report/making/fit-size';
import type { LocalReport, SyncPhase } from '../store/local-report.ts';
import type { Lease } from '../store/leases.ts';
import type { SyncContext } from './context.ts';
import { SYNC_PHASES, syncReport, type SyncedReport } from './engine.ts';

const steps: Readonly<Record<SyncPhase, string>> = {
  create: 'creating the report',
  progress: 'sending progress',
  upload: 'sending the report',
  finalize: 'finalizing the report',
  abort: 'releasing its quota unit',
};

/** @returns undefined while another live process sends the report. @throws CliError */
export async function syncWithBar(
  context: SyncContext,
  report: LocalReport,
  terminal: Terminal,
  lease?: Lease,
): Promise<SyncedReport | undefined> {
  const { localReportId, projectName } = report;
  const name = safeLine(projectName);
  const bar = terminal.progress(`Syncing ${name}`, SYNC_PHASES.length);
  const onPhase = (phase: SyncPhase) =>
    bar.update(SYNC_PHASES.indexOf(phase), `Syncing ${name}: ${steps[phase]}`);
  let synced: SyncedReport | undefined;
  try {
    synced = await syncReport(context, localReportId, lease ? { onPhase, lease } : { onPhase });
  } catch (error) {
    bar.fail(`${name} is not synced${error instanceof CliError ? `: ${error.message}` : ''}`);
    throw error;
  }
  if (synced === undefined) {
    bar.fail(`${name} is being synced by another svc`);
    return undefined;
  }
  bar.succeed(`Synced ${name}`);
  const { repairs, isCurrent, fitted } = synced;
  if (fitted) terminal.warn(`The service accepts only smaller reports. ${fittedSentence(fitted)}`);
  if (repairs > 0) {
    const places = repairs === 1 ? '1 place in the report was' : `${repairs} places in the report were`;
    terminal.warn(`The service found secrets that svc missed, so ${places} redacted.`);
  }
  if (!isCurrent) terminal.warn('The service has the report without its last status change.');
  return synced;
}
