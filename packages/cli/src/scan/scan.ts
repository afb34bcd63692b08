/**
 * `svc scan`: scans a repository from beginning to end, and syncs its report.
 *
 * This process holds the lease of the report from its creation. All results are stored before they are sent. Progress
 * is sent in the background, and a scan neither waits for it nor fails with it. A scan that is interrupted before its
 * end is aborted, and its unit returned. After its end, the finished report is kept for `svc sync`.
 */
import type { EffortRequested, Finding } from '@svc/contract';
import type { Invocation, Run } from '../command.ts';
import { decide, type Decided } from '../decisions/decide.ts';
import { CliError } from '../errors.ts';
import { repositoryRootOf } from '../project/binding.ts';
import { settleBinding } from '../project/standing.ts';
import type { FinishedReport } from '../report/finish.ts';
import { gateFailure } from '../report/gate.ts';
import { incompleteFailure } from '../report/incomplete.ts';
import { movesSince } from '../report/moves-since.ts';
import { ownPaths } from '../report/own-paths.ts';
import type { ScannedPart } from '../report/scanned-part.ts';
import { withStore } from '../report/picked.ts';
import {
  checkoutFiles,
  importSarifFiles,
  inventory,
  rejectUnknownScanners,
  runScanners,
  type ImportedFile,
  type Inventory,
  type ScanResult,
} from '../scanners/index.ts';
import { checkoutLines } from '../scanners/checkout-lines.ts';
import { claim, type Lease } from '../store/leases.ts';
import type { LocalReport } from '../store/local-report.ts';
import { findReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { giveBackInTime } from '../sync/after.ts';
import { syncWithBar } from '../sync/bar.ts';
import { holding } from '../sync/holding.ts';
import { startLive, type LiveDelivery } from '../sync/live-delivery.ts';
import { reachOf, sayReach, type SyncReadiness } from '../sync/readiness.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { beginHere } from './begin-here.ts';
import { giveUp } from './cut-off.ts';
import { gateOf } from './fail-on.ts';
import { finishScan } from './finish-scan.ts';
import { machineKey } from './machine-key.ts';
import { offerCleanUp } from './offer-clean-up.ts';
import { createPhaseBars } from './phase-bars.ts';
import { pruneOld } from './prune.ts';
import { createRecorder } from './recorder.ts';
import { resultOf, scanLines } from './scan-output.ts';
import { whatToScan, type WhatToScan } from './what-to-scan.ts';

/** The scan begins when the report's address is known, but at the latest after this time. */
const SHELL_PATIENCE_MS = 3000;

const AGENT = 'svc';

interface RunningScan {
  readonly store: Store;
  readonly invocation: Invocation;
  readonly terminal: Terminal;
  readonly report: LocalReport;
  readonly part: ScannedPart | undefined;
  readonly lease: Lease;
  readonly reach: SyncReadiness | undefined;
  readonly secretKey: Uint8Array;
  /** Results that scanners wrote earlier. */
  readonly files: readonly ImportedFile[];
  /** The inventory, if those results needed the files of the repository. */
  readonly inventory?: Inventory;
}

export const run: Run = async (invocation, terminal) => {
  rejectUnknownScanners(wantedScanners(invocation));
  const { root, part } = await whatToScan(invocation);
  if (part !== undefined) {
    terminal.note(`Only ${safeLine(part.path)} is scanned, and not the rest of ${safeLine(root)}.`);
  } else if (repositoryRootOf(root) === null) {
    terminal.note(`${safeLine(root)} is not in a git repository: the whole folder is scanned.`);
  }
  const { options } = invocation;
  // Read before anything is begun, so that an unreadable key or log leaves no report, and costs no unit.
  const secretKey = await machineKey(invocation.environment);
  const given = await givenResults(invocation, root);
  await withStore(invocation, async (store) => {
    pruneOld(store);
    await offerCleanUp(store, invocation, terminal, root);
    const reach = options['sync'] === false ? undefined : await reachHere(invocation, root, terminal);
    const begun = await begin(store, invocation, { root, part }, reach);
    invocation.happened('cli_scan_started');
    const scan: RunningScan = { store, invocation, terminal, reach, part, secretKey, ...given, ...begun };
    await holding(store, begun.report.localReportId, () => complete(scan), begun.lease);
  });
};

/** A foreign binding is settled first: nothing of this scan may reach the project of another repository. */
async function reachHere(invocation: Invocation, root: string, terminal: Terminal): Promise<SyncReadiness> {
  await settleBinding(invocation, root, terminal);
  const reach = await reachOf(invocation, root);
  sayReach(reach, terminal);
  return reach;
}

function wantedScanners({ options }: Invocation): string[] | undefined {
  return Array.isArray(options['only']) ? (options['only'] as string[]) : undefined;
}

async function givenResults(
  invocation: Invocation,
  root: string,
): Promise<Pick<RunningScan, 'files' | 'inventory'>> {
  const { options, folder, environment, signal } = invocation;
  if (!Array.isArray(options['sarif'])) return { files: [] };
  const found = await inventory(root, { environment, signal }).catch((error: unknown) => {
    throw signal.aborted ? new CliError('interrupted', 'Interrupted.', { cause: error }) : error;
  });
  const files = await importSarifFiles(options['sarif'] as string[], {
    folder,
    roots: [root],
    linesOf: checkoutLines(root),
    files: checkoutFiles(root, found),
    withoutLocalPaths: ownPaths(root).text,
    standardInput: invocation.input,
    signal,
  });
  return { files, inventory: found };
}

async function begin(
  store: Store,
  { environment, options }: Invocation,
  { root, part }: WhatToScan,
  reach: SyncReadiness | undefined,
): Promise<Pick<RunningScan, 'report' | 'lease'>> {
  let lease: Lease | undefined;
  const wishes = {
    facts: { ...(part && { part }) },
    effort: (options['effort'] ?? 'auto') as EffortRequested,
    agent: { name: AGENT, version },
    authorization: { basis: 'owner' as const, scope: ['Everything in the repository.'] },
    // A report that waits for the quota to reset is not sent automatically: when the quota resets, other reports may
    // come first.
    isSyncWanted: reach !== undefined && reach.kind !== 'ineligible',
  };
  const report = await beginHere(store, { environment, folder: root }, wishes, ({ localReportId }) => {
    lease = claim(store, localReportId, Date.now());
  });
  if (lease === undefined) throw new Error('A new report already has a lease.');
  return { report, lease };
}

async function complete(scan: RunningScan): Promise<void> {
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
  for (const repair of scanned.finished.repairs) terminal.warn(repair);
  invocation.happened('cli_scan_completed', { sync: (findReport(store, localReportId) ?? report).sync });
  const failure = live ? await sync(scan) : undefined;
  const present = findReport(store, localReportId) ?? report;
  // For the gate, findings that were left out because of the report's size count too.
  const { finished } = scanned;
  const findings = [...finished.report.findings, ...finished.leftOut];
  const { decided, undecided } = await decidedFor(scan, present, findings);
  const gate = gateOf(invocation, present, { decided, leftOut: scanned.result.leftOut });
  const done = { report: present, ...scanned, failure, gate, decided };
  terminal.result(resultOf(done), () => scanLines(done, terminal, reach));
  if (failure?.reason === 'interrupted') throw failure;
  const incomplete = incompleteFailure(scanned.result.incomplete, {
    isGated: invocation.options['failOn'] !== undefined,
    isAllowed: invocation.options['allowFailedScanners'] === true,
  });
  // Findings take precedence over gaps, and gaps over an unreachable service: a pipeline that tolerates the last must not
  // miss the others.
  const [ending, ...others] = [gate && gateFailure(gate), incomplete, undecided, failure].filter(
    (each) => each !== undefined,
  );
  for (const { message, hint = '' } of others) terminal.warn(`${message} ${hint}`.trimEnd());
  if (ending) throw ending;
}

interface DecidedScan {
  /** Undefined when no decisions were looked up, or they cannot be read. */
  readonly decided?: Decided<Finding>;
  /** Why the decisions cannot be read. */
  readonly undecided?: CliError;
}

/** Called after the sync, so that the service knows the statuses in this report. */
async function decidedFor(
  { invocation, terminal }: RunningScan,
  local: LocalReport,
  findings: readonly Finding[],
): Promise<DecidedScan> {
  const { options } = invocation;
  if (options['failOn'] === undefined && options['decisions'] === undefined) return {};
  const { repositoryRoot: folder, moves = [] } = local;
  try {
    return { decided: await decide(invocation, terminal, { findings, moves, folder, local }) };
  } catch (error) {
    if (error instanceof CliError && error.reason !== 'interrupted') return { undecided: error };
    throw error;
  }
}

function liveOf({ store, invocation, terminal, report, reach }: RunningScan): LiveDelivery | undefined {
  if (reach?.kind !== 'ready' && reach?.kind !== 'unreachable') return undefined;
  return startLive({
    store,
    connection: reach.connection,
    environment: invocation.environment,
    clock: invocation.clock,
    localReportId: report.localReportId,
    onShell: ({ localReportId, sync: { reportId, reportUrl = '' } }) => {
      const { cyan } = terminal.noteColours;
      terminal.announce({ localReportId, reportId, reportUrl }, () => [
        `Report   ${cyan(safeLine(reportUrl))}`,
      ]);
    },
    onRejection: ({ message }) => terminal.warn(`${message} The scan continues on this machine.`),
  });
}

async function scanFiles({
  store,
  invocation,
  terminal,
  report,
  part,
  lease,
  secretKey,
  files,
  inventory: found,
}: RunningScan) {
  const { options, environment, signal } = invocation;
  const only = wantedScanners(invocation);
  const { localReportId, repositoryRoot } = report;
  using recorder = createRecorder(store, localReportId);
  const bars = createPhaseBars(terminal);
  try {
    const result = await runScanners({
      root: repositoryRoot,
      part,
      files,
      // The inventory of the whole repository does not apply to a part.
      ...(found && part === undefined && { inventory: found }),
      secretKey,
      ...(only && { only }),
      trustRepository: options['trustRepository'] === true,
      offline: options['offline'] === true,
      isGated: options['failOn'] !== undefined,
      environment,
      signal,
      onEvent: (event) => {
        recorder.record(event);
        bars.show(event);
      },
    });
    signal.throwIfAborted();
    const moved = await movesSince(store, localReportId, environment);
    return finishScan(store, localReportId, result, { agent: AGENT, lease, moved });
  } catch (error) {
    bars.fail();
    throw error;
  }
}

/** Aborts the scan, and deletes its shell on the service in the little time that an interrupted command has. */
async function abandon(
  { store, invocation, terminal, report, lease }: RunningScan,
  error: unknown,
): Promise<void> {
  const { localReportId } = report;
  if (findReport(store, localReportId)?.state !== 'scanning') return;
  const isInterrupted = invocation.signal.aborted;
  giveUp(store, localReportId, { type: isInterrupted ? 'scan_cancelled' : 'scan_failed', lease });
  const failure = await giveBackInTime({ store, invocation, terminal }, localReportId);
  if (failure) terminal.warn(`${failure.message} Release its quota unit with: svc sync`);
  else if (isInterrupted && error instanceof Error) terminal.note('Nothing was charged for the scan.');
}

async function sync({
  store,
  invocation,
  terminal,
  report,
  lease,
  reach,
}: RunningScan): Promise<CliError | undefined> {
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
