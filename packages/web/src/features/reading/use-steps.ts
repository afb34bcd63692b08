/** Moves to the findings before and after the open one, in the order of the groups, whether they are folded or not. */
import { useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import { showRow } from './list-scroller.ts';
import type { Group, Row } from './rows.ts';
import type { AddressState } from './use-address.ts';

type Step = 1 | -1;

export interface Steps {
  /** The position of the open finding from 1; 0 if it is not in the list. */
  readonly at: number;
  readonly count: number;
  readonly go: (by: Step) => void;
}

/** Opening the first finding adds a history entry; moving to the next one replaces it. */
export function useSteps({
  state,
  groups,
  rows,
  list,
  total,
}: {
  readonly state: AddressState;
  readonly groups: readonly Group[];
  readonly rows: readonly Row[];
  readonly list: RefObject<HTMLElement | null>;
  /** The number of findings while only the first are loaded; otherwise null. */
  readonly total: number | null;
}): Steps {
  const { chosen } = state.address;
  const ids = useMemo(() => groups.flatMap((group) => group.ids), [groups]);
  const at = chosen === null ? -1 : ids.indexOf(chosen);
  /** The finding to scroll to once its group is unfolded. */
  const target = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (target.current === null || target.current !== chosen) return;
    target.current = null;
    showRow(list.current, rowAt(rows, chosen));
  }, [chosen, rows, list]);
  /** Steps from a finding to one that has not loaded yet. They are taken once all findings have. */
  const waiting = useRef<{ readonly from: string | null; readonly steps: readonly Step[] } | null>(null);
  function take(steps: readonly Step[]): void {
    let index = at;
    for (const [done, by] of steps.entries()) {
      const next = chosen === null && index === -1 ? 0 : index + by;
      const isLoaded = next < ids.length && (chosen === null || at !== -1);
      if (total !== null && !isLoaded) {
        waiting.current = { from: ids[index] ?? chosen, steps: steps.slice(done) };
        break;
      }
      if (next in ids) index = next;
    }
    const next = ids[index];
    if (next === undefined || next === chosen) return;
    target.current = next;
    if (chosen === null) state.push({ chosen: next });
    else state.replace({ chosen: next });
  }
  function waitingSteps(): readonly Step[] {
    const steps = waiting.current?.from === chosen ? waiting.current.steps : [];
    waiting.current = null;
    return steps;
  }
  useLayoutEffect(() => {
    if (total === null && waiting.current !== null) take(waitingSteps());
  });
  return {
    at: at + 1,
    count: total ?? ids.length,
    go(by) {
      take([...waitingSteps(), by]);
    },
  };
}

/** The index of the finding's row; -1 if it has none. */
export function rowAt(rows: readonly Row[], id: string): number {
  return rows.findIndex(({ kind, key }) => kind === 'finding' && key === id);
}
