/**
 * `svc scan`: a repository is scanned from beginning to end, and its report synced.
 *
 * The report is held by this process from the step in which it is made. Everything that is learnt is in the store before
 * it is sent; the service is told in the background, and a scan neither waits for it nor fails with it. Interrupted
 * before its end, the scan is given up and its unit given back; after that, the finished report is kept for `svc sync`.
 */
import path from 'node:path';
import type { EffortRequested } from '@svc/contract';
import type { Invocation, Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { kindOf, realPath } from '../files/places.ts';
import { repositoryRootOf } from '../project/binding.ts';
import { settleBinding } from '../project/standing.ts';
import { finishReport, type FinishedReport } from '../report/finish.ts';
import { gateFailure } from '../report/gate.ts';
import { importIntoReport } from '../report/intake.ts';
import { withStore } from '../report/picked.ts';
import {
  importSarifFiles,
  refuseUnknownScanners,
  runScanners,
  type ImportedFile,
  type ScanResult,
} from '../scanners/index.ts';
import { claim, type Lease } from '../store/leases.ts';
import type { LocalReport } from '../store/local-report.ts';
import { changeReport, findReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { giveBackInTime } from '../sync/after.ts';
import { syncWithBar } from '../sync/bar.ts';
import { holding } from '../sync/holding.ts';
import { startLive, type Live } from '../sync/live.ts';
import { reachOf, sayReach, type Reach } from '../sync/reach.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { beginHere } from './begin-here.ts';
import { giveUp } from './cut-off.ts';
import { gateOf } from './fail-on.ts';
import { machineKey } from './machine-key.ts';
import { offerCleanUp } from './offer-clean-up.ts';
import { createPhaseBars } from './phase-bars.ts';
import { pruneOld } from './prune.ts';
import { createRecorder } from './recorder.ts';
import { resultOf, scanLines } from './outcome.ts';

/** The scan begins when the report's address is known, but not later than this. */
const SHELL_PATIENCE_MS = 3000;

interface Scan {
  readonly store: Store;
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly report: LocalReport;
  readonly lease: Lease;
  readonly reach: Reach | undefined;
  /** Results that scanners wrote before. */
  readonly files: readonly ImportedFile[];
}

export const run: Run = async (invocation, terminal) => {
  refuseUnknownScanners(wantedScanners(invocation));
  const root = await rootOf(invocation);
  if (repositoryRootOf(root) === null) {
    terminal.note(`${safeLine(root)} is in no git repository: the whole folder is scanned.`);
  }
  const { options } = invocation;
  // Before anything is begun: a log that can not be taken in leaves no report, and costs no unit.
  const files = await givenResults(invocation, root);
  await withStore(invocation, async (store) => {
    pruneOld(store);
    await offerCleanUp(store, invocation, terminal, root);
    const reach = options['sync'] === false ? undefined : await reachHere(invocation, root, terminal);
    const begun = await begin(store, invocation, root, reach);
    invocation.happened('cli_scan_started');
    const scan: Scan = { store, invocation, terminal, reach, files, ...begun };
    await holding(store, begun.report.localReportId, () => complete(scan), begun.lease);
  });
};

/** A foreign binding is settled first: nothing of this scan may reach the project of another repository. */
async function reachHere(invocation: Invocation, root: string, terminal: Terminal): Promise<Reach> {
  await settleBinding(invocation, root, terminal);
  const reach = await reachOf(invocation, root);
  sayReach(reach, terminal);
  return reach;
}

function wantedScanners({ options }: Invocation): string[] | undefined {
  return Array.isArray(options['only']) ? (options['only'] as string[]) : undefined;
}

async function rootOf({ arguments: [given], folder }: Invocation): Promise<string> {
  const asked = path.resolve(folder, typeof given === 'string' ? given : '.');
  if ((await kindOf(asked)) !== 'folder') {
    throw new CliError('rejected', `${safeLine(asked)} is no folder that can be read.`, {
      hint: 'Give the path of the repository: svc scan [path]',
    });
  }
  return realPath(repositoryRootOf(asked) ?? asked);
}

/** @throws CliError `rejected`; with `--fail-on` also of a log in which no scanner has run, since a gate would pass it. */
async function givenResults(invocation: Invocation, root: string): Promise<ImportedFile[]> {
  const { options, folder } = invocation;
  if (!Array.isArray(options['sarif'])) return [];
  const files = await importSarifFiles(options['sarif'] as string[], {
    folder,
    roots: [root],
    standardInput: invocation.input,
    signal: invocation.signal,
  });
  const empty = files.find(({ imported }) => imported.tools.length === 0);
  if (empty && options['failOn'] !== undefined) {
    throw new CliError('rejected', `${safeLine(empty.name)} holds no run, so no gate can rely on it.`, {
      hint: 'Look why its scanner did not run to its end, or leave --fail-on out.',
    });
  }
  return files;
}

async function begin(
  store: Store,
  { environment, options }: Invocation,
  root: string,
  reach: Reach | undefined,
): Promise<Pick<Scan, 'report' | 'lease'>> {
  let lease: Lease | undefined;
  const wishes = {
    effort: (options['effort'] ?? 'auto') as EffortRequested,
    agent: { name: 'svc', version },
    authorization: { basis: 'owner' as const, scope: ['Everything in the repository.'] },
    // What waits for a window of the quota is not sent by itself when others may have come before it.
    isSyncWanted: reach !== undefined && reach.kind !== 'ineligible',
  };
  const report = await beginHere(store, { environment, folder: root }, wishes, ({ localReportId }) => {
    lease = claim(store, localReportId, Date.now());
  });
  if (lease === undefined) throw new Error('A report that was just made is held by nobody.');
  return { report, lease };
}

async function complete(scan: Scan): Promise<void> {
  const { store, invocation, terminal, report, reach } = scan;
  const { localReportId } = report;
  const live = liveOf(scan);
  let scanned: { readonly result: ScanResult; readonly finished: FinishedReport };
  try {
    if (live) await inTime(live.begun, invocation.clock.timeout(SHELL_PATIENCE_MS));
    scanned = await scanFiles(scan);
  } catch (error) {
    await live?.stop();
    await abandon(scan, error);
    throw error;
  }
  await live?.stop();
  invocation.happened('cli_scan_completed', { sync: (findReport(store, localReportId) ?? report).sync });
  const failure = live ? await sync(scan) : undefined;
  const present = findReport(store, localReportId) ?? report;
  const gate = gateOf(invocation, present, scanned.finished.report);
  const done = { report: present, ...scanned, failure, gate };
  terminal.result(resultOf(done), () => scanLines(done, terminal, reach?.kind));
  const stopped = gate && failure?.reason !== 'interrupted' ? gateFailure(gate) : undefined;
  // What was found counts for more than what could not be sent: a pipeline that bears the one must not miss the other.
  if (stopped && failure) terminal.warn(`${failure.message} ${failure.hint ?? ''}`.trimEnd());
  if (stopped) throw stopped;
  if (failure) throw failure;
}

function liveOf({ store, invocation, terminal, report, reach }: Scan): Live | undefined {
  if (reach?.kind !== 'ready' && reach?.kind !== 'unreachable') return undefined;
  return startLive({
    store,
    connection: reach.connection,
    environment: invocation.environment,
    clock: invocation.clock,
    localReportId: report.localReportId,
    onShell: ({ localReportId, sync: { reportId, reportUrl = '' } }) => {
      const { cyan } = terminal.noteColours;
      terminal.tell({ localReportId, reportId, reportUrl }, () => [`Report   ${cyan(safeLine(reportUrl))}`]);
    },
    onRefusal: ({ message }) => terminal.warn(`${message} The scan goes on, on this machine.`),
  });
}

async function scanFiles({ store, invocation, terminal, report, lease, files }: Scan) {
  const { options, environment, signal } = invocation;
  const only = wantedScanners(invocation);
  const { localReportId, repositoryRoot } = report;
  using recorder = createRecorder(store, localReportId);
  const bars = createPhaseBars(terminal);
  try {
    const result = await runScanners({
      root: repositoryRoot,
      files,
      secretKey: await machineKey(environment),
      ...(only && { only }),
      trustRepository: options['trustRepository'] === true,
      offline: options['offline'] === true,
      environment,
      signal,
      onEvent: (event) => {
        recorder.record(event);
        bars.show(event);
      },
    });
    signal.throwIfAborted();
    return { result, finished: finish(store, localReportId, result, lease) };
  } catch (error) {
    bars.fail();
    throw error;
  }
}

/** All of it in one step: a report is scanning with nothing in it, or finished with everything. */
function finish(store: Store, localReportId: string, result: ScanResult, lease: Lease): FinishedReport {
  const { coverage, coverageAreas, limitations, inventory } = result;
  const at = new Date().toISOString();
  return store.write(() => {
    importIntoReport(store, localReportId, result, at);
    changeReport(store, localReportId, ({ scan }) => ({
      scan: { ...scan, languages: inventory.languages, fileCount: inventory.fileCount },
    }));
    return finishReport(store, localReportId, { at, lease, notes: { coverage, coverageAreas, limitations } });
  });
}

/** What was begun in the service is deleted there, in the little time that an interrupted command has. */
async function abandon({ store, invocation, terminal, report, lease }: Scan, error: unknown): Promise<void> {
  const { localReportId } = report;
  if (findReport(store, localReportId)?.state !== 'scanning') return;
  const isInterrupted = invocation.signal.aborted;
  giveUp(store, localReportId, { type: isInterrupted ? 'scan_cancelled' : 'scan_failed', lease });
  const failure = await giveBackInTime({ store, invocation, terminal }, localReportId);
  if (failure) terminal.warn(`${failure.message} The unit of this scan comes back with: svc sync`);
  else if (isInterrupted && error instanceof Error) terminal.note('Nothing was charged for the scan.');
}

async function sync({
  store,
  invocation,
  terminal,
  report,
  lease,
  reach,
}: Scan): Promise<CliError | undefined> {
  if (reach?.kind !== 'ready' && reach?.kind !== 'unreachable') return undefined;
  const { environment, signal, clock } = invocation;
  try {
    const connection = reach.connection.withSignal(signal);
    const context = { store, connection, environment, clock, signal };
    const synced = await syncWithBar(context, report, terminal, lease);
    if (synced) invocation.happened('cli_sync_completed', { sync: synced.report.sync });
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

async function inTime(promise: Promise<void>, patience: AbortSignal): Promise<void> {
  const limit = Promise.withResolvers<void>();
  patience.addEventListener('abort', () => limit.resolve(), { once: true });
  await Promise.race([promise, limit.promise]);
}
