/** The output of `svc sync` for each report: as JSON, and as lines for people. */
import type { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { keptJson, keptLines, keptReports, pendingText, type PendingSync } from './pending.ts';

export type SyncStatus = 'synced' | 'given_back' | 'delivered' | 'busy' | 'failed' | 'waiting';

export interface SyncOutcome {
  readonly report: LocalReport;
  readonly done: SyncStatus;
  readonly failure?: CliError;
  /** Null when nothing is left to do. */
  readonly pending: PendingSync | null;
}

/** @param shown the failure that ends the command, with its hint. */
export function showOutcomes(
  outcomes: readonly SyncOutcome[],
  store: Store,
  terminal: Terminal,
  shown?: CliError,
): void {
  const here = keptReports(store);
  terminal.result({ reports: outcomes.map(jsonOf), kept: here.map(keptJson) }, () => [
    ...(outcomes.length === 0 ? ['Nothing to sync.'] : []),
    ...outcomes.flatMap((one) => linesOf(one, terminal, shown)),
    ...keptLines(here, terminal.colours),
  ]);
}

function jsonOf({ report, done, failure, pending }: SyncOutcome) {
  const { localReportId, projectName, state, sync, fitted } = report;
  return {
    localReportId,
    projectName,
    state,
    done,
    reportId: sync.reportId ?? null,
    reportUrl: sync.reportUrl ?? null,
    finalizedAt: sync.finalizedAt ?? null,
    fitted: fitted ?? null,
    failure: failure
      ? { reason: failure.reason, code: failure.code ?? null, message: failure.message }
      : null,
    pending,
  };
}

function linesOf(
  { report, done, failure, pending }: SyncOutcome,
  { colours }: Terminal,
  shown: CliError | undefined,
): string[] {
  const { green, yellow, red, dim } = colours;
  const name = `${report.localReportId}  ${safeLine(report.projectName)}`;
  const sentences = {
    synced: `${green('✓')} ${name}  ${safeLine(report.sync.reportUrl ?? '')}`,
    given_back: `${green('✓')} ${name}  aborted; no unit was charged`,
    delivered: `${green('✓')} ${name}  the scan is still running; its progress was delivered`,
    busy: `${yellow('!')} ${name}  another svc is sending it`,
    waiting: `${yellow('!')} ${name}  pending: ${pending === null ? '' : pendingText(pending)}`,
    failed: `${red('✗')} ${name}  ${safeLine(failure?.message ?? '')}`,
  };
  const isSaidBelow = failure !== undefined && (failure === shown || failure.hint === undefined);
  const next = pending === null || isSaidBelow ? [] : [dim(`  → ${safeLine(pending.next)}`)];
  return [sentences[done], ...next];
}
