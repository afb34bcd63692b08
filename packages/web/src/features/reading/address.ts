/** The page state in the URL, so that links, Back and reload restore it. */
import { facetNames } from '@svc/contract/facets';
import { groupings, type Filters, type Grouping } from './filters.ts';
import { sortingIn, sortingText, type Sorting } from './sorting.ts';

export interface Address {
  readonly filters: Filters;
  /** Null for the default, which depends on the report. */
  readonly grouping: Grouping | null;
  readonly sorting: Sorting;
  /** The id of the finding that is open. */
  readonly chosen: string | null;
}

export function addressIn(search: string): Address {
  const params = new URLSearchParams(search);
  const chosen = Object.fromEntries(
    facetNames.map((name) => [name, listIn(params.get(name))]),
  ) as unknown as Filters['chosen'];
  return {
    filters: { query: params.get('q') ?? '', chosen },
    grouping: groupings.find((each) => each === params.get('group')) ?? null,
    sorting: sortingIn(params.get('sort')),
    chosen: params.get('finding'),
  };
}

/** Keeps the other search parameters. */
export function searchWith(search: string, { filters, grouping, sorting, chosen }: Address): string {
  const params = new URLSearchParams(search);
  const put = (name: string, value: string) => {
    if (value === '') params.delete(name);
    else params.set(name, value);
  };
  for (const name of facetNames) put(name, listed(filters.chosen[name]));
  put('q', filters.query);
  put('group', grouping ?? '');
  put('sort', sortingText(sorting));
  put('finding', chosen ?? '');
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Joins the values with commas. Commas and percent signs within them are escaped. */
function listed(values: readonly string[]): string {
  return values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}

function listIn(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  return text.split(',').map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'));
}
