// Finds banned words in the prose of a file.
import { bannedWords, type BannedWord } from './banned-words.ts';
import { proseOf } from './prose.ts';

export interface WordFinding {
  readonly line: number;
  readonly word: string;
  readonly advice: string;
}

const SPACE = String.raw`\s+`;
const expressionOf = (phrase: string) => phrase.replaceAll(' ', SPACE);
const patterns = bannedWords.map((banned) => ({
  advice: banned.advice,
  pattern: patternOf(banned),
}));

export function findWords(file: string, text: string): WordFinding[] {
  const prose = proseOf(file, text);
  return patterns
    .flatMap(({ advice, pattern }) => [...prose.matchAll(pattern)].map((match) => ({ advice, match })))
    .toSorted((one, other) => one.match.index - other.match.index)
    .map(({ advice, match }) => ({
      line: prose.slice(0, match.index).split('\n').length,
      word: match[0].replaceAll(/\s+/g, ' '),
      advice,
    }));
}

/** The whole word only, and not where an allowed phrase contains it. */
function patternOf({ word, allowed = [] }: BannedWord): RegExp {
  const exceptions = allowed.map((phrase) => {
    const at = new RegExp(`\\b(?:${word})\\b`, 'i').exec(phrase);
    if (at === null) throw new Error(`The allowed phrase "${phrase}" does not contain "${word}".`);
    const before = expressionOf(phrase.slice(0, at.index));
    const rest = expressionOf(phrase.slice(at.index));
    return `(?!(?<=${before})${rest}\\b)`;
  });
  return new RegExp(`(?<![\\w-])${exceptions.join('')}(?:${expressionOf(word)})(?![\\w-])`, 'gi');
}
