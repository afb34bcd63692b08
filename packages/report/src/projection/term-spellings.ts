/**
 * The spellings under which a term is found, as sequences of units: folded UTF-16 units, with one unit for a run of
 * spaces. `Acme Shop`, `acme-shop`, `acme_shop` and `AcmeShop` have the same spellings, apart from how each was
 * written.
 */
import { folded, isAscii } from '../text/words-in-text.ts';

export const SPACE_UNIT = 32;

const SPACE = /\s/u;
/** A character with its marks, which fold together, or a run of spaces. */
const CLUSTER = /\s+|[^\s]\p{M}*/uy;

/** The end of the cluster that begins at a position. */
export function clusterEnd(text: string, at: number): number {
  CLUSTER.lastIndex = at;
  return CLUSTER.test(text) ? CLUSTER.lastIndex : at + 1;
}

/** A cache, since texts in one language repeat the same few characters. */
const knownClusters = new Map<string, readonly number[]>();
const KNOWN_MAX = 10_000;
const KNOWN_LENGTH_MAX = 8;

/** The folded units of a cluster. */
export function unitsOfCluster(cluster: string): readonly number[] {
  const known = knownClusters.get(cluster);
  if (known !== undefined) return known;
  const text = SPACE.test(cluster) ? ' ' : folded(cluster);
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  if (knownClusters.size < KNOWN_MAX && cluster.length <= KNOWN_LENGTH_MAX) knownClusters.set(cluster, codes);
  return codes;
}

/** The unit of each ASCII character; a space has the unit of a run of spaces. */
export const asciiUnits: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return SPACE.test(character) ? SPACE_UNIT : folded(character).charCodeAt(0);
});

/** A shorter spelling is an ordinary word. */
const SPELLING_LENGTH_MIN = 3;
/** An address has only one spelling. */
const ADDRESS = /:\/\//;
/** Names of variables and files omit apostrophes. */
const APOSTROPHE = /['’]/g;
const WORD_ENDS = /[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const DOT_WITHIN = /(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu;
const DOT_OF_NUMBER = /\d\.\d/;

/** Separators between words; two are escaped as in Markdown. */
const JOINS = [' ', '-', '_', '.', '+', '%20', String.raw`\-`, String.raw`\_`, ''];
/** Without its dots, a version is another number, and a host with short labels is a word. */
const JOINS_OF_DOTTED = JOINS.filter((join) => join !== '');

/** A term as it is written, and its words with each separator and without any. Case is ignored. */
export function spellingsOf(term: string): readonly (readonly number[])[] {
  const words = ADDRESS.test(term)
    ? []
    : term
        .replaceAll(APOSTROPHE, '')
        .split(WORD_ENDS)
        .filter((word) => word !== '');
  const dots = term.match(DOT_WITHIN)?.length ?? 0;
  const joins = dots > 1 || DOT_OF_NUMBER.test(term) ? JOINS_OF_DOTTED : JOINS;
  const spelled = words.length > 1 ? joins.map((join) => words.join(join)) : [];
  const longEnough = spelled.filter((text) => [...text].length >= SPELLING_LENGTH_MIN);
  const distinct = new Set([term, ...longEnough].map(normalized));
  return [...distinct].map((text) => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
}

/** The text folded, with one space for a run of spaces. */
function normalized(text: string): string {
  if (isAscii(text)) return text.toUpperCase().replaceAll(/\s+/g, ' ');
  let normal = '';
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = clusterEnd(text, at);
    normal += String.fromCharCode(...unitsOfCluster(text.slice(at, end)));
  }
  return normal;
}
