/** Applies filters and counts facet values. */
import type { FindingTotals } from '@svc/contract';
import { facetNames, type FacetName } from '@svc/contract/facets';
import type { Entry } from './entries.ts';
import type { Filters } from './filters.ts';
import { matchesAll, termsOf } from './search.ts';

/** Counts by value, under all filters except those of the same facet. */
export type Counts = Readonly<Record<FacetName, ReadonlyMap<string, number>>>;

export interface View {
  readonly shown: readonly Entry[];
  readonly counts: Counts;
  /** The number of all findings. */
  readonly total: number;
  /** Whether any finding has a rule. */
  readonly hasRules: boolean;
}

/**
 * Counts in one pass: a finding excluded by exactly one facet counts for that facet; one excluded by none counts for
 * all.
 */
export function viewOf(entries: readonly Entry[], { query, chosen }: Filters): View {
  const terms = termsOf(query);
  const wanted = facetNames.map((name) => (chosen[name].length > 0 ? new Set(chosen[name]) : undefined));
  const counts = facetNames.map(() => new Map<string, number>());
  const shown: Entry[] = [];
  for (const entry of entries) {
    const keeping = excludedBy(entry, wanted);
    if (keeping === SEVERAL || !matchesAll(entry, terms)) continue;
    if (keeping === NONE) {
      shown.push(entry);
      for (let at = 0; at < counts.length; at += 1) addOne(counts[at], entry.values[at]);
    } else addOne(counts[keeping], entry.values[keeping]);
  }
  const named = Object.fromEntries(facetNames.map((name, at) => [name, counts[at]])) as unknown as Counts;
  return { shown, counts: named, total: entries.length, hasRules: entries.some(hasRule) };
}

const RULE = facetNames.indexOf('rule');

function hasRule({ values }: Entry): boolean {
  return values[RULE] !== undefined;
}

const NONE = -1;
const SEVERAL = -2;

/** The index of the only facet that excludes the entry; `NONE` or `SEVERAL` if it is not exactly one. */
function excludedBy({ values }: Entry, wanted: readonly (ReadonlySet<string> | undefined)[]): number {
  let keeping = NONE;
  for (let at = 0; at < wanted.length; at += 1) {
    const isIncluded = wanted[at]?.has(values[at] ?? '') ?? true;
    if (isIncluded) continue;
    if (keeping !== NONE) return SEVERAL;
    keeping = at;
  }
  return keeping;
}

function addOne(counts: Map<string, number> | undefined, value: string | undefined): void {
  if (value !== undefined) counts?.set(value, (counts.get(value) ?? 0) + 1);
}

/** The unfiltered view while only the first findings are loaded: these findings and the total counts. */
export function firstViewOf(entries: readonly Entry[], { findings, facets }: FindingTotals): View {
  const totals = facetNames.map((name) => [name, new Map(facets[name])] as const);
  const counts = Object.fromEntries(totals) as unknown as Counts;
  return { shown: entries, counts, total: findings, hasRules: facets.rule.length > 0 };
}
