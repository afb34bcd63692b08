/**
 * Parses the search of a report: terms that must all match, and qualifiers as in `severity:high -path:src/`.
 */
import { facetNames } from '@svc/contract/facets';
import { searchTokensOf } from '../../lib/search-tokens.ts';
import { textOf, type Entry } from './entries.ts';

export interface Term {
  readonly isExcluded: boolean;
  readonly matches: (entry: Entry) => boolean;
}

export function termsOf(query: string): readonly Term[] {
  return searchTokensOf(query).flatMap(({ isExcluded, name, value }) => {
    const qualified = value === '' ? undefined : qualifiers.get(name)?.(value);
    // An unknown qualifier is an ordinary term, such as the `https:` of a URL.
    const text = name === '' ? value : `${name}:${value}`;
    if (value === '' && (name === '' || qualifiers.has(name))) return [];
    return [{ isExcluded, matches: qualified ?? ((entry) => textOf(entry.finding).includes(text)) }];
  });
}

export function matchesAll(entry: Entry, terms: readonly Term[]): boolean {
  return terms.every(({ isExcluded, matches }) => matches(entry) !== isExcluded);
}

type Qualifier = (value: string) => (entry: Entry) => boolean;

const qualifiers: ReadonlyMap<string, Qualifier> = new Map(
  Object.entries<Qualifier>({
    severity: oneOf('severity'),
    verification: oneOf('verification'),
    status: oneOf('status'),
    category: partOf('category'),
    tool: partOf('tool'),
    rule: partOf('rule'),
    component: partOf('component'),
    folder: partOf('folder'),
    path: (value: string) => (entry: Entry) => entry.place.toLowerCase().includes(value),
    id: (value: string) => (entry: Entry) => entry.finding.id.toLowerCase() === value,
    tag: (value: string) => (entry: Entry) =>
      [...(entry.finding.tags ?? []), ...(entry.finding.taxonomy ?? [])].some(
        (tag) => tag.toLowerCase() === value,
      ),
  }),
);

/** Matches an enum: the whole value, or one of several values separated by commas. */
function oneOf(name: (typeof facetNames)[number]): Qualifier {
  const at = facetNames.indexOf(name);
  return (value) => {
    const wanted = new Set(value.replaceAll(/[\s-]/g, '_').split(','));
    return (entry) => wanted.has(entry.values[at] ?? '');
  };
}

function partOf(name: (typeof facetNames)[number]): Qualifier {
  const at = facetNames.indexOf(name);
  return (value) => (entry) => entry.values[at]?.toLowerCase().includes(value) === true;
}
