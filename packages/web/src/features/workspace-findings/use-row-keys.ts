/** The keys of the list: j and k move the focus over rows and groups, x selects, and Shift x selects a range. */
import type { RefObject } from 'react';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import type { Selection } from '../reading/use-selection.ts';

export function useRowKeys(list: RefObject<HTMLElement | null>, selection: Selection): void {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])];
  /** The focus may be on the row's link, or on its box. */
  function current(): HTMLElement | null {
    const { activeElement } = document;
    if (!activeElement || list.current?.contains(activeElement) !== true) return null;
    return activeElement.closest('li, div')?.querySelector<HTMLElement>('[data-key]') ?? null;
  }
  function go(by: 1 | -1): void {
    const all = rows();
    const focused = current();
    const at = focused === null ? -1 : all.indexOf(focused);
    all[at === -1 ? 0 : at + by]?.focus();
  }
  function select(isRange: boolean): void {
    const { key = '' } = current()?.dataset ?? {};
    if (key !== '') selection.toggle(key, isRange);
  }
  useShortcuts([
    { key: 'j', label: 'Next finding', run: () => go(1) },
    { key: 'k', label: 'Previous finding', run: () => go(-1) },
    { key: 'x', label: 'Select finding', run: () => select(false) },
    { key: 'X', label: 'Select a range of findings', run: () => select(true) },
  ]);
}
