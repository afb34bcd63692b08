/**
 * The spellings under which a term is found, as sequences of units: folded UTF-16 units, with one unit for a run of
 * spaces. `Acme Shop`, `acme-shop`, `acme_shop` and `AcmeShop` have the same words, apart from how each was written.
 */
import { folded, isAscii } from '../text/words-in-text.ts';

export const SPACE_UNIT = 32;

const SPACE = /\s/u;
/** A character with its marks, which fold together, or a run of spaces. */
const CLUSTER = /\s+|[^\s]\p{M}*/uy;

/** The end of the cluster that begins at a position. */
function clusterEnd(text: string, at: number): number {
  CLUSTER.lastIndex = at;
  return CLUSTER.test(text) ? CLUSTER.lastIndex : at + 1;
}

/** The same, fast for ASCII. A mark may follow an ASCII character. */
export function characterEnd(text: string, at: number): number {
  const unit = asciiUnits[text.charCodeAt(at)];
  const isAlone = unit !== undefined && unit !== SPACE_UNIT && !(text.charCodeAt(at + 1) >= 128);
  return isAlone ? at + 1 : clusterEnd(text, at);
}

/** A cache, since texts in one language repeat the same few characters. */
const knownClusters = new Map<string, Units>();
const KNOWN_MAX = 10_000;
const KNOWN_LENGTH_MAX = 8;

export type Units = readonly number[];

/** The folded units of the cluster from one position to another. */
export function unitsAt(text: string, at: number, end: number): Units {
  const single = end === at + 1 ? asciiClusters[text.charCodeAt(at)] : undefined;
  return single ?? unitsOfCluster(text.slice(at, end));
}

function unitsOfCluster(cluster: string): Units {
  const known = knownClusters.get(cluster);
  if (known !== undefined) return known;
  const text = SPACE.test(cluster) ? ' ' : folded(cluster);
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  if (knownClusters.size < KNOWN_MAX && cluster.length <= KNOWN_LENGTH_MAX) knownClusters.set(cluster, codes);
  return codes;
}

/** The unit of each ASCII character; a space has the unit of a run of spaces. */
export const asciiUnits: Units = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return SPACE.test(character) ? SPACE_UNIT : folded(character).charCodeAt(0);
});

const asciiClusters: readonly Units[] = asciiUnits.map((unit) => [unit]);

/** A shorter spelling is an ordinary word. */
const SPELLING_LENGTH_MIN = 3;
/** An address has only one spelling. */
const ADDRESS = /:\/\//;
/** Names of variables and files omit apostrophes. */
const APOSTROPHE = /['’]/g;
const WORD_ENDS = /[^\p{L}\p{N}\p{M}]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const DOT_WITHIN = /(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu;
const DOT_OF_NUMBER = /\d\.\d/;

/** More words than a name has in practice. A text can be read in several ways at each join. */
const NAME_WORDS_MAX = 6;

/** A name of several words, of which the first is searched for, and the others are read after it (name-joins.ts). */
export interface JoinedName {
  readonly firstWord: Units;
  readonly words: readonly Units[];
  /** Letters and digits join words only if nothing does. */
  readonly join: 'loose' | 'apart';
}

export interface Spellings {
  readonly spellings: readonly Units[];
  readonly joined: readonly JoinedName[];
}

/** A name as it is written, and its words with any join. Case is ignored. */
export function spellingsOfName(name: string): Spellings {
  const words = wordsOf(name);
  const [firstWord, ...others] = words.map(unitsOf);
  if (firstWord === undefined || others.length === 0 || words.length > NAME_WORDS_MAX)
    return spellingsOfHost(name);
  const join = mayTouch(name) && isLongEnough(words.join('')) ? 'loose' : 'apart';
  return { spellings: [unitsOf(name)], joined: [{ firstWord, words: others, join }] };
}

/** Separators between words; two are escaped as in Markdown. */
const JOINS = [' ', '-', '_', '.', '+', '%20', String.raw`\-`, String.raw`\_`, ''];
const JOINS_APART = JOINS.filter((join) => join !== '');

/**
 * A host as it is written, and its words with each usual separator and without any. Reports have thousands of hosts, so
 * each has a fixed number of spellings.
 */
export function spellingsOfHost(host: string): Spellings {
  const words = wordsOf(host);
  const joins = mayTouch(host) ? JOINS : JOINS_APART;
  const spelled = words.length > 1 ? joins.map((join) => words.join(join)) : [];
  const distinct = new Set([host, ...spelled.filter(isLongEnough)].map(normalized));
  return { spellings: [...distinct].map(unitsOf), joined: [] };
}

function wordsOf(term: string): readonly string[] {
  if (ADDRESS.test(term)) return [];
  const parts = term.replaceAll(APOSTROPHE, '').split(WORD_ENDS);
  return parts.filter((word) => word !== '');
}

/** Without its dots, a version is another number, and a host with short labels is a word. */
function mayTouch(term: string): boolean {
  const dots = term.match(DOT_WITHIN)?.length ?? 0;
  return dots < 2 && !DOT_OF_NUMBER.test(term);
}

function isLongEnough(spelling: string): boolean {
  return [...spelling].length >= SPELLING_LENGTH_MIN;
}

function unitsOf(word: string): Units {
  const text = normalized(word);
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
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
