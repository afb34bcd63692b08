/** Which findings the filters let through, and what there would be of each value: the one place where a page counts. */
import type { FindingTotals } from '@svc/contract';
import { facetNames, type FacetName } from '@svc/contract/reading/facets';
import type { Entry } from './entries.ts';
import type { Filters } from './filters.ts';
import { matchesAll, termsOf } from './search.ts';

/** By value, under all filters but those of the same facet. */
export type Counts = Readonly<Record<FacetName, ReadonlyMap<string, number>>>;

export interface View {
  readonly shown: readonly Entry[];
  readonly counts: Counts;
  /** Of the whole report. */
  readonly total: number;
}

/** In one pass: a finding that exactly one facet keeps back counts for that facet, one that none keeps back for all. */
export function viewOf(entries: readonly Entry[], { query, chosen }: Filters): View {
  const terms = termsOf(query);
  const wanted = facetNames.map((name) => (chosen[name].length > 0 ? new Set(chosen[name]) : undefined));
  const counts = facetNames.map(() => new Map<string, number>());
  const shown: Entry[] = [];
  for (const entry of entries) {
    const keeping = keptBackBy(entry, wanted);
    if (keeping === SEVERAL || !matchesAll(entry, terms)) continue;
    if (keeping === NONE) {
      shown.push(entry);
      for (let at = 0; at < counts.length; at += 1) addOne(counts[at], entry.values[at]);
    } else addOne(counts[keeping], entry.values[keeping]);
  }
  const named = Object.fromEntries(facetNames.map((name, at) => [name, counts[at]])) as unknown as Counts;
  return { shown, counts: named, total: entries.length };
}

const NONE = -1;
const SEVERAL = -2;

/** The place of the one facet that does not let the entry through. */
function keptBackBy({ values }: Entry, wanted: readonly (ReadonlySet<string> | undefined)[]): number {
  let keeping = NONE;
  for (let at = 0; at < wanted.length; at += 1) {
    const isLetThrough = wanted[at]?.has(values[at] ?? '') ?? true;
    if (isLetThrough) continue;
    if (keeping !== NONE) return SEVERAL;
    keeping = at;
  }
  return keeping;
}

function addOne(counts: Map<string, number> | undefined, value: string | undefined): void {
  if (value !== undefined) counts?.set(value, (counts.get(value) ?? 0) + 1);
}

/** The view of a report of which only the first findings have come: they and the true counts, with no filter. */
export function firstViewOf(entries: readonly Entry[], { findings, facets }: FindingTotals): View {
  const told = facetNames.map((name) => [name, new Map(facets[name])] as const);
  const counts = Object.fromEntries(told) as unknown as Counts;
  return { shown: entries, counts, total: findings };
}
