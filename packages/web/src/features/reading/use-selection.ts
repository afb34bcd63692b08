/** The selected findings. A range extends from the previously selected finding to the current one. */
import { useRef, useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string, isRange: boolean) => void;
  readonly set: (ids: readonly string[]) => void;
  /** Selects all the findings, or none of them if all are selected. */
  readonly toggleAll: (ids: readonly string[]) => void;
}

/** @param shown returns the ids in their order on the page. */
export function useSelection(shown: () => readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  return {
    ids,
    toggle(id, isRange) {
      setIds(isRange && last.current !== null ? withRange(ids, shown(), last.current, id) : toggled(ids, id));
      last.current = id;
    },
    set: (next) => setIds(new Set(next)),
    toggleAll(given) {
      const rest = new Set(ids);
      const areAll = given.every((id) => rest.has(id));
      for (const id of given) {
        if (areAll) rest.delete(id);
        else rest.add(id);
      }
      setIds(rest);
    },
  };
}

export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Adds the range to the selection, or only `to` if the other end is no longer shown. */
export function withRange(
  ids: ReadonlySet<string>,
  shown: readonly string[],
  from: string,
  to: string,
): ReadonlySet<string> {
  const ends = [from, to].map((id) => shown.indexOf(id));
  const [start, end] = [Math.min(...ends), Math.max(...ends)];
  if (start === -1) return new Set([...ids, to]);
  return new Set([...ids, ...shown.slice(start, end + 1)]);
}
