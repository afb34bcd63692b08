/**
 * What is typed into the search: words that a finding has to hold, all of them, and `severity:high -category:x path:src/` as
 * people know it from code hosts. A hyphen before a term takes away what it matches; quotes keep words together.
 */
import { facetNames } from '@svc/contract/reading/facets';
import { textOf, type Entry } from './entries.ts';

export interface Term {
  readonly isExcluded: boolean;
  readonly matches: (entry: Entry) => boolean;
}

const TERM = /(-?)(?:([a-z]{2,12}):)?(?:"([^"]*)"?|(\S*))/gi;

export function termsOf(query: string): readonly Term[] {
  return [...query.matchAll(TERM)].flatMap(([, sign, name = '', quoted, bare]) => {
    const value = (quoted ?? bare ?? '').toLowerCase();
    const qualified = value === '' ? undefined : qualifiers.get(name.toLowerCase())?.(value);
    // What names no part of a finding is a word like any other, such as the `https:` of an address.
    const text = name === '' ? value : `${name.toLowerCase()}:${value}`;
    if (value === '' && (name === '' || qualifiers.has(name.toLowerCase()))) return [];
    return [
      { isExcluded: sign === '-', matches: qualified ?? ((entry) => textOf(entry.finding).includes(text)) },
    ];
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

/** Of a few words: the whole word, or one of several with commas between them. */
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
