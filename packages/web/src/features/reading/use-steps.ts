/** Moves to the findings before and after the open one. */
import { useMemo, type RefObject } from 'react';
import { showRow } from './list-scroller.ts';
import type { Row } from './rows.ts';
import type { AddressState } from './use-address.ts';

export interface Steps {
  /** The position of the open finding from 1; 0 if it is not in the list. */
  readonly at: number;
  readonly count: number;
  readonly go: (by: 1 | -1) => void;
}

/** Opening the first finding adds a history entry; moving to the next one replaces it. */
export function useSteps({
  state,
  rows,
  list,
}: {
  readonly state: AddressState;
  readonly rows: readonly Row[];
  readonly list: RefObject<HTMLElement | null>;
}): Steps {
  const { chosen } = state.address;
  const ids = useMemo(() => rows.flatMap((row) => (row.kind === 'finding' ? [row.key] : [])), [rows]);
  const at = chosen === null ? -1 : ids.indexOf(chosen);
  return {
    at: at + 1,
    count: ids.length,
    go(by) {
      const next = chosen === null ? ids[0] : ids[at + by];
      if (next === undefined) return;
      if (chosen === null) state.push({ chosen: next });
      else state.replace({ chosen: next });
      const row = rows.findIndex(({ kind, key }) => kind === 'finding' && key === next);
      showRow(list.current, row);
    },
  };
}
