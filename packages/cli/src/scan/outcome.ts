/** What `svc scan` says in the end: as one JSON value, and as lines for people. */
import type { CliError } from '../errors.ts';
import { findingLines, worstFirst } from '../report/finding-lines.ts';
import type { FinishedReport } from '../report/finish.ts';
import { gateJson, type Gate } from '../report/gate.ts';
import { summaryLines } from '../report/summary-lines.ts';
import type { ScanResult } from '../scanners/index.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Reach } from '../sync/reach.ts';
import type { Colours } from '../terminal/colours.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

const TOP_FINDINGS = 5;
const WARNINGS_SHOWN = 10;

export interface Scanned {
  /** As it is now. */
  readonly report: LocalReport;
  readonly result: ScanResult;
  readonly finished: FinishedReport;
  readonly failure: CliError | undefined;
  /** Undefined when none was asked for. */
  readonly gate: Gate | undefined;
}

export function resultOf({ report, result, finished, failure, gate }: Scanned) {
  const { localReportId, state, isSyncWanted, sync } = report;
  const { summary, scan, coverageAreas, limitations } = finished.report;
  return {
    localReportId,
    reportId: sync.reportId ?? null,
    reportUrl: sync.reportUrl ?? null,
    state,
    isSyncWanted,
    finalizedAt: sync.finalizedAt ?? null,
    summary,
    fileCount: result.inventory.fileCount,
    tools: scan.tools ?? [],
    coverageAreas,
    limitations,
    carried: finished.carried,
    redactions: report.redactions,
    warnings: result.warnings,
    sizeBytes: finished.sizeBytes,
    gate: gate ? gateJson(gate) : null,
    failure: failure
      ? { reason: failure.reason, code: failure.code ?? null, message: failure.message }
      : null,
  };
}

export function scanLines(
  scanned: Scanned,
  { colours, columns }: Pick<Terminal, 'colours' | 'columns'>,
  reach: Reach['kind'] | undefined,
): string[] {
  const { report, result, finished } = scanned;
  const { dim, yellow } = colours;
  const { findings, scan } = finished.report;
  const tools = (scan.tools ?? []).map(({ name, version }) => (version ? `${name} ${version}` : name));
  const top = worstFirst(findings).slice(0, TOP_FINDINGS);
  const more = findings.length - top.length;
  const { warnings } = result;
  const limitations = finished.report.limitations.filter((line) => !warnings.includes(line));
  const secrets = report.redactions === 1 ? '1 secret was' : `${report.redactions} secrets were`;
  return [
    ...summaryLines(finished.report, colours),
    ...(top.length === 0 ? [] : ['', ...findingLines(top, colours, columns).map((line) => `  ${line}`)]),
    ...(more > 0 ? [dim(`  and ${more} more: svc finding list`)] : []),
    '',
    dim(`${countOf(result.inventory.fileCount)}, by ${tools.map(safeLine).join(', ') || 'no tool'}`),
    ...limitations.slice(0, WARNINGS_SHOWN).map((line) => dim(`- ${safeLine(line)}`)),
    ...warnings.slice(0, WARNINGS_SHOWN).map((line) => `${yellow('!')} ${safeLine(line)}`),
    ...(report.redactions === 0 ? [] : [`${yellow('!')} ${secrets} taken out of the text`]),
    ...placeLines(scanned, colours, reach),
  ];
}

function placeLines(
  { report, failure }: Scanned,
  { green, yellow, bold }: Colours,
  reach: Reach['kind'] | undefined,
): string[] {
  const { localReportId, state, sync } = report;
  const address = safeLine(sync.reportUrl ?? '');
  if (state === 'synced') return [`${green('✓')} Synced: ${bold(address)}`];
  if (failure) return [`${yellow('!')} Not synced, and kept on this machine: ${localReportId}`];
  const next = {
    unlinked: '. To sync it: svc login, then svc sync',
    unbound: '. To sync it: svc init, then svc sync',
    foreign: '. To sync it: svc init --accept-binding, then svc sync',
  };
  const hint = reach === 'unlinked' || reach === 'unbound' || reach === 'foreign' ? next[reach] : '';
  return [`${green('✓')} Kept on this machine: ${localReportId}${hint}`];
}

function countOf(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
