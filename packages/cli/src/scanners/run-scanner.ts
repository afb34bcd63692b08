/**
 * Runs one scanner and imports its result. A failure is an outcome, never an error: the scan continues with the others. A
 * tool's own error output is shown to the person (without secrets and control characters) and kept out of the report, whose
 * sentences are predefined.
 */
import type { SafeCode } from '@svc/contract';
import { TOOL_TAG } from '@svc/report/reading/tags';
import { importSarif, redactText, SarifError, type RunFailure, type SarifImport } from '@svc/report';
import path from 'node:path';
import { environmentOfProgram } from '../programs/environment.ts';
import type { Environment } from '../environment.ts';
import { checkoutFiles } from './checkout-files.ts';
import type { Inventory } from './inventory.ts';
import { ESLINT_FORMATTER } from './known-scanners.ts';
import { runProgram, type ProgramEnd } from '../programs/run-program.ts';
import { checkoutLines } from './checkout-lines.ts';
import { findProgram, isProgram, type SearchPath } from '../programs/search-path.ts';
import { makeFolder } from '../files/own-folders.ts';
import { isThere } from '../files/paths.ts';
import { readScanned } from '../files/read-bounded.ts';
import { ownPaths } from '../report/own-paths.ts';
import type { ScannedPart } from '../report/scanned-part.ts';
import { withinRepository, type RepositoryResults } from './repository-results.ts';
import { securityResultsOnly } from './sarif-selection.ts';
import type { Scanner, ScannerPlace } from './scanner.ts';
import { targetIn } from './scan-target.ts';
import { MINUTE_MS } from '../time.ts';

const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const VERSION_TIME_LIMIT_MS = 20_000;
const VERSION_BYTES_MAX = 64 * 1024;
/** The version is at the beginning; trivy also prints its databases. */
const VERSION_LENGTH_MAX = 500;

export type SkipReason = 'not_installed' | 'nothing_to_scan' | 'untrusted' | 'offline' | 'no_formatter';

export type ScannerOutcome =
  | {
      readonly status: 'ran';
      readonly imported: SarifImport;
      readonly version?: string;
      /** A failure that the scanner's own result reports. */
      readonly failure?: RunFailure;
    }
  | { readonly status: 'skipped'; readonly reason: SkipReason }
  | {
      readonly status: 'failed';
      readonly safeCode: SafeCode;
      /** The sentence for the report. */
      readonly sentence: string;
      /** More details for the person. */
      readonly detail?: string;
    };

export interface RunScannerOptions {
  /** Absolute, with symbolic links resolved. */
  readonly root: string;
  /** When given, only this part is scanned. */
  readonly part?: ScannedPart | undefined;
  readonly inventory: Inventory;
  readonly environment: Environment;
  readonly searchPath: SearchPath;
  /** The scanner gets an empty folder of its own in this folder. */
  readonly privateFolder: string;
  readonly isTrusted: boolean;
  readonly isOffline: boolean;
  readonly signal: AbortSignal;
  readonly onStart: () => void;
}

/** @throws only the signal's reason when it is aborted. */
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
      `${scanner.name} could not be run, so its findings are missing.`,
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

/** A trusted repository's own installation takes precedence: its settings are written for that version. */
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
  const names = new Set([...inventory.files.map((each) => each.path), ...inventory.settings]);
  const place: ScannerPlace = {
    root,
    inventory,
    target: targetIn(root, options.part),
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
  if (result === 'nothing_to_scan') return emptyRun(scanner, version);
  if ('status' in result) return result;
  return importedFrom(scanner, result.bytes, version, options);
}

/** The version that a tool writes into its results is not always right: gitleaks always writes 8.0.0. */
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
): Promise<ScannerOutcome | 'nothing_to_scan' | { readonly bytes: Uint8Array }> {
  if (end.ended !== 'exited') return failureOf(scanner, end);
  if (scanner.codesOfNothing?.includes(end.code) === true) return 'nothing_to_scan';
  if (!scanner.codesOfRun.includes(end.code)) {
    const how = `(exit code ${end.code}), so its findings are missing`;
    const sentence = UNKNOWN_OPTION.test(end.complaint)
      ? `${scanner.name} does not support an option that svc needs, such as SARIF output ${how}: install ${scanner.needs}.`
      : `${scanner.name} failed ${how}.`;
    return failed(codeOfComplaint(end.complaint), sentence, end.complaint);
  }
  if (scanner.resultIn === 'output') return { bytes: end.output };
  const bytes = await readScanned(resultFile, OUTPUT_BYTES_MAX).catch(() => undefined);
  if (bytes === 'too_large') return failureOf(scanner, { ended: 'too_much_output', complaint: '' });
  if (bytes !== undefined) return { bytes };
  const sentence = `${scanner.name} wrote no result, so its findings are missing.`;
  return failed(codeOfComplaint(end.complaint), sentence, end.complaint);
}

function failureOf({ name, timeLimitMs }: Scanner, end: Exclude<ProgramEnd, { ended: 'exited' }>) {
  const missing = 'so its findings are missing.';
  switch (end.ended) {
    case 'timeout':
      return failed('timeout', `${name} took longer than ${timeLimitMs / MINUTE_MS} minutes, ${missing}`);
    case 'too_much_output':
      return failed('tool_failed', `${name} wrote more than 64 MiB, ${missing}`);
    case 'not_started':
      return failed('tool_failed', `${name} could not be started, ${missing}`, end.complaint);
    case 'killed':
      return failed('tool_failed', `${name} was killed by the system, ${missing}`, end.complaint);
    case 'aborted':
      return failed('interrupted', `${name} was interrupted, ${missing}`);
  }
}

/** The run of a scanner that had nothing to scan. */
function emptyRun({ name }: Scanner, version: string | undefined): ScannerOutcome {
  const tools = [{ name, ...(version !== undefined && { version }), findings: 0 }];
  const warnings = ['it had nothing to scan.'];
  return {
    status: 'ran',
    imported: { findings: [], tools, toolRuns: [], warnings, redactions: 0 },
    ...(version !== undefined && { version }),
  };
}

async function importedFrom(
  scanner: Scanner,
  bytes: Uint8Array,
  version: string | undefined,
  { root, inventory, part }: RunScannerOptions,
): Promise<ScannerOutcome> {
  const { isSecurityRule, name } = scanner;
  let imported: SarifImport;
  try {
    const selected = isSecurityRule === undefined ? bytes : securityResultsOnly(bytes, isSecurityRule);
    imported = importSarif(selected, {
      roots: [root],
      linesOf: checkoutLines(root),
      files: checkoutFiles(root, inventory),
      withoutLocalPaths: ownPaths(root).text,
      isFromHere: true,
    });
  } catch (error) {
    const isTruncated = error instanceof SarifError && error.isTruncated;
    const what = isTruncated ? 'a truncated result' : 'output that is not SARIF';
    const sentence = `${name} wrote ${what}, so its findings are missing.`;
    return failed('tool_failed', sentence, error instanceof SarifError ? error.message : undefined);
  }
  const within = await withinRepository(imported.findings, root, inventory, part);
  const { findings: kept, leftOut } = within;
  const findings = kept.map((finding) => ({ ...finding, tags: withTool(finding.tags, name) }));
  const warnings = [...imported.warnings, ...leftOut];
  const known = version ?? imported.tools[0]?.version;
  const tools = [{ name, ...(known !== undefined && { version: known }), findings: findings.length }];
  const failure = worstFailure(imported) ?? outsideFailure(name, within);
  return {
    status: 'ran',
    imported: { ...imported, findings, warnings, tools },
    ...(version !== undefined && { version }),
    ...(failure && { failure }),
  };
}

/** A scanner has one name in tags, tools and coverage, whatever it calls itself: semgrep is `Semgrep OSS` in its logs. */
function withTool(tags: readonly string[] = [], name: string): string[] {
  return [`${TOOL_TAG}${name}`, ...tags.filter((tag) => !tag.startsWith(TOOL_TAG))];
}

function worstFailure({ failure, toolRuns }: SarifImport): RunFailure | undefined {
  const failures = [...(failure ? [failure] : []), ...toolRuns.flatMap((run) => run.failure ?? [])];
  return failures.find(({ isPartial }) => !isPartial) ?? failures[0];
}

/** For a scanner in a container, files of the repository have other paths. */
function outsideFailure(name: string, { outside }: RepositoryResults): RunFailure | undefined {
  if (outside === 0) return undefined;
  const results = outside === 1 ? '1 result' : `${outside} results`;
  const sentence = `${name} has ${results} outside the repository, which are left out. Run it with the repository at the same path as on this machine.`;
  return { isPartial: true, sentence };
}

/** Error messages of programs about an unknown option, command or format. */
const UNKNOWN_OPTION =
  /invalid choice: '?sarif|unknown (?:command|flag|shorthand|option|format)|invalid option|unrecognized arguments?|no such option|flag provided but not defined|unsupported (?:output |report )?format|invalid (?:output |report )?format/i;

const NETWORK_COMPLAINT =
  /no such host|could ?n[o']t resolve|name resolution|name or service not known|network is unreachable|connection (?:refused|reset|error)|max retries|dial tcp|i\/o timeout|failed to download|ENOTFOUND|EAI_AGAIN/i;
const PERMISSION_COMPLAINT = /permission denied|EACCES|operation not permitted/i;

function codeOfComplaint(complaint: string): SafeCode {
  if (NETWORK_COMPLAINT.test(complaint)) return 'network_unavailable';
  return PERMISSION_COMPLAINT.test(complaint) ? 'permission_denied' : 'tool_failed';
}

const DETAIL_LENGTH_MAX = 300;
/** Terminal colours, and all other control characters. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /\u001B\[[0-9;]{0,20}[A-Za-z]|\p{Cc}|\p{Cf}/gu;

function lastLineOf(complaint: string): string {
  const lines = redactText(complaint)
    .text.split(/\r?\n/)
    .map((line) => line.replaceAll(CONTROL, '').trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, DETAIL_LENGTH_MAX);
}
