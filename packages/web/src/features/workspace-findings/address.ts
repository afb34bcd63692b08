/** What the URL of the page holds: search, order, groups, the filter for new findings, and the view. */
import type { FindingSort } from '@svc/contract';
import { findingSorts } from '@svc/contract/enums';

export const groupings = ['title', 'project', 'severity'] as const;
export type Grouping = (typeof groupings)[number];

export interface FindingsSearch {
  readonly q?: string;
  readonly sort?: FindingSort;
  readonly group?: Grouping;
  /** Only findings since the previous visit. */
  readonly only?: 'new';
  readonly view?: 'trends';
}

/** Changes parts of the search; undefined removes a part. */
export type ChangeSearch = (changed: {
  readonly [Name in keyof FindingsSearch]?: FindingsSearch[Name] | undefined;
}) => void;

/** The valid parts of a search in the URL, without defaults. */
export function findingsSearchIn({ q, sort, group, only, view }: Record<string, unknown>): FindingsSearch {
  const known = <Value extends string>(values: readonly Value[], value: unknown) =>
    values.find((each) => each === value);
  const order = known(findingSorts, sort);
  const grouping = known(groupings, group);
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(order !== undefined && order !== 'severity' ? { sort: order } : {}),
    ...(grouping === undefined ? {} : { group: grouping }),
    ...(only === 'new' ? { only } : {}),
    ...(view === 'trends' ? { view } : {}),
  };
}
