/**
 * The parts of a search, as on code hosts: words, and qualifiers such as `severity:high`. A hyphen excludes a part;
 * quotes keep words together.
 */
export interface SearchToken {
  readonly isExcluded: boolean;
  /** In lower case; empty for a word. */
  readonly name: string;
  /** In lower case; may be empty. */
  readonly value: string;
}

const TOKEN = /(-?)(?:([a-z]{2,12}):)?(?:"([^"]*)"?|(\S*))/gi;

export function searchTokensOf(search: string): readonly SearchToken[] {
  return [...search.matchAll(TOKEN)].map(([, sign, name = '', quoted, bare]) => ({
    isExcluded: sign === '-',
    name: name.toLowerCase(),
    value: (quoted ?? bare ?? '').toLowerCase(),
  }));
}
