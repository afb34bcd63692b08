/** The output of `svc compare`: one JSON value, or lines for people. */
import { statusOf, type Comparison } from '@svc/report';
import { decisionsJson } from '../decisions/decide.ts';
import { findingLines, locationOf, worstFirst } from '../report/finding-lines.ts';
import { gateJson, type Gate } from '../report/gate.ts';
import { localTime } from '../terminal/local-time.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ComparedFinding, ComparisonSide } from './side.ts';

export interface Compared {
  readonly current: ComparisonSide;
  readonly baseline: ComparisonSide | undefined;
  /** Undefined when there is no baseline. */
  readonly comparison: Comparison<ComparedFinding, ComparedFinding> | undefined;
  /** Undefined without a gate. */
  readonly gate: Gate | undefined;
  /** Undefined when no decisions were looked up. */
  readonly decided: Parameters<typeof decisionsJson>[0];
  /** What was left out of the two reports, and what in the lists may be wrong. */
  readonly warnings: readonly string[];
}

const nothing: Comparison<ComparedFinding, ComparedFinding> = {
  new: [],
  fixed: [],
  unknown: [],
  unchanged: [],
  raised: [],
  moves: [],
};

export function comparisonJson({
  current,
  baseline,
  comparison = nothing,
  gate,
  decided,
  warnings,
}: Compared) {
  return {
    current: sideJson(current),
    baseline: baseline ? sideJson(baseline) : null,
    new: comparison.new.map(findingJson),
    fixed: comparison.fixed.map(findingJson),
    unknown: comparison.unknown.map(({ before, reason }) => ({ ...findingJson(before), reason })),
    unchanged: comparison.unchanged.map(findingJson),
    raised: comparison.raised.map(({ before, now }) => ({
      ...findingJson(now),
      severityBefore: before.severity,
    })),
    gate: gate ? gateJson(gate) : null,
    decisions: decisionsJson(decided),
    incomplete: current.incomplete,
    warnings,
  };
}

function sideJson({ localReportId, file, generatedAt, findings }: ComparisonSide) {
  return { localReportId, file, generatedAt, findingCount: findings.length };
}

function findingJson(finding: ComparedFinding) {
  const { id, severity, title, fingerprint, affected } = shownOf(finding);
  return { id, severity, status: statusOf(finding), title, place: locationOf({ affected }), fingerprint };
}

function shownOf(finding: ComparedFinding): ComparedFinding {
  return { ...finding, ...finding.shown };
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
      : findingLines(worstFirst(findings).map(shownOf), colours, columns).map((line) => `  ${line}`)),
  ];
  return [
    dim(`${nameOf(current)} against ${nameOf(baseline)}`),
    '',
    ...section('New', comparison.new),
    ...(comparison.raised.length === 0
      ? []
      : section(
          'More severe',
          comparison.raised.map(({ before, now }) => ({
            ...now,
            shown: { ...shownOf(now), title: `${shownOf(now).title} (was ${before.severity})` },
          })),
        )),
    ...section('Fixed', comparison.fixed),
    ...(comparison.unknown.length === 0
      ? []
      : section(
          'Not seen, and not known to be fixed',
          comparison.unknown.map(({ before, reason }) => ({
            ...before,
            shown: { ...shownOf(before), title: `${shownOf(before).title} (${reason})` },
          })),
        )),
    `${bold('Unchanged')}  ${comparison.unchanged.length}`,
  ];
}

function nameOf({ localReportId, file, generatedAt }: ComparisonSide): string {
  const at = generatedAt === null ? '' : ` of ${localTime(generatedAt)}`;
  return safeLine(`${localReportId ?? file ?? ''}${at}`);
}
