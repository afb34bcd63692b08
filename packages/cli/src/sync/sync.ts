/**
 * `svc sync`: syncs all pending reports, one after the other. A failure of one stops the others only if they would fail
 * for the same reason.
 */
import type { Invocation, Run } from '../command.ts';
import { connect, type Connection } from '../connection/connect.ts';
import { CliError } from '../errors.ts';
import { settleBinding } from '../project/standing.ts';
import { namedReport, withStore } from '../report/picked.ts';
import { cutOffScans, giveUpCutOff } from '../scan/cut-off.ts';
import type { LocalReport, SyncPhase } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import { forgetSyncFailure, recordSyncWish } from '../store/sync-state.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { syncWithBar } from './bar.ts';
import { reportIn, type SyncContext } from './context.ts';
import { giveBack } from './give-back.ts';
import { noteFailure } from './last-failure.ts';
import { deliverAll } from './outbox.ts';
import { showOutcomes, type SyncStatus, type SyncOutcome } from './sync-outcomes.ts';
import { pendingOf, pendingText } from './pending.ts';
import { kept } from './rejected.ts';
import { ensureShell } from './shell.ts';
import { taskOf, unfinishedReports, type SyncTask, type UnfinishedReport } from './unfinished.ts';

export const run: Run = async (invocation, terminal) => {
  await withStore(invocation, async (store) => {
    const waiting = chosen(store, invocation);
    const isDryRun = invocation.options['dryRun'] === true;
    if (waiting.length === 0 || isDryRun) {
      showOutcomes(
        waiting.map((one) => untried(one)),
        store,
        terminal,
      );
      return;
    }
    const { environment, signal, clock } = invocation;
    let connection: Connection;
    try {
      connection = await connect(invocation);
    } catch (error) {
      showOutcomes(
        waiting.map((one) => untried(one)),
        store,
        terminal,
      );
      throw error instanceof CliError ? kept(error) : error;
    }
    sayPending(waiting, terminal);
    const unplaced = waiting.filter(
      ({ task, report }) => (task === 'send' || task === 'tell') && report.sync.projectId === undefined,
    );
    for (const root of new Set(unplaced.map(({ report }) => report.repositoryRoot)))
      await settleBinding(invocation, root, terminal);
    const outcomes = await all({ store, connection, environment, clock, signal }, waiting, terminal);
    for (const { done, report } of outcomes)
      if (done === 'synced') invocation.happened('cli_sync_completed', { sync: report.sync });
    const failures = outcomes.flatMap((outcome) => outcome.failure ?? []);
    // The failure that stopped the other reports, else the first.
    const failure = failures.find(({ reason }) => stopsAll.has(reason)) ?? failures[0];
    showOutcomes(outcomes, store, terminal, failure);
    if (failure) throw failure;
  });
};

function untried(unfinished: UnfinishedReport): SyncOutcome {
  return { report: unfinished.report, done: 'waiting', pending: pendingOf(unfinished) };
}

/** Printed before anything is sent, since sending may take long. */
function sayPending(waiting: readonly UnfinishedReport[], { note }: Terminal): void {
  note(waiting.length === 1 ? '1 report is pending:' : `${waiting.length} reports are pending:`);
  for (const one of waiting) {
    const { localReportId, projectName } = one.report;
    note(`  ${localReportId}  ${safeLine(projectName)}  ${pendingText(pendingOf(one))}`);
  }
}

function chosen(store: Store, { options }: Invocation): readonly UnfinishedReport[] {
  const named = options['report'];
  if (typeof named !== 'string') return unfinishedReports(store);
  const report = namedReport(store, named);
  const { localReportId } = report;
  const isCutOff = cutOffScans(store).some((other) => other.localReportId === localReportId);
  const task = isCutOff ? 'giveUp' : taskOf(store, report);
  if (task === undefined) return [];
  const isWanted = task === 'send' && options['dryRun'] !== true;
  return [{ report: isWanted ? recordSyncWish(store, localReportId, true) : report, task }];
}

async function all(
  context: SyncContext,
  waiting: readonly UnfinishedReport[],
  terminal: Terminal,
): Promise<SyncOutcome[]> {
  const outcomes: SyncOutcome[] = [];
  let obstacle: CliError | undefined;
  for (const unfinished of waiting) {
    if (obstacle) {
      outcomes.push(untried(unfinished));
      continue;
    }
    const { report, task } = unfinished;
    const { localReportId } = report;
    try {
      const done = await perform(task, context, report, terminal);
      if (task !== 'send') forgetSyncFailure(context.store, localReportId);
      const present = reportIn(context.store, localReportId);
      const pending = done === 'busy' ? pendingOf(unfinished, BUSY) : null;
      outcomes.push({ report: present, done, pending });
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const failure = kept(error);
      if (task !== 'send') noteFailure(context.store, localReportId, phases[task], error);
      const present = reportIn(context.store, localReportId);
      // What no later sync can send is not pending: it stays local.
      const isOver = task === 'send' && !present.isSyncWanted;
      const pending = isOver ? null : pendingOf({ report: present, task }, failure.hint);
      outcomes.push({ report: present, done: 'failed', failure, pending });
      if (stopsAll.has(failure.reason)) obstacle = failure;
    }
  }
  return outcomes;
}

const BUSY = 'Another svc is sending it: svc watch';

/** The phase to record for a task that has only one phase. */
const phases: Readonly<Record<Exclude<SyncTask, 'send'>, SyncPhase>> = {
  giveBack: 'abort',
  giveUp: 'abort',
  tell: 'progress',
};

/** After these failures, the next report would fail for the same reason. */
const stopsAll: ReadonlySet<CliError['reason']> = new Set(['unauthenticated', 'unavailable', 'interrupted']);

async function perform(
  task: SyncTask,
  context: SyncContext,
  report: LocalReport,
  terminal: Terminal,
): Promise<SyncStatus> {
  const { localReportId } = report;
  switch (task) {
    case 'send':
      return (await syncWithBar(context, report, terminal)) === undefined ? 'busy' : 'synced';
    case 'giveUp':
      giveUpCutOff(context.store, localReportId);
      await giveBack(context, localReportId);
      return 'given_back';
    case 'giveBack':
      await giveBack(context, localReportId);
      return 'given_back';
    case 'tell':
      await ensureShell(context, localReportId);
      await deliverAll(context, localReportId);
      return 'delivered';
  }
}
