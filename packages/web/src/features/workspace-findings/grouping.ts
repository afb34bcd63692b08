/** The groups of a list of findings. */
import type { Severity, WorkspaceFinding } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { labelOf } from '@svc/report/reading/labels';
import { visibleLine } from '@svc/report/reading/visible-text';
import type { Grouping } from './address.ts';

export interface FindingGroup {
  readonly key: string;
  readonly name: string;
  /** The highest severity in the group. */
  readonly severity: Severity;
  readonly findings: readonly WorkspaceFinding[];
}

const keyOf: Readonly<Record<Grouping, (finding: WorkspaceFinding) => string>> = {
  // Findings of one rule share its title; the category separates equal titles of different kinds.
  title: ({ title, category }) => `${category} ${title}`,
  project: ({ projectId }) => projectId,
  severity: ({ severity }) => severity,
};

const nameOf: Readonly<Record<Grouping, (finding: WorkspaceFinding) => string>> = {
  title: ({ title }) => visibleLine(title),
  project: ({ projectName }) => visibleLine(projectName),
  severity: ({ severity }) => labelOf(severity),
};

/** A group is at the position of its first finding, but groups by severity begin with the most severe. */
export function groupsOf(findings: readonly WorkspaceFinding[], grouping: Grouping): readonly FindingGroup[] {
  const groups = [...Map.groupBy(findings, keyOf[grouping])].map(([key, of]): FindingGroup => {
    const ranks = of.map(({ severity }) => severities.indexOf(severity));
    const severity = severities[ranks.reduce((worst, rank) => Math.min(worst, rank))] ?? 'info';
    return { key, name: of[0] ? nameOf[grouping](of[0]) : '', severity, findings: of };
  });
  if (grouping !== 'severity') return groups;
  return groups.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}
