/** Groups findings by their rule, or by their category if they have none. */
import type { ProjectedFinding, RuleGroup } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { labelOf } from './labels.ts';
import { ruleIn } from './tags.ts';

type Grouped = Pick<ProjectedFinding, 'category' | 'severity' | 'tags' | 'title'>;

export function ruleKeyOf({ tags, category }: Pick<Grouped, 'category' | 'tags'>): string {
  const rule = ruleIn(tags);
  return rule === undefined ? `category ${category}` : `rule ${rule}`;
}

/** The group with the most severe finding first; among equals the largest. */
export function ruleGroupsOf(findings: readonly Grouped[]): readonly RuleGroup[] {
  const groups = new Map<string, { first: Grouped; severity: number; count: number; isOneTitle: boolean }>();
  for (const finding of findings) {
    const key = ruleKeyOf(finding);
    const severity = severities.indexOf(finding.severity);
    const group = groups.get(key);
    if (group) {
      group.count += 1;
      group.severity = Math.min(group.severity, severity);
      group.isOneTitle &&= finding.title === group.first.title;
    } else groups.set(key, { first: finding, severity, count: 1, isOneTitle: true });
  }
  return [...groups]
    .toSorted(
      ([oneKey, one], [otherKey, other]) =>
        one.severity - other.severity || other.count - one.count || (oneKey < otherKey ? -1 : 1),
    )
    .map(([key, { first, severity, count, isOneTitle }]) => ({
      key,
      name: ruleIn(first.tags) ?? labelOf(first.category),
      title: isOneTitle ? first.title : null,
      severity: severities[severity] ?? 'info',
      count,
    }));
}
