/**
 * Runs one scanner and takes its result in. Whatever goes wrong with it is an outcome, never an error: the scan goes on
 * with the others. What a tool says of its failure is shown to the person (without secrets and control characters) and
 * kept out of the report, whose sentences are fixed.
 */
import type { SafeCode } from '@svc/contract';
import { importSarif, redactText, SarifError, type Arrival, type SarifImport } from '@svc/report';
import path from 'node:path';
import { environmentOfProgram } from '../programs/environment.ts';
import type { Environment } from '../environment.ts';
import type { Inventory } from './inventory.ts';
import { ESLINT_FORMATTER } from './known-scanners.ts';
import { runProgram, type ProgramEnd } from '../programs/run-program.ts';
import { findProgram, isProgram, type SearchPath } from '../programs/search-path.ts';
import { makeFolder } from '../files/own-folders.ts';
import { isThere } from '../files/places.ts';
import { readScanned } from '../files/read-bounded.ts';
import { withinRepository } from './repository-results.ts';
import { securityResultsOnly } from './sarif-selection.ts';
import type { Scanner, ScannerPlace } from './scanner.ts';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const VERSION_TIME_LIMIT_MS = 20_000;
const VERSION_BYTES_MAX = 64 * 1024;
/** It stands at the beginning; trivy goes on with its databases. */
const VERSION_LENGTH_MAX = 500;

export type SkipReason = 'not_installed' | 'nothing_to_scan' | 'untrusted' | 'offline' | 'no_formatter';

export type ScannerOutcome =
  | { readonly status: 'ran'; readonly imported: SarifImport; readonly version?: string }
  | { readonly status: 'skipped'; readonly reason: SkipReason }
  | {
      readonly status: 'failed';
      readonly safeCode: SafeCode;
      /** For the report. */
      readonly sentence: string;
      /** For the person, where there is more to say. */
      readonly detail?: string;
    };

export interface RunScannerOptions {
  /** Absolute and real. */
  readonly root: string;
  readonly inventory: Inventory;
  readonly environment: Environment;
  readonly searchPath: SearchPath;
  /** An empty folder of its own is made in it. */
  readonly privateFolder: string;
  readonly isTrusted: boolean;
  readonly isOffline: boolean;
  readonly signal: AbortSignal;
  readonly onStart: () => void;
}

/** @throws the signal's reason when it is aborted, and nothing else. */
export async function runScanner(scanner: Scanner, options: RunScannerOptions): Promise<ScannerOutcome> {
  const { root, inventory, signal } = options;
  if (!scanner.isWorthwhile(inventory)) return skipped('nothing_to_scan');
  const file = await programOf(scanner, options);
  if (file === undefined) return skipped('not_installed');
  if (scanner.runsRepositoryCode && !options.isTrusted) return skipped('untrusted');
  if (scanner.needsNetwork && options.isOffline) return skipped('offline');
  if (scanner.name === 'eslint' && !hasFormatter(root)) return skipped('no_formatter');
  options.onStart();
  try {
    const outcome = await runProgramOf(scanner, file, options);
    signal.throwIfAborted();
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    return failed(
      'tool_failed',
      `${scanner.name} could not be run, so what it finds is missing.`,
      error instanceof Error ? error.message : undefined,
    );
  }
}

function skipped(reason: SkipReason): ScannerOutcome {
  return { status: 'skipped', reason };
}

function failed(safeCode: SafeCode, sentence: string, said?: string): ScannerOutcome {
  const detail = said === undefined ? '' : lastLineOf(said);
  return { status: 'failed', safeCode, sentence, ...(detail !== '' && { detail }) };
}

/** A trusted repository's own installation comes first: its settings are written for that version. */
async function programOf(scanner: Scanner, { root, isTrusted, searchPath }: RunScannerOptions) {
  const own = path.join(root, 'node_modules/.bin', scanner.name);
  if (scanner.runsRepositoryCode && (await isProgram(own)) && process.platform !== 'win32')
    return isTrusted ? own : ((await findProgram(scanner.name, searchPath)) ?? own);
  return findProgram(scanner.name, searchPath);
}

function hasFormatter(root: string): boolean {
  return isThere(path.join(root, 'node_modules', ESLINT_FORMATTER, 'package.json'));
}

async function runProgramOf(scanner: Scanner, file: string, options: RunScannerOptions) {
  const { root, inventory, environment, searchPath, signal } = options;
  const privateFolder = path.join(options.privateFolder, scanner.name);
  makeFolder(privateFolder);
  const names = new Set(inventory.files.map((each) => each.path));
  const place: ScannerPlace = {
    root,
    inventory,
    privateFolder,
    resultFile: path.join(privateFolder, 'result.sarif'),
    has: (name) => names.has(name),
  };
  const { arguments: args, folder } = scanner.command(place);
  const program = {
    file,
    arguments: args,
    folder: folder === 'private' ? privateFolder : root,
    environment: {
      ...(await environmentOfProgram({
        environment,
        searchPath,
        purpose: 'scanner',
        temporaryFolder: privateFolder,
      })),
      ...scanner.environment?.(privateFolder),
    },
    timeLimitMs: scanner.timeLimitMs,
    outputBytesMax: OUTPUT_BYTES_MAX,
    ...(scanner.resultIn === 'file' && { outputFile: place.resultFile }),
    signal,
  };
  const version = await versionOf(scanner, program);
  const end = await runProgram(program);
  const result = await resultOf(scanner, end, place);
  if ('status' in result) return result;
  return importedFrom(scanner, result.bytes, version, options);
}

/** What a tool calls itself in its results is not always right: gitleaks is version 8.0.0 for ever. */
async function versionOf(
  { versionArguments }: Scanner,
  program: Parameters<typeof runProgram>[0],
): Promise<string | undefined> {
  const { outputFile: _, ...rest } = program;
  const end = await runProgram({
    ...rest,
    arguments: versionArguments,
    timeLimitMs: VERSION_TIME_LIMIT_MS,
    outputBytesMax: VERSION_BYTES_MAX,
  });
  if (end.ended !== 'exited' || end.code !== 0) return undefined;
  return /(?<!\d)\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:-[0-9A-Za-z.]{1,20})?/.exec(
    end.output.toString('latin1', 0, VERSION_LENGTH_MAX),
  )?.[0];
}

async function resultOf(
  scanner: Scanner,
  end: ProgramEnd,
  { resultFile }: ScannerPlace,
): Promise<ScannerOutcome | { readonly bytes: Uint8Array }> {
  if (end.ended !== 'exited') return failureOf(scanner, end);
  if (scanner.codesOfNothing?.includes(end.code) === true) return skipped('nothing_to_scan');
  if (!scanner.codesOfRun.includes(end.code)) {
    return failed(
      codeOfComplaint(end.complaint),
      `${scanner.name} failed (exit code ${end.code}), so what it finds is missing.`,
      end.complaint,
    );
  }
  if (scanner.resultIn === 'output') return { bytes: end.output };
  const bytes = await readScanned(resultFile, OUTPUT_BYTES_MAX).catch(() => undefined);
  if (bytes === 'too_large') return failureOf(scanner, { ended: 'too_much_output', complaint: '' });
  if (bytes !== undefined) return { bytes };
  const sentence = `${scanner.name} wrote no result, so what it finds is missing.`;
  return failed(codeOfComplaint(end.complaint), sentence, end.complaint);
}

function failureOf({ name, timeLimitMs }: Scanner, end: Exclude<ProgramEnd, { ended: 'exited' }>) {
  const missing = 'so what it finds is missing.';
  switch (end.ended) {
    case 'timeout':
      return failed('timeout', `${name} took longer than ${timeLimitMs / 60_000} minutes, ${missing}`);
    case 'too_much_output':
      return failed('tool_failed', `${name} wrote more than 64 MiB, ${missing}`);
    case 'not_started':
      return failed('tool_failed', `${name} could not be started, ${missing}`, end.complaint);
    case 'killed':
      return failed('tool_failed', `${name} was ended by the system, ${missing}`, end.complaint);
    case 'aborted':
      return failed('interrupted', `${name} was interrupted, ${missing}`);
  }
}

async function importedFrom(
  scanner: Scanner,
  bytes: Uint8Array,
  version: string | undefined,
  { root, inventory }: RunScannerOptions,
): Promise<ScannerOutcome> {
  const { isSecurityRule, name } = scanner;
  let imported: SarifImport;
  try {
    const selected = isSecurityRule === undefined ? bytes : securityResultsOnly(bytes, isSecurityRule);
    imported = importSarif(selected, { roots: [root] });
  } catch (error) {
    const sentence = `${name} wrote what is no SARIF, so what it finds is missing.`;
    return failed('tool_failed', sentence, error instanceof SarifError ? error.message : undefined);
  }
  const { findings, leftOut } = await withinRepository(imported.findings, root, inventory);
  const warnings = [...imported.warnings, ...leftOut];
  const tools = [{ name, ...(version !== undefined && { version }), findings: findings.length }];
  return {
    status: 'ran',
    imported: {
      ...imported,
      findings,
      warnings,
      tools: version === undefined ? withCount(imported, findings, name) : tools,
    },
    ...(version !== undefined && { version }),
  };
}

/** Named as the tool names itself where it does not say its version otherwise. */
function withCount({ tools }: SarifImport, findings: readonly Arrival[], name: string) {
  const [first = { name }] = tools;
  return [{ ...first, findings: findings.length }];
}

const NETWORK_COMPLAINT =
  /no such host|could ?n[o']t resolve|name resolution|name or service not known|network is unreachable|connection (?:refused|reset|error)|max retries|dial tcp|i\/o timeout|failed to download|ENOTFOUND|EAI_AGAIN/i;
const PERMISSION_COMPLAINT = /permission denied|EACCES|operation not permitted/i;

function codeOfComplaint(complaint: string): SafeCode {
  if (NETWORK_COMPLAINT.test(complaint)) return 'network_unavailable';
  return PERMISSION_COMPLAINT.test(complaint) ? 'permission_denied' : 'tool_failed';
}

const DETAIL_LENGTH_MAX = 300;
/** Colours of a terminal, and all else that is no text. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /\u001B\[[0-9;]{0,20}[A-Za-z]|\p{Cc}|\p{Cf}/gu;

function lastLineOf(complaint: string): string {
  const lines = redactText(complaint)
    .text.split(/\r?\n/)
    .map((line) => line.replaceAll(CONTROL, '').trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, DETAIL_LENGTH_MAX);
}
