/** The rows of the list: findings, or foldable groups of findings. */
import type { RuleGroup, Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { labelOf } from '@svc/report/reading/labels';
import { ruleGroupsOf, ruleKeyOf } from '@svc/report/reading/rule-groups';
import type { Entry } from './entries.ts';
import type { Grouping } from './filters.ts';

export type Row =
  | { readonly kind: 'finding'; readonly key: string; readonly entry: Entry; readonly number: number }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly name: string;
      /** A second name, such as the rule beside the common title. */
      readonly detail: string;
      /** The highest severity in the group. */
      readonly severity: Severity;
      readonly count: number;
      readonly isOpen: boolean;
      /** The findings in it; null until they are loaded. */
      readonly ids: readonly string[] | null;
    };

/**
 * A group is at the position of its first finding. So by default, the group with the worst finding comes first. Groups
 * by rule have an order of their own, which is known before the findings are loaded.
 */
export function rowsOf(
  shown: readonly Entry[],
  grouping: Grouping,
  open: ReadonlySet<string>,
): readonly Row[] {
  if (grouping === 'none') return shown.map(findingRow);
  const groups = new Map<string, Entry[]>();
  for (const entry of shown) {
    const key = keyOf[grouping](entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  let number = 0;
  const byRule = grouping === 'rule' ? ruleGroupsOf(shown.map(({ finding }) => finding)) : null;
  const keys = byRule?.map(({ key }) => key) ?? [...groups.keys()];
  return keys.flatMap((key, at): Row[] => {
    const entries = groups.get(key) ?? [];
    const isOpen = open.has(key);
    const ids = entries.map(({ finding }) => finding.id);
    const group = byRule?.[at];
    const heading: Row = group
      ? { ...ruleRow(group), isOpen, ids }
      : {
          kind: 'group',
          key,
          name: groupNameOf(key, grouping),
          detail: '',
          severity: highestSeverityOf(entries),
          count: entries.length,
          isOpen,
          ids,
        };
    return isOpen ? [heading, ...entries.map((entry) => findingRow(entry, number++))] : [heading];
  });
}

/** The groups by rule while only the first findings are loaded. */
export function ruleRowsOf(rules: readonly RuleGroup[]): readonly Row[] {
  return rules.map(ruleRow);
}

function ruleRow({ key, name, title, severity, count }: RuleGroup) {
  return {
    kind: 'group',
    key,
    name: title ?? name,
    detail: title === null ? '' : name,
    severity,
    count,
    isOpen: false,
    ids: null,
  } as const;
}

function findingRow(entry: Entry, number: number): Row {
  return { kind: 'finding', key: entry.finding.id, entry, number };
}

const keyOf: Readonly<Record<Exclude<Grouping, 'none'>, (entry: Entry) => string>> = {
  severity: ({ finding }) => finding.severity,
  status: ({ finding }) => finding.status ?? 'open',
  rule: ({ finding }) => ruleKeyOf(finding),
  category: ({ finding }) => finding.category,
  file: ({ finding }) => finding.affected.file ?? '',
};

function highestSeverityOf(entries: readonly Entry[]): Severity {
  return (
    severities.find((severity) => entries.some(({ finding }) => finding.severity === severity)) ?? 'info'
  );
}

function groupNameOf(key: string, grouping: Grouping): string {
  if (grouping === 'file' || grouping === 'rule') return key === '' ? 'No file' : key;
  return labelOf(key);
}
