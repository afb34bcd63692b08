/** What a reader has narrowed a report down to. */
import { facetNames, type FacetName } from '@svc/contract/reading/facets';

export interface Filters {
  /** As it was typed. */
  readonly query: string;
  /** Of each facet the values that are let through; all of them where none is named. */
  readonly chosen: Readonly<Record<FacetName, readonly string[]>>;
}

export const noFilters: Filters = {
  query: '',
  chosen: { severity: [], verification: [], status: [], category: [], component: [], folder: [] },
};

export function isFiltered({ query, chosen }: Filters): boolean {
  return query.trim() !== '' || facetNames.some((name) => chosen[name].length > 0);
}

export function toggled(filters: Filters, name: FacetName, value: string): Filters {
  const before = filters.chosen[name];
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return { ...filters, chosen: { ...filters.chosen, [name]: after } };
}

export const groupings = ['none', 'category', 'file'] as const;
export type Grouping = (typeof groupings)[number];
