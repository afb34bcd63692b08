/**
 * Renumbers findings in a share that may leave findings out. Numbers are consecutive, both in ids and in mentions
 * within texts, so that no gap and no mention reveals a hidden finding.
 *
 * A mention is found in any case and with any common hyphen, but only as a separate word: `UTF-8` does not mention
 * `F-8`. Whether a finding with that id exists elsewhere is not considered.
 */
import { isWordAt, isWordBefore } from '../text/words-in-text.ts';

export interface Mention {
  readonly start: number;
  readonly end: number;
  /** The new id; null if the mentioned finding is not one of the remaining findings. */
  readonly becomes: string | null;
}

export interface Renumbering {
  readonly mentions: (text: string) => readonly Mention[];
}

const NEW_PREFIX = 'F';
const DIGITS_MAX = 7;
const HYPHEN = /[-\u2010-\u2013\u2212](?=[0-9])/g;
const NOTHING: readonly Mention[] = [];

/** @param ids of the remaining findings, in order. */
export function renumbering(ids: readonly string[]): Renumbering {
  const newIds = new Map(ids.map((id, index) => [id, newId(index)]));
  const prefixes = new Set([NEW_PREFIX, ...ids.map((id) => id.slice(0, id.indexOf('-')))]);
  // Most hyphens follow words longer than any prefix, and are skipped immediately.
  const lengthMax = [...prefixes].reduce((longest, { length }) => Math.max(longest, length), 0);
  return {
    mentions(text) {
      HYPHEN.lastIndex = 0;
      let hyphen = HYPHEN.exec(text);
      if (hyphen === null) return NOTHING;
      const found: Mention[] = [];
      for (; hyphen !== null; hyphen = HYPHEN.exec(text)) {
        const mention = mentionAround(text, hyphen.index, lengthMax);
        if (mention === null || !prefixes.has(mention.prefix)) continue;
        const { start, end, prefix, digits } = mention;
        found.push({ start, end, becomes: newIds.get(`${prefix}-${digits}`) ?? null });
      }
      return found;
    },
  };
}

export function newId(index: number): string {
  return `${NEW_PREFIX}-${index + 1}`;
}

function mentionAround(text: string, hyphenAt: number, lengthMax: number) {
  let start = hyphenAt;
  while (start > 0 && hyphenAt - start <= lengthMax && isAsciiLetter(text.charCodeAt(start - 1))) start -= 1;
  const length = hyphenAt - start;
  if (length === 0 || length > lengthMax || isWordBefore(text, start)) return null;
  let end = hyphenAt + 1;
  while (end - hyphenAt <= DIGITS_MAX + 1 && isDigit(text.charCodeAt(end))) end += 1;
  if (end - hyphenAt - 1 > DIGITS_MAX || isWordAt(text, end)) return null;
  return {
    start,
    end,
    prefix: text.slice(start, hyphenAt).toUpperCase(),
    digits: text.slice(hyphenAt + 1, end),
  };
}

function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
