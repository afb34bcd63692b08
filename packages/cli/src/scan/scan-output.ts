/** The output of `svc scan`: one JSON value, or lines for people. */
import { LOGIN } from '../connection/link-hint.ts';
import { decisionsJson } from '../decisions/decide.ts';
import type { CliError } from '../errors.ts';
import { findingLines, worstFirst } from '../report/finding-lines.ts';
import type { FinishedReport } from '../report/finish.ts';
import { fittedSentence } from '@svc/report/making/fit-size';
import { gateJson, type Gate } from '../report/gate.ts';
import { summaryLines } from '../report/summary-lines.ts';
import type { ScanResult } from '../scanners/index.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { SyncReadiness } from '../sync/readiness.ts';
import type { Colours } from '../terminal/colours.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

const TOP_FINDINGS = 5;
const WARNINGS_SHOWN = 10;

export interface CompletedScan {
  /** The report in its current state. */
  readonly report: LocalReport;
  readonly result: ScanResult;
  readonly finished: FinishedReport;
  readonly failure: CliError | undefined;
  /** Undefined without `--fail-on`, and when the decisions cannot be read. */
  readonly gate: Gate | undefined;
  /** Undefined when no decisions were looked up, or they cannot be read. */
  readonly decided: Parameters<typeof decisionsJson>[0];
}

export function resultOf({ report, result, finished, failure, gate, decided }: CompletedScan) {
  const { localReportId, state, isSyncWanted, sync, fitted } = report;
  const { summary, scan, coverageAreas, limitations } = finished.report;
  return {
    localReportId,
    reportId: sync.reportId ?? null,
    reportUrl: sync.reportUrl ?? null,
    state,
    isSyncWanted,
    finalizedAt: sync.finalizedAt ?? null,
    summary,
    part: report.scan.part?.path ?? null,
    fileCount: result.inventory.fileCount,
    tools: scan.tools ?? [],
    coverageAreas,
    limitations,
    carried: finished.carried,
    redactions: report.redactions,
    warnings: result.warnings,
    sizeBytes: finished.sizeBytes,
    fitted: fitted ?? null,
    gate: gate ? gateJson(gate) : null,
    decisions: decisionsJson(decided),
    incomplete: result.incomplete,
    failure: failure
      ? { reason: failure.reason, code: failure.code ?? null, message: failure.message }
      : null,
  };
}

export function scanLines(
  scanned: CompletedScan,
  { colours, columns }: Pick<Terminal, 'colours' | 'columns'>,
  reach: SyncReadiness | undefined,
): string[] {
  const { report, result, finished } = scanned;
  const { dim, yellow } = colours;
  const { findings, scan } = finished.report;
  const tools = (scan.tools ?? []).map(({ name, version }) => (version ? `${name} ${version}` : name));
  const top = worstFirst(findings).slice(0, TOP_FINDINGS);
  const more = findings.length - top.length;
  const { warnings } = result;
  const { fitted = null } = report;
  const losses = new Set([...warnings, ...(fitted === null ? [] : [fittedSentence(fitted)])]);
  const limitations = finished.report.limitations.filter((line) => !losses.has(line));
  const secrets = report.redactions === 1 ? '1 secret was' : `${report.redactions} secrets were`;
  return [
    ...summaryLines(finished.report, colours),
    ...(top.length === 0 ? [] : ['', ...findingLines(top, colours, columns).map((line) => `  ${line}`)]),
    ...(more > 0 ? [dim(`  and ${more} more: svc finding list`)] : []),
    '',
    dim(`${countOf(result.inventory.fileCount)}, by ${tools.map(safeLine).join(', ') || 'no tool'}`),
    ...limitations.slice(0, WARNINGS_SHOWN).map((line) => dim(`- ${safeLine(line)}`)),
    ...warnings.slice(0, WARNINGS_SHOWN).map((line) => `${yellow('!')} ${safeLine(line)}`),
    ...(fitted === null ? [] : [`${yellow('!')} ${fittedSentence(fitted)}`]),
    ...(report.redactions === 0 ? [] : [`${yellow('!')} ${secrets} removed from the text`]),
    ...placeLines(scanned, colours, reach),
  ];
}

function placeLines(
  { report, failure }: CompletedScan,
  { green, yellow, bold }: Colours,
  reach: SyncReadiness | undefined,
): string[] {
  const { localReportId, state, sync } = report;
  const address = safeLine(sync.reportUrl ?? '');
  if (state === 'synced') return [`${green('✓')} Synced: ${bold(address)}`];
  if (failure) return [`${yellow('!')} Not synced, and kept on this machine: ${localReportId}`];
  return [`${green('✓')} Kept on this machine: ${localReportId}. ${nextStep(localReportId, reach)}`];
}

/** @param reach undefined when syncing was not wanted */
function nextStep(localReportId: string, reach: SyncReadiness | undefined): string {
  switch (reach?.kind) {
    case 'unlinked':
      // A login does not change the credential in SVC_DEVICE_TOKEN.
      return reach.hint === LOGIN
        ? 'To sync it: svc login, then svc sync'
        : 'To sync it: svc sync, with a valid credential';
    case 'unbound':
      return 'To sync it: svc init, then svc sync';
    case 'foreign':
      return 'To sync it: svc init --accept-binding, then svc sync';
    case 'ineligible':
      return `To sync it when the quota resets: svc sync --report ${localReportId}`;
    default:
      return `To sync it: svc sync --report ${localReportId}`;
  }
}

function countOf(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
