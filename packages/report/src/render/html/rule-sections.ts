/** Groups findings by their rule, or by their category if they have none. */
import type { ProjectedFinding } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { labelOf } from '../../reading/labels.ts';
import { ruleIn } from '../../reading/tags.ts';

export interface RuleSection {
  readonly name: string;
  /** Whether the name is the id of a rule, which is shown as code. */
  readonly isRule: boolean;
  readonly findings: readonly ProjectedFinding[];
}

/** Groups ordered by their worst finding, then by size, largest first. Findings keep their order within a group. */
export function ruleSectionsOf(findings: readonly ProjectedFinding[]): RuleSection[] {
  const byRule = Map.groupBy(findings, ({ tags, category }) => {
    const rule = ruleIn(tags);
    return rule === undefined ? `category ${category}` : `rule ${rule}`;
  });
  return [...byRule]
    .map(([key, of]) => {
      const isRule = key.startsWith('rule ');
      const name = key.slice(key.indexOf(' ') + 1);
      return { name: isRule ? name : labelOf(name), isRule, findings: of };
    })
    .toSorted((one, other) => worstOf(one) - worstOf(other) || other.findings.length - one.findings.length);
}

function worstOf({ findings }: RuleSection): number {
  return Math.min(...findings.map(({ severity }) => severities.indexOf(severity)));
}
