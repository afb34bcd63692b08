/** `svc sync`: everything that waits for the service, one report after the other. One that fails stops no other. */
import type { Invocation, Run } from '../command.ts';
import { connect } from '../connection/connect.ts';
import { CliError } from '../errors.ts';
import { settleBinding } from '../project/standing.ts';
import { namedReport, withStore } from '../report/picked.ts';
import { cutOffScans, giveUpCutOff } from '../scan/cut-off.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import { recordSyncWish } from '../store/sync-state.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { syncWithBar } from './bar.ts';
import { reportIn, type SyncContext } from './context.ts';
import { giveBack } from './give-back.ts';
import { deliverAll } from './outbox.ts';
import { kept } from './refused.ts';
import { ensureShell } from './shell.ts';
import { taskOf, unfinishedReports, type Task, type Unfinished } from './unfinished.ts';

type Done = 'synced' | 'given_back' | 'delivered' | 'busy' | 'failed' | 'waiting';

interface Outcome {
  readonly report: LocalReport;
  readonly done: Done;
  readonly failure?: CliError;
}

export const run: Run = async (invocation, terminal) => {
  await withStore(invocation, async (store) => {
    const waiting = chosen(store, invocation);
    if (waiting.length === 0) {
      return terminal.result({ reports: [] }, () => [
        'Nothing to sync: the service has everything it is to have.',
      ]);
    }
    const { environment, signal, clock } = invocation;
    const connection = await connect(invocation);
    for (const root of rootsOf(waiting)) await settleBinding(invocation, root, terminal);
    const outcomes = await all({ store, connection, environment, clock, signal }, waiting, terminal);
    for (const { done, report } of outcomes)
      if (done === 'synced') invocation.happened('cli_sync_completed', { sync: report.sync });
    terminal.result({ reports: outcomes.map(jsonOf) }, () => outcomes.map((one) => lineOf(one, terminal)));
    const failure = worstOf(outcomes);
    if (failure) throw failure;
  });
};

function chosen(store: Store, { options }: Invocation): readonly Unfinished[] {
  const named = options['report'];
  if (typeof named !== 'string') return unfinishedReports(store);
  const report = namedReport(store, named);
  const { localReportId } = report;
  const isCutOff = cutOffScans(store).some((other) => other.localReportId === localReportId);
  const task = isCutOff ? 'giveUp' : taskOf(store, report);
  if (task === undefined) return [];
  return [{ report: task === 'send' ? recordSyncWish(store, localReportId, true) : report, task }];
}

async function all(
  context: SyncContext,
  waiting: readonly Unfinished[],
  terminal: Terminal,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let obstacle: CliError | undefined;
  for (const { report, task } of waiting) {
    if (obstacle) {
      outcomes.push({ report, done: 'waiting' });
      continue;
    }
    const { localReportId } = report;
    try {
      const done = await work[task](context, report, terminal);
      outcomes.push({ report: reportIn(context.store, localReportId), done });
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const failure = kept(error);
      outcomes.push({ report: reportIn(context.store, localReportId), done: 'failed', failure });
      if (stopsAll.has(failure.reason)) obstacle = failure;
    }
  }
  return outcomes;
}

/** The next report would meet the same. */
const stopsAll: ReadonlySet<CliError['reason']> = new Set(['unauthenticated', 'unavailable', 'interrupted']);

/** Of what is to be sent and has no place in the service yet. */
function rootsOf(waiting: readonly Unfinished[]): Set<string> {
  const unplaced = waiting.filter(
    ({ task, report }) => task !== 'giveBack' && task !== 'giveUp' && report.sync.projectId === undefined,
  );
  return new Set(unplaced.map(({ report }) => report.repositoryRoot));
}

type Work = (context: SyncContext, report: LocalReport, terminal: Terminal) => Promise<Done>;

const work: Readonly<Record<Task, Work>> = {
  async send(context, report, terminal) {
    return (await syncWithBar(context, report, terminal)) === undefined ? 'busy' : 'synced';
  },
  async giveBack(context, { localReportId }) {
    await giveBack(context, localReportId);
    return 'given_back';
  },
  async giveUp(context, { localReportId }) {
    giveUpCutOff(context.store, localReportId);
    await giveBack(context, localReportId);
    return 'given_back';
  },
  async tell(context, { localReportId }) {
    await ensureShell(context, localReportId);
    await deliverAll(context, localReportId);
    return 'delivered';
  },
};

function jsonOf({ report, done, failure }: Outcome) {
  const { localReportId, projectName, state, sync } = report;
  return {
    localReportId,
    projectName,
    state,
    done,
    reportId: sync.reportId ?? null,
    reportUrl: sync.reportUrl ?? null,
    finalizedAt: sync.finalizedAt ?? null,
    failure: failure
      ? { reason: failure.reason, code: failure.code ?? null, message: failure.message }
      : null,
  };
}

function lineOf({ report, done, failure }: Outcome, { colours }: Terminal): string {
  const { green, yellow, red } = colours;
  const name = `${report.localReportId}  ${safeLine(report.projectName)}`;
  const sentences = {
    synced: `${green('✓')} ${name}  ${safeLine(report.sync.reportUrl ?? '')}`,
    given_back: `${green('✓')} ${name}  given up; nothing is charged for it`,
    delivered: `${green('✓')} ${name}  its scan goes on; what it said was delivered`,
    busy: `${yellow('!')} ${name}  another svc is sending it`,
    waiting: `${yellow('!')} ${name}  waits`,
    failed: `${red('✗')} ${name}  ${failure?.message ?? ''}`,
  };
  return sentences[done];
}

/** What ended it all, else what went wrong first. */
function worstOf(outcomes: readonly Outcome[]): CliError | undefined {
  const failures = outcomes.flatMap(({ failure }) => failure ?? []);
  return failures.find(({ reason }) => stopsAll.has(reason)) ?? failures[0];
}
