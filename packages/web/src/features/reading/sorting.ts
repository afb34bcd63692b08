/** The order of the list. */
import { severities, findingStatuses, verifications } from '@svc/contract/enums';
import type { Entry } from './entries.ts';

export const columns = ['severity', 'title', 'status', 'location', 'verification'] as const;
export type Column = (typeof columns)[number];

export interface Sorting {
  readonly column: Column;
  readonly isReversed: boolean;
}

/** The order in which the entries are given: most severe first. */
export const defaultSorting: Sorting = { column: 'severity', isReversed: false };

function isDefault({ column, isReversed }: Sorting): boolean {
  return column === defaultSorting.column && !isReversed;
}

/** `location` or `-location`; an empty text is the default. */
export function sortingIn(text: string | null): Sorting {
  const isReversed = text?.startsWith('-') === true;
  const name = isReversed ? text.slice(1) : text;
  const column = columns.find((each) => each === name);
  return column === undefined ? defaultSorting : { column, isReversed };
}

export function sortingText(sorting: Sorting): string {
  return isDefault(sorting) ? '' : `${sorting.isReversed ? '-' : ''}${sorting.column}`;
}

const keyOf: Readonly<Record<Column, (entry: Entry) => number | string>> = {
  severity: ({ finding }) => severities.indexOf(finding.severity),
  title: ({ finding }) => finding.title.toLowerCase(),
  status: ({ finding }) => findingStatuses.indexOf(finding.status ?? 'open'),
  location: ({ place }) => place.toLowerCase(),
  verification: ({ finding }) => verifications.indexOf(finding.verification),
};

/** Equal entries keep their order. */
export function sorted(entries: readonly Entry[], sorting: Sorting): readonly Entry[] {
  if (isDefault(sorting)) return entries;
  const { column, isReversed } = sorting;
  const sign = isReversed ? -1 : 1;
  return entries
    .map((entry) => ({ entry, key: keyOf[column](entry) }))
    .toSorted((one, other) => (one.key < other.key ? -sign : one.key > other.key ? sign : 0))
    .map(({ entry }) => entry);
}
