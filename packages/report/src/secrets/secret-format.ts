/**
 * The definition of a secret format, and the two usual shapes: a prefix with a run of characters, and a regular
 * expression.
 */
import type { CharacterSet, ScannedText } from './scanned-text.ts';

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** Set if it differs from the kind of the format. */
  readonly kind?: string;
}

/** At least `length` characters of `set` follow the anchor directly in every secret of the format. */
export interface Follow {
  readonly set: CharacterSet;
  readonly length: number;
}

export interface SecretFormat {
  readonly kind: string;
  /** The other kinds that `locate` may return. */
  readonly otherKinds?: readonly string[];
  /** Literal texts of two or more ASCII characters. Every secret of the format contains one, or is beside one. */
  readonly anchors: readonly string[];
  /** A cheap condition that rules out most positions. An anchor of two characters needs one. */
  readonly follow?: Follow;
  /** The secret part around an anchor at `at`. */
  readonly locate: (scanned: ScannedText, at: number, anchor: string) => SecretSpan | undefined;
}

export interface TokenOptions {
  /** Which runs of the right length are tokens; all of them by default. */
  readonly accepts?: (body: string) => boolean;
  /** What must not directly precede the secret; a letter by default. */
  readonly notAfter?: RegExp;
  /** What must not directly follow the secret. */
  readonly notBefore?: RegExp;
}

const LETTER = /\p{L}/u;
const NOTHING = /(?!)/;
/** How documentation writes a placeholder for a token. */
const PLACEHOLDER = /^[xX-]+$/;

/** A prefix, then `min` to `max` characters of a set. The character after them is not in the set. */
export function token(
  kind: string,
  prefixes: readonly string[],
  set: CharacterSet,
  [min, max]: readonly [min: number, max: number],
  { accepts = () => true, notAfter = LETTER, notBefore = NOTHING }: TokenOptions = {},
): SecretFormat {
  return {
    kind,
    anchors: prefixes,
    follow: { set, length: min },
    locate(scanned, at, prefix) {
      const start = at + prefix.length;
      const end = scanned.runEnd(set, start);
      if (end - start < min || end - start > max || notAfter.test(scanned.characterBefore(at)))
        return undefined;
      if (notBefore.test(scanned.text.charAt(end))) return undefined;
      const body = scanned.text.slice(start, end);
      return !PLACEHOLDER.test(body) && accepts(body) ? { start: at, end } : undefined;
    },
  };
}

interface ExpressionOptions extends TokenOptions {
  readonly follow?: Follow;
  /** How many characters before the anchor the expression is tried, in this order. */
  readonly backs?: readonly number[];
}

/** A sticky expression that matches at the anchor and ends with the secret: its first group, or the whole. */
export function expression(
  kind: string,
  anchors: readonly string[],
  pattern: RegExp,
  {
    accepts = () => true,
    notAfter = LETTER,
    notBefore = NOTHING,
    follow,
    backs = [0],
  }: ExpressionOptions = {},
): SecretFormat {
  return {
    kind,
    anchors,
    ...(follow && { follow }),
    locate(scanned, at) {
      for (const back of backs) {
        const start = at - back;
        if (start < 0 || notAfter.test(scanned.characterBefore(start))) continue;
        pattern.lastIndex = start;
        const match = pattern.exec(scanned.text);
        if (match === null) continue;
        const end = pattern.lastIndex;
        const secret = match[1] ?? match[0];
        if (notBefore.test(scanned.text.charAt(end)) || !accepts(secret)) continue;
        return { start: end - secret.length, end };
      }
      return undefined;
    },
  };
}

export const exactly = (length: number): readonly [number, number] => [length, length];
