// The words that `npm run check` rejects in comments, strings and documents, each with what to say instead.
// docs/GLOSSARY.md has the term for each thing of the product.

export interface BannedWord {
  /**
   * A word or a phrase. Case and line breaks don't count. `(…)` and `|` mean what they mean in a regular expression.
   */
  readonly word: string;
  readonly advice: string;
  /** Phrases in which the word is right. */
  readonly allowed?: readonly string[];
}

export const bannedWords: readonly BannedWord[] = [
  // Literary and archaic words.
  { word: 'anew', advice: 'again' },
  { word: 'hence(forth)?', advice: 'so, or from now on' },
  { word: 'thereby|therein|thereof|thereupon|wherein|whereupon|whence', advice: 'a sentence of its own' },
  { word: 'hitherto|heretofore', advice: 'until now' },
  { word: 'whoever|whomever|whosoever', advice: 'anyone who, or name who acts' },
  { word: "nobody[’']s", advice: 'no …, or without an owner' },
  { word: 'leavings|leftovers?', advice: 'orphans, or remaining files' },
  { word: 'doomed', advice: 'pending deletion' },
  { word: 'told', advice: 'reported, logged or returned, and by what' },
  { word: '(tells|telling) (of|on)', advice: 'reports, logs or reveals' },
  { word: 'mend(s|ed|ing)?', advice: 'fix', allowed: ['blackduck mend whitesource'] },
  { word: 'at once', advice: 'immediately, or at the same time' },
  { word: 'by (itself|themselves)', advice: 'automatically, or alone' },
  { word: 'can not', advice: 'cannot; in the product can’t' },
  { word: 'for ever', advice: 'forever' },
  { word: 'for good', advice: 'permanently' },
  { word: 'likewise', advice: 'also, or the same' },
  { word: 'lest|albeit|forthwith|amidst|amongst|thrice|nought', advice: 'a modern word' },
  { word: 'word for word', advice: 'verbatim' },
  { word: 'all the same', advice: 'anyway, or still' },
  { word: 'bears|bearing', advice: 'has' },
  { word: '(see|sees|saw|seen) to (it|both|that)', advice: 'makes sure' },
  { word: '(go|goes|went|going) on', advice: 'continue', allowed: ['what goes on'] },
  {
    word: '(hand|hands|handed|handing) (it |them )?on',
    advice: 'share, serve or pass',
    allowed: ['by hand on'],
  },
  { word: 'stumbles?( over)?', advice: 'fail on' },
  // Riddles.
  { word: 'that (is|are) none', advice: 'name what it is: an unknown address, an invalid version' },
  { word: 'that there (is|are)', advice: 'existing' },
  { word: 'is none', advice: 'does not exist, or is not valid', allowed: ['there is none'] },
  { word: 'there is nobody', advice: 'say what is missing: no terminal, no account' },
  { word: 'time (is|was) over', advice: 'has expired' },
  { word: '(as it stands|as they stand)', advice: 'unchanged, or as is' },
  // One term for each thing.
  {
    word: 'refus(e|es|ed|ing|als?)',
    advice: 'reject (input) or deny (permission)',
    allowed: ['connection refused', 'refused connection', 'refuses connections'],
  },
  {
    word: 'amend(s|ed|ments?)?',
    advice: 'triage decision; in code overlay',
  },
  { word: 'fixed lists?', advice: 'enum values' },
  { word: 'turns? of the (event )?loop', advice: 'tick' },
  { word: '[0-9]+ letters', advice: 'characters', allowed: ['128 letters, digits, hyphens'] },
  { word: 'makes? (an?|the) (account|report|share|link|project|workspace|record|folder)', advice: 'create' },
  { word: 'texts? of reports?|report texts?', advice: 'report body, or blob' },
  { word: 'administrators? of the platform', advice: 'platform administrator' },
];

/** Files that quote banned words to define or to test them. */
export const exemptFiles: readonly string[] = [
  'scripts/words/banned-words.ts',
  'scripts/words/words.test.ts',
];
