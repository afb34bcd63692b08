/**
 * Syncs after each step of a scan that is done by single commands. Called after the step is on disk, so that no failure
 * can undo it. A failure is returned and not thrown: the command has done its work, and first prints its result.
 */
import type { Invocation } from '../command.ts';
import { connect, type Connection } from '../connection/connect.ts';
import { CliError } from '../errors.ts';
import { settleBinding } from '../project/standing.ts';
import type { LocalReport, SyncState } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import { recordSyncWish } from '../store/sync-state.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { reportIn, type SyncContext } from './context.ts';
import { syncWithBar } from './bar.ts';
import { EventRateLimit } from './event-rate-limit.ts';
import { giveBack, hasShellToGiveBack } from './give-back.ts';
import { noteFailure } from './last-failure.ts';
import { deliverSome } from './outbox.ts';
import { reachOf, sayReach } from './readiness.ts';
import { ensureShell } from './shell.ts';

export interface AfterContext {
  readonly store: Store;
  readonly invocation: Invocation;
  readonly terminal: Terminal;
}

export interface AfterStep {
  readonly sync: SyncState;
  /** The error that the command throws after it has printed its result. */
  readonly failure?: CliError;
}

/** A command that an agent waits for spends at most this long on the network. */
const QUICK_MS = 300;
const START_MS = 10_000;
const GIVE_BACK_MS = 5000;

/** Creates the shell, so that the report can be watched from the beginning. */
export async function afterStart(report: LocalReport, given: AfterContext): Promise<AfterStep> {
  const { store, invocation, terminal } = given;
  const { localReportId, repositoryRoot } = report;
  if (!report.isSyncWanted) return { sync: report.sync };
  await settleBinding(invocation, repositoryRoot, terminal);
  const reach = await reachOf(invocation, repositoryRoot);
  sayReach(reach, terminal);
  if (reach.kind === 'ineligible') {
    // A report that waits for the quota to reset is not sent automatically: when the quota resets, other reports may
    // come first.
    return { sync: recordSyncWish(store, localReportId, false).sync };
  }
  if (reach.kind !== 'ready') return { sync: report.sync };
  const failure = await failureOf(invocation, START_MS, async (signal) => {
    await ensureShell(contextOf(given, reach.connection, signal), localReportId);
  });
  if (failure?.reason === 'interrupted') throw failure;
  if (failure) terminal.warn(`${failure.message} The scan continues, and its progress is kept for later.`);
  return stepOf(store, localReportId, undefined);
}

/** One attempt within the short time limit; undelivered events wait in the store. */
export async function afterEvent(localReportId: string, given: AfterContext): Promise<void> {
  const { store, invocation } = given;
  if (reportIn(store, localReportId).sync.reportId === undefined) return;
  const signal = AbortSignal.any([invocation.signal, invocation.clock.timeout(QUICK_MS)]);
  const delivery = openConnection(invocation, signal)
    .then((connection) =>
      deliverSome(contextOf(given, connection, signal), localReportId, new EventRateLimit()),
    )
    .catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
    });
  await Promise.race([delivery, aborted(signal)]);
}

export async function afterFinish(report: LocalReport, given: AfterContext): Promise<AfterStep> {
  const { store, invocation, terminal } = given;
  const { localReportId, repositoryRoot, sync } = report;
  if (!report.isSyncWanted) return { sync };
  if (sync.reportId === undefined) {
    await settleBinding(invocation, repositoryRoot, terminal);
    const reach = await reachOf(invocation, repositoryRoot);
    if (reach.kind === 'unlinked' || reach.kind === 'unbound' || reach.kind === 'foreign') {
      sayReach(reach, terminal);
      return { sync };
    }
  }
  const failure = await failureOf(invocation, undefined, async (signal) => {
    const connection = await openConnection(invocation, signal);
    const synced = await syncWithBar(contextOf(given, connection, signal), report, terminal);
    if (synced) invocation.happened('cli_sync_completed', { sync: synced.report.sync });
  });
  return stepOf(store, localReportId, failure);
}

export async function afterAbort(report: LocalReport, given: AfterContext): Promise<AfterStep> {
  const { store, invocation, terminal } = given;
  const { localReportId } = report;
  if (!hasShellToGiveBack(report)) return { sync: report.sync };
  const failure = await giveBackInTime(given, localReportId, invocation.signal);
  if (failure) terminal.warn(`${failure.message} Release its quota unit with: svc sync`);
  return stepOf(store, localReportId, undefined);
}

/** @param signal absent after an interruption: the call then runs until its short time limit. */
export async function giveBackInTime(
  given: AfterContext,
  localReportId: string,
  signal?: AbortSignal,
): Promise<CliError | undefined> {
  const { clock } = given.invocation;
  const asked = { clock, signal: signal ?? new AbortController().signal };
  const failure = await failureOf(asked, GIVE_BACK_MS, async (within) => {
    const connection = await openConnection(given.invocation, within);
    await giveBack(contextOf(given, connection, within), localReportId);
  });
  if (failure) noteFailure(given.store, localReportId, 'abort', failure);
  return failure;
}

function openConnection(
  { environment, clock, retries }: Invocation,
  signal: AbortSignal,
): Promise<Connection> {
  return connect({ environment, clock, retries, signal });
}

function contextOf(
  { store, invocation }: AfterContext,
  connection: Connection,
  signal: AbortSignal,
): SyncContext {
  const { environment, clock } = invocation;
  return { store, connection: connection.withSignal(signal), environment, clock, signal };
}

function stepOf(store: Store, localReportId: string, failure: CliError | undefined): AfterStep {
  const { sync } = reportIn(store, localReportId);
  return failure ? { sync, failure } : { sync };
}

/** The error with which the work failed. If the work takes too long, the service counts as unreachable. */
async function failureOf(
  { signal, clock }: Pick<Invocation, 'signal' | 'clock'>,
  timeLimitMs: number | undefined,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<CliError | undefined> {
  const limit = timeLimitMs === undefined ? undefined : clock.timeout(timeLimitMs);
  try {
    await work(limit ? AbortSignal.any([signal, limit]) : signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (limit?.aborted !== true || signal.aborted) return error;
    return new CliError('unavailable', 'The service did not respond in time.', { cause: error });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
