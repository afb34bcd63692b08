/**
 * What `svc scan` runs: the built-in search for secrets, installed scanners, and results that scanners wrote earlier.
 * It does not use the store, the terminal or the service. Findings are returned as arrivals, for the caller to number
 * and merge. Events go to the caller, who shows or records them.
 *
 * A scanner that fails becomes a limitation of the report, and never ends the scan. A scan ends early only if the
 * caller aborts it, the folder is unreadable, or no named scanner is installed.
 */
import type { SafeCode } from '@svc/contract';
import { CliError } from '../errors.ts';
import { kindOf, realPath } from '../files/paths.ts';
import { nearest } from '../nearest.ts';
import { safeSearchPath, type SearchPath } from '../programs/search-path.ts';
import type { Environment } from '../environment.ts';
import { inPhase, type OnScanEvent } from './events.ts';
import { inventory, type Inventory } from './inventory.ts';
import { knownScanners } from './known-scanners.ts';
import type { ScannedPart } from '../report/scanned-part.ts';
import { limitedTo } from './scan-of-part.ts';
import { withPrivateFolder } from '../files/private-folder.ts';
import { runScanner } from './run-scanner.ts';
import type { ImportedFile } from '@svc/report/making/imported-file';
import type { Scanner } from './scanner.ts';
import { checkSecrets, type SecretCheck } from './secret-check.ts';
import { SECRET_CHECK } from './secret-findings.ts';
import { resultOf, type ScanResult } from './scan-result.ts';
import type { ScannerRun } from './scanned-parts.ts';

export type { ScanEvent } from './events.ts';
export { checkoutFiles } from './checkout-files.ts';
export { inventory, type Inventory } from './inventory.ts';
export { importSarifFiles } from './sarif-files.ts';
export type { ImportedFile } from '@svc/report/making/imported-file';
export type { ScanResult } from './scan-result.ts';

/** The allowed values of `only`. */
export const scannerNames: readonly string[] = [SECRET_CHECK, ...knownScanners.map(({ name }) => name)];

export interface ScanOptions {
  /** The repository: absolute. */
  readonly root: string;
  /** 32 random bytes that stay on this machine. Digests of secrets are keyed with them. */
  readonly secretKey: Uint8Array;
  /** The inventory of the root, if it was already created. */
  readonly inventory?: Inventory;
  /** Only this part is scanned; the whole repository by default. */
  readonly part?: ScannedPart | undefined;
  /** Results that scanners wrote earlier. */
  readonly files?: readonly ImportedFile[];
  /** Names of `scannerNames`; all by default. */
  readonly only?: readonly string[];
  /** Scanners may run code from the repository, such as the configuration of eslint. */
  readonly trustRepository?: boolean;
  /** Skips scanners that download rules or databases. */
  readonly offline?: boolean;
  /** With a gate, a scan in which no scanner runs is not an error here: the gate fails for what did not run. */
  readonly isGated?: boolean;
  /** The environment of the command. Scanners get only the variables on an allowlist. */
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly onEvent: OnScanEvent;
}

/**
 * @throws CliError `rejected` for a folder that cannot be read, `usage` for an unknown name in `only`, `failed` when no
 * named scanner is installed, `interrupted` when the signal is aborted.
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
  rejectUnknownScanners(only);
  const isSecretCheck = only?.includes(SECRET_CHECK) ?? true;
  const scanners = knownScanners.filter(({ name }) => only?.includes(name) ?? true);
  const root = await inPhase('preparing', onEvent, async () => [await realFolder(options.root), 'ok']);
  const found = await inPhase('inventory', onEvent, async () => [
    options.inventory ?? (await inventory(root, options)),
    'ok',
  ]);
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
  rejectNothing(runs, isSecretCheck || files.length > 0 || options.isGated === true);
  return inPhase('deduplication', onEvent, async () => {
    const result = resultOf({ inventory: found, runs, files, ...(secrets !== undefined && { secrets }) });
    const { part } = options;
    return [part ? limitedTo(part, result, [AGENT, ...namesOf(runs, isSecretCheck)]) : result, 'ok'];
  });
}

/** Findings without a tool belong to the agent, which scanned no more than its tools. */
const AGENT = 'svc';

/** The tools that ran, by their known names and by those that they report. */
function namesOf(runs: readonly ScannerRun[], isSecretCheck: boolean): readonly string[] {
  const ran = runs.flatMap(({ scanner, outcome }) =>
    outcome.status === 'ran' ? [scanner.name, ...outcome.imported.tools.map(({ name }) => name)] : [],
  );
  return [...new Set([...(isSecretCheck ? [SECRET_CHECK] : []), ...ran])];
}

/** @throws CliError `usage`, with the known names. */
export function rejectUnknownScanners(only: readonly string[] | undefined): void {
  const unknown = only?.find((name) => !scannerNames.includes(name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, scannerNames);
  throw new CliError('usage', `There is no scanner called "${unknown}".`, {
    hint:
      meant === undefined
        ? `Choose from ${scannerNames.join(', ')}. Put the path to scan before --only.`
        : `Did you mean ${meant}?`,
  });
}

/** A scan by named scanners of which none is installed must not look like a scan without findings. */
function rejectNothing(runs: readonly ScannerRun[], isSomethingElse: boolean): void {
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
  throw new CliError('rejected', `${root} is not a readable folder.`, {
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
  if (outcome.status === 'ran')
    onEvent({ type: 'tool_completed', phase, safeCode: outcome.failure ? 'partial' : 'ok', tool });
  else if (outcome.status === 'failed')
    onEvent({ type: 'tool_completed', phase, safeCode: outcome.safeCode, tool });
  else if (outcome.reason === 'not_installed') {
    if (isAskedFor) onEvent({ type: 'warning', phase, safeCode: 'tool_missing', tool });
  } else if (outcome.reason !== 'nothing_to_scan')
    onEvent({ type: 'warning', phase, safeCode: 'skipped', tool });
  return { scanner, outcome, isAskedFor };
}

function codeOfPhase(runs: readonly ScannerRun[], isBuiltIn: boolean): SafeCode {
  const hasFailed = ({ outcome }: ScannerRun) =>
    outcome.status === 'failed' || (outcome.status === 'ran' && outcome.failure !== undefined);
  if (runs.some(hasFailed)) return 'partial';
  return isBuiltIn || runs.some(({ outcome }) => outcome.status === 'ran') ? 'ok' : 'skipped';
}
