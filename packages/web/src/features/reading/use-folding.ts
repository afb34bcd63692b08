/** Which groups of the list are unfolded. Choosing a finding unfolds its group; otherwise only the reader folds. */
import { useState } from 'react';
import type { Grouping } from './filters.ts';
import type { Group } from './rows.ts';
import { toggled } from './use-selection.ts';

export interface Folding {
  /** The keys of the unfolded groups. */
  readonly open: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  readonly foldAll: () => void;
}

const noGroups: ReadonlySet<string> = new Set();

export function useFolding(groups: readonly Group[], grouping: Grouping, chosen: string | null): Folding {
  const [open, setOpen] = useState(noGroups);
  /** What was unfolded last, so that the reader can fold the group again. */
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const wanted = chosen === null || grouping === 'none' ? null : `${grouping} ${chosen}`;
  if (wanted !== unfolded) {
    const key = chosen === null ? undefined : groups.find(({ ids }) => ids.includes(chosen))?.heading?.key;
    if (key !== undefined) setOpen(new Set([...open, key]));
    // A finding that is not loaded or filtered out may appear later.
    if (wanted === null || key !== undefined) setUnfolded(wanted);
  }
  return { open, toggle: (key) => setOpen(toggled(open, key)), foldAll: () => setOpen(noGroups) };
}
