/** What of a page's state is in its address, so that a link, Back and a new start show the same. */
import { facetNames } from '@svc/contract/reading/facets';
import { groupings, type Filters, type Grouping } from './filters.ts';

export interface Address {
  readonly filters: Filters;
  readonly grouping: Grouping;
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
    grouping: groupings.find((each) => each === params.get('group')) ?? 'none',
    chosen: params.get('finding'),
  };
}

/** With whatever else was in the address. */
export function searchWith(search: string, { filters, grouping, chosen }: Address): string {
  const params = new URLSearchParams(search);
  const put = (name: string, value: string) => {
    if (value === '') params.delete(name);
    else params.set(name, value);
  };
  for (const name of facetNames) put(name, listed(filters.chosen[name]));
  put('q', filters.query);
  put('group', grouping === 'none' ? '' : grouping);
  put('finding', chosen ?? '');
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Values may hold commas themselves. */
function listed(values: readonly string[]): string {
  return values.map((value) => value.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}

function listIn(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  return text.split(',').map((value) => value.replaceAll('%2C', ',').replaceAll('%25', '%'));
}
