/**
 * The selected findings of a report, also while only its first findings are loaded. A group whose findings are not
 * loaded is noted by its key, and its findings are selected when they arrive.
 */
import { ruleKeyOf } from '@svc/report/reading/rule-groups';
import { useState } from 'react';
import type { Entry } from './entries.ts';
import { toggled, useSelection, type Selection } from './use-selection.ts';

export interface ReportSelection extends Selection {
  /** The keys of selected groups whose findings are not loaded yet. */
  readonly groups: ReadonlySet<string>;
  readonly toggleGroup: (key: string) => void;
}

const noGroups: ReadonlySet<string> = new Set();

/** @param shown returns the ids in their order on the page. */
export function useReportSelection(
  shown: () => readonly string[],
  entries: readonly Entry[],
  isWhole: boolean,
): ReportSelection {
  const selection = useSelection(shown);
  const [groups, setGroups] = useState(noGroups);
  // Filters may have changed since, so the findings of a group are taken from all.
  if (isWhole && groups.size > 0) {
    setGroups(noGroups);
    selection.set([...selection.ids, ...idsIn(entries, groups)]);
  }
  return { ...selection, groups, toggleGroup: (key) => setGroups(toggled(groups, key)) };
}

function idsIn(entries: readonly Entry[], groups: ReadonlySet<string>): readonly string[] {
  return entries
    .map(({ finding }) => finding)
    .filter((finding) => groups.has(ruleKeyOf(finding)))
    .map(({ id }) => id);
}
