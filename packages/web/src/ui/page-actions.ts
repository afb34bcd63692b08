/**
 * What a user can do on the current page. An action is data: the part of the page that owns it registers it while mounted,
 * and the search offers all of them.
 */
import { useLayoutEffect, useRef } from 'react';

export interface PageAction {
  /** What it does, as a verb with its object. */
  readonly label: string;
  readonly run: () => void;
}

const registered = new Set<() => readonly PageAction[]>();

/** The order is that in which the parts of the page appeared. */
export function pageActions(): readonly PageAction[] {
  return [...registered].flatMap((actions) => actions());
}

export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  useLayoutEffect(() => {
    const mine = () => latest.current;
    registered.add(mine);
    return () => void registered.delete(mine);
  }, []);
}
