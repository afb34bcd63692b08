/**
 * What `svc scan` runs: the built-in search for secrets, the scanners of others that are installed, and results that were
 * written before. It knows no store, no terminal and no service: findings come back as arrivals, for `addFindings` of
 * @svc/report to number and merge, and events go to whoever wants to show or record them.
 *
 * A scanner that fails is a limitation of the report, never the end of the scan. What ends it: a folder that can not be
 * read, before anything else is done, and the caller's signal.
 */
import type { SafeCode } from '@svc/contract';
import { CliError } from '../errors.ts';
import { kindOf, realPath } from '../files/places.ts';
import { safeSearchPath, type SearchPath } from '../programs/search-path.ts';
import type { Environment } from '../environment.ts';
import { inPhase, type OnScanEvent } from './events.ts';
import { inventory, type Inventory } from './inventory.ts';
import { knownScanners } from './known-scanners.ts';
import { withPrivateFolder } from '../files/private-folder.ts';
import { runScanner } from './run-scanner.ts';
import type { ImportedFile } from './sarif-files.ts';
import type { Scanner } from './scanner.ts';
import { checkSecrets, SECRET_CHECK, type SecretCheck } from './secret-check.ts';
import { resultOf, type ScanResult } from './scan-result.ts';
import type { ScannerRun } from './summary.ts';

export type { ScanEvent } from './events.ts';
export { importSarifFiles, type ImportedFile } from './sarif-files.ts';
export type { ScanResult } from './scan-result.ts';

/** What `only` can name. */
export const scannerNames: readonly string[] = [SECRET_CHECK, ...knownScanners.map(({ name }) => name)];

export interface ScanOptions {
  /** The repository: absolute. */
  readonly root: string;
  /** 32 random bytes of this machine, under which secrets are told apart. */
  readonly secretKey: Uint8Array;
  /** Results that scanners wrote before. */
  readonly files?: readonly ImportedFile[];
  /** Names of `scannerNames`; all by default. */
  readonly only?: readonly string[];
  /** Scanners may run code that the repository brings along, such as the configuration of eslint. */
  readonly trustRepository?: boolean;
  /** Leaves out what downloads rules or databases. */
  readonly offline?: boolean;
  /** The caller's: what scanners may know of it is chosen here. */
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly onEvent: OnScanEvent;
}

/**
 * @throws CliError `rejected` for a folder that can not be read, `usage` for an unknown name in
 *   `only`, `interrupted` when the signal is aborted.
 */
export async function runScanners(options: ScanOptions): Promise<ScanResult> {
  try {
    return await scan(options);
  } catch (error) {
    if (options.signal.aborted && !(error instanceof CliError))
      throw new CliError('interrupted', 'The scan was interrupted.', { cause: error });
    throw error;
  }
}

async function scan(options: ScanOptions): Promise<ScanResult> {
  const { onEvent, files = [], only } = options;
  refuseUnknownScanners(only);
  const isSecretCheck = only?.includes(SECRET_CHECK) ?? true;
  const scanners = knownScanners.filter(({ name }) => only?.includes(name) ?? true);
  const root = await inPhase('preparing', onEvent, async () => [await realFolder(options.root), 'ok']);
  const found = await inPhase('inventory', onEvent, async () => [await inventory(root, options), 'ok']);
  const searchPath = await safeSearchPath(options.environment, root);
  let secrets: SecretCheck | undefined;
  const runs = await withPrivateFolder(async (privateFolder) => {
    const all: ScannerRun[] = [];
    for (const phase of ['secret_review', 'static_analysis', 'dependency_review'] as const) {
      const ofPhase = await inPhase(phase, onEvent, async () => {
        const isBuiltIn = phase === 'secret_review' && isSecretCheck;
        if (isBuiltIn) secrets = await searchSecrets(root, found, options);
        const done: ScannerRun[] = [];
        for (const scanner of scanners.filter((each) => each.phase === phase))
          done.push(await runOne(scanner, { ...options, root, searchPath, privateFolder, inventory: found }));
        return [done, codeOfPhase(done, isBuiltIn)];
      });
      all.push(...ofPhase);
    }
    return all;
  });
  refuseNothing(runs, isSecretCheck || files.length > 0);
  return inPhase('deduplication', onEvent, async () => [
    resultOf({ inventory: found, runs, files, ...(secrets !== undefined && { secrets }) }),
    'ok',
  ]);
}

/** @throws CliError `usage`, with the names that there are. */
export function refuseUnknownScanners(only: readonly string[] | undefined): void {
  const unknown = only?.find((name) => !scannerNames.includes(name));
  if (unknown === undefined) return;
  throw new CliError('usage', `There is no scanner called "${unknown}".`, {
    hint: `Choose from ${scannerNames.join(', ')}.`,
  });
}

/** A scan that was asked for by name and looked at nothing must not pass for one that found nothing. */
function refuseNothing(runs: readonly ScannerRun[], isSomethingElse: boolean): void {
  const missing = runs.filter(
    ({ outcome }) => outcome.status === 'skipped' && outcome.reason === 'not_installed',
  );
  if (isSomethingElse || runs.length === 0 || missing.length < runs.length) return;
  const names = missing.map(({ scanner }) => scanner.name).join(', ');
  throw new CliError('failed', `Not installed: ${names}. Nothing was scanned.`, {
    hint: 'Install it, or leave --only out.',
  });
}

async function realFolder(root: string): Promise<string> {
  const real = await realPath(root).catch(() => undefined);
  if (real !== undefined && (await kindOf(real)) === 'folder') return real;
  throw new CliError('rejected', `${root} is no folder that can be read.`, {
    hint: 'Give the path of the repository.',
  });
}

async function searchSecrets(root: string, found: Inventory, options: ScanOptions): Promise<SecretCheck> {
  const { onEvent, signal, secretKey: key } = options;
  onEvent({ type: 'tool_started', phase: 'secret_review', tool: SECRET_CHECK });
  const secrets = await checkSecrets({ root, files: found.files, key, signal, onEvent });
  const safeCode = secrets.isFull ? 'partial' : 'ok';
  onEvent({ type: 'tool_completed', phase: 'secret_review', safeCode, tool: SECRET_CHECK });
  return { ...secrets, unreadable: secrets.unreadable + found.unreadable };
}

type RunOptions = ScanOptions & {
  readonly inventory: Inventory;
  readonly searchPath: SearchPath;
  readonly privateFolder: string;
};

async function runOne(scanner: Scanner, options: RunOptions): Promise<ScannerRun> {
  const { onEvent, only, trustRepository: isTrusted = false, offline: isOffline = false } = options;
  const { phase, name: tool } = scanner;
  const outcome = await runScanner(scanner, {
    ...options,
    isTrusted,
    isOffline,
    onStart: () => {
      onEvent({ type: 'tool_started', phase, tool });
    },
  });
  const isAskedFor = only !== undefined;
  if (outcome.status === 'ran') onEvent({ type: 'tool_completed', phase, safeCode: 'ok', tool });
  else if (outcome.status === 'failed')
    onEvent({ type: 'tool_completed', phase, safeCode: outcome.safeCode, tool });
  else if (outcome.reason === 'not_installed') {
    if (isAskedFor) onEvent({ type: 'warning', phase, safeCode: 'tool_missing', tool });
  } else if (outcome.reason !== 'nothing_to_scan')
    onEvent({ type: 'warning', phase, safeCode: 'skipped', tool });
  return { scanner, outcome, isAskedFor };
}

function codeOfPhase(runs: readonly ScannerRun[], isBuiltIn: boolean): SafeCode {
  if (runs.some(({ outcome }) => outcome.status === 'failed')) return 'partial';
  return isBuiltIn || runs.some(({ outcome }) => outcome.status === 'ran') ? 'ok' : 'skipped';
}
