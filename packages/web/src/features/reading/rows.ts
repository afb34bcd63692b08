/** The rows of the list: findings, or foldable groups of findings. */
import type { RuleGroup, Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { labelOf } from '@svc/report/reading/labels';
import { ruleGroupsOf, ruleKeyOf } from '@svc/report/reading/rule-groups';
import type { Entry } from './entries.ts';
import type { Grouping } from './filters.ts';

export interface GroupHeading {
  readonly key: string;
  readonly name: string;
  /** A second name, such as the rule beside the common title. */
  readonly detail: string;
  /** The highest severity in the group. */
  readonly severity: Severity;
  readonly count: number;
}

export interface Group {
  /** Null if the list is not grouped. */
  readonly heading: GroupHeading | null;
  readonly entries: readonly Entry[];
  /** The ids of the entries. */
  readonly ids: readonly string[];
}

export type Row =
  | { readonly kind: 'finding'; readonly key: string; readonly entry: Entry }
  | (GroupHeading & {
      readonly kind: 'group';
      readonly isOpen: boolean;
      /** The findings in it; null until they are loaded. */
      readonly ids: readonly string[] | null;
    });

/**
 * A group is at the position of its first finding. So by default, the group with the worst finding comes first. Groups
 * by rule have an order of their own, which is known before the findings are loaded.
 */
export function groupsOf(shown: readonly Entry[], grouping: Grouping): readonly Group[] {
  if (grouping === 'none') return [groupOf(null, shown)];
  const groups = new Map<string, Entry[]>();
  for (const entry of shown) {
    const key = keyOf[grouping](entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  if (grouping === 'rule')
    return ruleGroupsOf(shown.map(({ finding }) => finding)).map((group) =>
      groupOf(ruleHeading(group), groups.get(group.key) ?? []),
    );
  return [...groups].map(([key, entries]) =>
    groupOf(
      {
        key,
        name: groupNameOf(key, grouping),
        detail: '',
        severity: highestSeverityOf(entries),
        count: entries.length,
      },
      entries,
    ),
  );
}

function groupOf(heading: GroupHeading | null, entries: readonly Entry[]): Group {
  return { heading, entries, ids: entries.map(({ finding }) => finding.id) };
}

export function rowsOf(groups: readonly Group[], open: ReadonlySet<string>): readonly Row[] {
  return groups.flatMap(({ heading, entries, ids }): Row[] => {
    if (heading === null) return entries.map(findingRow);
    const isOpen = open.has(heading.key);
    const row: Row = { kind: 'group', ...heading, isOpen, ids };
    return isOpen ? [row, ...entries.map(findingRow)] : [row];
  });
}

/**
 * The groups by rule while only the first findings are loaded. A chosen finding ends the list at its group, which is
 * unfolded when its findings arrive, so that no row moves then.
 */
export function ruleRowsOf(
  rules: readonly RuleGroup[],
  loaded: readonly Entry[],
  chosen: string | null,
): readonly Row[] {
  const rows = rules.map((rule): Row => ({ kind: 'group', ...ruleHeading(rule), isOpen: false, ids: null }));
  if (chosen === null) return rows;
  const entry = loaded.find(({ finding }) => finding.id === chosen);
  return rows.slice(0, entry ? rows.findIndex(({ key }) => key === keyOf.rule(entry)) + 1 : 0);
}

function ruleHeading({ key, name, title, severity, count }: RuleGroup): GroupHeading {
  return { key, name: title ?? name, detail: title === null ? '' : name, severity, count };
}

function findingRow(entry: Entry): Row {
  return { kind: 'finding', key: entry.finding.id, entry };
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
