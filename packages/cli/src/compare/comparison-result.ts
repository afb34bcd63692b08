/** What `svc compare` says: as one JSON value, and as lines for people. */
import { statusOf, type Comparison } from '@svc/report';
import { findingLines, placeOf, worstFirst } from '../report/finding-lines.ts';
import { gateJson, type Gate } from '../report/gate.ts';
import { localTime } from '../terminal/local-time.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ComparedFinding, Side } from './side.ts';

export interface Compared {
  readonly current: Side;
  readonly baseline: Side | undefined;
  /** Undefined when there is no baseline. */
  readonly comparison: Comparison<ComparedFinding, ComparedFinding> | undefined;
  /** Undefined when none was asked for. */
  readonly gate: Gate | undefined;
}

const nothing: Comparison<ComparedFinding, ComparedFinding> = { new: [], fixed: [], unchanged: [] };

export function comparisonJson({ current, baseline, comparison = nothing, gate }: Compared) {
  return {
    current: sideJson(current),
    baseline: baseline ? sideJson(baseline) : null,
    new: comparison.new.map(findingJson),
    fixed: comparison.fixed.map(findingJson),
    unchanged: comparison.unchanged.map(findingJson),
    gate: gate ? gateJson(gate) : null,
  };
}

function sideJson({ localReportId, file, generatedAt, findings }: Side) {
  return { localReportId, file, generatedAt, findingCount: findings.length };
}

function findingJson(finding: ComparedFinding) {
  const { id, severity, title, fingerprint } = finding;
  return { id, severity, status: statusOf(finding), title, place: placeOf(finding), fingerprint };
}

export function comparisonLines(
  { current, baseline, comparison }: Compared,
  { colours, columns }: Pick<Terminal, 'colours' | 'columns'>,
): string[] {
  if (baseline === undefined || comparison === undefined) return [];
  const { bold, dim } = colours;
  const section = (title: string, findings: readonly ComparedFinding[]) => [
    `${bold(title)}  ${findings.length}`,
    ...(findings.length === 0
      ? []
      : findingLines(worstFirst(findings), colours, columns).map((line) => `  ${line}`)),
  ];
  return [
    dim(`${nameOf(current)} against ${nameOf(baseline)}`),
    '',
    ...section('New', comparison.new),
    ...section('Not seen any more', comparison.fixed),
    `${bold('Unchanged')}  ${comparison.unchanged.length}`,
  ];
}

function nameOf({ localReportId, file, generatedAt }: Side): string {
  const at = generatedAt === null ? '' : ` of ${localTime(generatedAt)}`;
  return safeLine(`${localReportId ?? file ?? ''}${at}`);
}
