/** Warnings about a comparison: what a side left out, and what it did not scan. */
import type { Comparison } from '@svc/report';
import { safeLine } from '../terminal/safe-text.ts';
import type { ComparedFinding, ComparisonSide } from './side.ts';

/** Sentences about what a side left out, each starting with the name of the side. */
export function warningsOf({ file, localReportId, warnings }: ComparisonSide): string[] {
  return warnings.map((warning) => safeLine(`${file ?? localReportId ?? ''}: ${warning}`));
}

const GAPS_SHOWN = 5;

/** Why findings may be new or gone although the code did not change. */
export function doubtsOf(
  current: ComparisonSide,
  baseline: ComparisonSide,
  comparison: Comparison<ComparedFinding, ComparedFinding>,
): string[] {
  const gaps = [
    ...gapsOf('The baseline', baseline, 'Findings that are listed as new may not be new.'),
    ...gapsOf('The current report', current, 'Findings that it does not contain may not be fixed.'),
  ];
  return [...gaps, ...doubtsOfTools(current, baseline, comparison)];
}

function gapsOf(name: string, { incomplete }: ComparisonSide, consequence: string): string[] {
  if (incomplete.length === 0) return [];
  const more = incomplete.length - GAPS_SHOWN;
  return [
    ...incomplete.slice(0, GAPS_SHOWN).map(({ message }) => safeLine(`${name} is incomplete: ${message}`)),
    ...(more > 0 ? [`${name} has ${more} more gaps.`] : []),
    consequence,
  ];
}

function doubtsOfTools(
  current: ComparisonSide,
  baseline: ComparisonSide,
  { unknown, unchanged }: Comparison<ComparedFinding, ComparedFinding>,
): string[] {
  const isApart = unchanged.length === 0 && current.findings.length > 0 && baseline.findings.length > 0;
  if (isApart)
    return [
      'The reports have no finding in common. Check that they are from the same project, and that neither is from a share link.',
    ];
  const present = new Set(current.tools.map(({ name }) => name));
  const missing = baseline.tools.filter(({ name, findings }) => findings !== 0 && !present.has(name));
  if (unknown.length === 0 || missing.length === 0) return [];
  const names = [...new Set(missing.map(({ name }) => safeLine(name)))].join(', ');
  return [
    `The baseline used ${names}, and this report did not. It is unknown whether the findings of these tools are fixed.`,
  ];
}
