/** The view of a report, computed once per report and filter change. */
import type { FindingTotals, ReportProjection } from '@svc/contract';
import { useEffect, useMemo } from 'react';
import { entriesOf, textOf, type Entry } from './entries.ts';
import { isFiltered, type Filters } from './filters.ts';
import { firstViewOf, viewOf, type View } from './view.ts';

export interface Reading {
  readonly entries: readonly Entry[];
  readonly view: View;
  /** The filters need findings that are not loaded yet. */
  readonly isWaiting: boolean;
}

export function useReading(
  { findings }: ReportProjection,
  { isWhole, totals }: { readonly isWhole: boolean; readonly totals: FindingTotals | null },
  filters: Filters,
): Reading {
  const entries = useMemo(() => entriesOf(findings ?? []), [findings]);
  useWarmTexts(entries, isWhole);
  const isWaiting = !isWhole && isFiltered(filters);
  const view = useMemo(() => {
    if (isWhole || totals === null) return viewOf(entries, filters);
    return firstViewOf(isWaiting ? [] : entries, totals);
  }, [entries, filters, isWhole, totals, isWaiting]);
  return { entries, view, isWaiting };
}

const TEXTS_AT_A_TIME = 100;

/** Prepares the search texts in the background, so that the first keystroke is fast. */
function useWarmTexts(entries: readonly Entry[], isWhole: boolean): void {
  useEffect(() => {
    if (!isWhole) return undefined;
    let at = 0;
    let timer: ReturnType<typeof setTimeout>;
    function next(): void {
      for (const { finding } of entries.slice(at, at + TEXTS_AT_A_TIME)) textOf(finding);
      at += TEXTS_AT_A_TIME;
      if (at < entries.length) timer = setTimeout(next);
    }
    timer = setTimeout(next, 300);
    return () => clearTimeout(timer);
  }, [entries, isWhole]);
}
