/**
 * Finds many literal texts in one pass that reads two characters a step.
 *
 * An anchor is recognized by one pair of characters at an even distance from its start and by one at an odd
 * distance, so one of them is at an even position of the text. The rarest pair of each kind is chosen. A position
 * without such a pair costs one table lookup, whatever the number of anchors. At a position with such a pair, the
 * characters on both sides of the pair rule out most anchors, by one more lookup each.
 */
import type { Follow } from './secret-format.ts';

export interface Anchored<Value> {
  readonly anchor: string;
  /** The weakest condition on what follows the anchor, among all formats with it. */
  readonly follow: Follow | undefined;
  readonly value: Value;
}

export interface Landmark<Value> extends Anchored<Value> {
  /** The distance from the anchor's start to its pair. */
  readonly offset: number;
  /**
   * The bit that stands for the landmark in the tables for the characters beside its pair. In a large group some
   * landmarks share a bit.
   */
  readonly bit: number;
}

export interface AnchorTable<Value> {
  /** For each pair, under `first << 7 | second`: the index of its landmarks in `groups`; 0 if it has none. */
  readonly groupOfPair: Uint16Array;
  readonly groups: readonly (readonly Landmark<Value>[])[];
  /**
   * Under `group << 7 | character` the bits of the landmarks that the character may precede, and those that it may
   * follow. Everything outside ASCII, including the end of the text, counts as `OTHER_CHARACTER`.
   */
  readonly before: Uint8Array;
  readonly behind: Uint8Array;
}

/** Part of no anchor and of no set. */
export const OTHER_CHARACTER = 0;
const CHARACTERS = 1 << 7;
const PAIRS = CHARACTERS * CHARACTERS;
const BITS = 8;

export function anchorTable<Value>(anchors: Iterable<Anchored<Value>>): AnchorTable<Value> {
  const groupOfPair = new Uint16Array(PAIRS);
  const groups: Landmark<Value>[][] = [[]];
  for (const anchored of anchors) {
    for (const parity of [0, 1]) {
      for (const { pair, offset } of pairsFor(anchored, parity)) {
        const group = (groupOfPair[pair] ||= groups.push([]) - 1);
        const landmarks = groups[group] ?? [];
        landmarks.push({ ...anchored, offset, bit: 1 << (landmarks.length % BITS) });
      }
    }
  }
  return { groupOfPair, groups, ...sidesOf(groups) };
}

function sidesOf(groups: readonly (readonly Landmark<unknown>[])[]) {
  const before = new Uint8Array(groups.length * CHARACTERS);
  const behind = new Uint8Array(groups.length * CHARACTERS);
  for (const [group, landmarks] of groups.entries()) {
    const row = group * CHARACTERS;
    for (const { anchor, offset, follow, bit } of landmarks) {
      for (let code = 0; code < CHARACTERS; code += 1) {
        const at = row + code;
        if (mayBeAt(anchor, offset - 1, code)) before[at] = (before[at] ?? 0) | bit;
        if (mayBeAt(anchor, offset + 2, code, follow)) behind[at] = (behind[at] ?? 0) | bit;
      }
    }
  }
  return { before, behind };
}

/** Whether a character may be at this distance from the start of an anchor. */
function mayBeAt(anchor: string, at: number, code: number, follow?: Follow): boolean {
  if (at >= 0 && at < anchor.length) return anchor.charCodeAt(at) === code;
  const behind = at - anchor.length;
  return at < 0 || follow === undefined || behind >= follow.length || follow.set[code] === 1;
}

function pairsFor({ anchor, follow }: Anchored<unknown>, parity: number) {
  const offsets = Array.from({ length: anchor.length - 1 }, (_, offset) => offset).filter(
    (offset) => offset % 2 === parity,
  );
  const [first, ...others] = offsets;
  if (first !== undefined) {
    const offset = others.reduce(
      (best, other) => (frequency(anchor, other) < frequency(anchor, best) ? other : best),
      first,
    );
    return [{ pair: pairCode(anchor.charCodeAt(offset), anchor.charCodeAt(offset + 1)), offset }];
  }
  // An anchor of two characters has no pair at an odd distance: the character after it completes one.
  if (follow === undefined) throw new Error(`The anchor ${anchor} is too short.`);
  return [...follow.set.keys()]
    .filter((code) => follow.set[code] === 1)
    .map((code) => ({ pair: pairCode(anchor.charCodeAt(1), code), offset: 1 }));
}

function pairCode(first: number, second: number): number {
  return (first << 7) | second;
}

/** Most frequent last. Unlisted characters are rarer still. */
const BY_FREQUENCY = '_-:/.zqxjkvbpgwyfmucldhrsnioate';
const rank = (text: string, at: number) => BY_FREQUENCY.indexOf(text.charAt(at)) + 2;

/** How frequent a pair is in prose and code, roughly. */
function frequency(text: string, at: number): number {
  return rank(text, at) * rank(text, at + 1);
}
