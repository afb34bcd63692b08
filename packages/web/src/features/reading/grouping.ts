/** How the list is grouped if the URL does not specify it. */
import type { Grouping } from './filters.ts';
import type { View } from './view.ts';

/** A longer list of findings with rules is grouped by rule. */
const UNGROUPED_MAX = 100;

export function groupingOf(chosen: Grouping | null, view: View): Grouping {
  if (chosen !== null) return chosen;
  return view.total > UNGROUPED_MAX && view.hasRules ? 'rule' : 'none';
}
