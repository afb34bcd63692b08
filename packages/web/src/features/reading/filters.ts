/** The filters of a report. */
import { facetNames, type FacetName } from '@svc/contract/facets';

export interface Filters {
  /** The query as typed. */
  readonly query: string;
  /** The selected values of each facet; an empty list selects all. */
  readonly chosen: Readonly<Record<FacetName, readonly string[]>>;
}

export const noFilters: Filters = {
  query: '',
  chosen: {
    severity: [],
    verification: [],
    status: [],
    category: [],
    tool: [],
    rule: [],
    component: [],
    folder: [],
  },
};

export function isFiltered({ query, chosen }: Filters): boolean {
  return query.trim() !== '' || facetNames.some((name) => chosen[name].length > 0);
}

export function toggled(filters: Filters, name: FacetName, value: string): Filters {
  const before = filters.chosen[name];
  const after = before.includes(value) ? before.filter((each) => each !== value) : [...before, value];
  return { ...filters, chosen: { ...filters.chosen, [name]: after } };
}

export const groupings = ['none', 'severity', 'status', 'rule', 'category', 'file'] as const;
export type Grouping = (typeof groupings)[number];
