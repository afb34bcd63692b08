/** The rows of the list: findings, or foldable groups of findings. */
import { labelOf } from '@svc/report/reading/labels';
import type { Entry } from './entries.ts';
import type { Grouping } from './filters.ts';

export type Row =
  | { readonly kind: 'finding'; readonly key: string; readonly entry: Entry; readonly number: number }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly name: string;
      readonly count: number;
      readonly isOpen: boolean;
    };

/** A group is at the position of its first finding, so the group with the worst finding comes first. */
export function rowsOf(
  shown: readonly Entry[],
  grouping: Grouping,
  open: ReadonlySet<string>,
): readonly Row[] {
  if (grouping === 'none') return shown.map(findingRow);
  const groups = new Map<string, Entry[]>();
  for (const entry of shown) {
    const key = groupKeyOf(entry, grouping);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  let number = 0;
  return [...groups].flatMap(([key, entries]): Row[] => {
    const isOpen = open.has(key);
    const heading: Row = {
      kind: 'group',
      key,
      name: groupNameOf(key, grouping),
      count: entries.length,
      isOpen,
    };
    return isOpen ? [heading, ...entries.map((entry) => findingRow(entry, number++))] : [heading];
  });
}

function findingRow(entry: Entry, number: number): Row {
  return { kind: 'finding', key: entry.finding.id, entry, number };
}

function groupKeyOf({ finding }: Entry, grouping: Grouping): string {
  return grouping === 'category' ? finding.category : (finding.affected.file ?? '');
}

function groupNameOf(key: string, grouping: Grouping): string {
  if (grouping === 'category') return labelOf(key);
  return key === '' ? 'No file' : key;
}
