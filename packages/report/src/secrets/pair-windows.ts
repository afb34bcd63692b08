/**
 * A filter that runs over the bytes before the landmarks of anchors (anchor-table.ts) are checked. It looks for each
 * landmark's pair together with the pair before or after it.
 *
 * These windows of four characters are distributed over a few buckets. An entry for each pair says in which buckets it
 * may be the first of the two, and in which the second. One lookup a step and one comparison with the last step then
 * rule out nearly every position. The comparison nearly always has the same outcome, so the processor predicts it well.
 */
import type { Landmark } from './anchor-table.ts';

const BUCKETS = 15;
/** The second pair's buckets are in the bits above those of the first. */
export const SECOND_SHIFT = BUCKETS;
export const FIRST_MASK = (1 << BUCKETS) - 1;

const BYTES = 1 << 8;
const PAIRS = BYTES * BYTES;
const isLittleEndian = new Uint16Array(Uint8Array.of(1, 0).buffer)[0] === 1;

/** The number of a pair, as the processor reads it from two bytes. */
function pairNumber(first: number, second: number): number {
  return isLittleEndian ? first | (second << 8) : (first << 8) | second;
}

/** The characters that may be at a position. */
interface Choice {
  readonly id: number;
  readonly codes: readonly number[];
  /** The approximate share of these characters in a text. */
  readonly share: number;
}
type Pair = readonly [Choice, Choice];

interface Window {
  readonly first: Pair;
  readonly second: Pair;
}

const ids = { next: 0 };
function choiceOf(codes: readonly number[], share: number): Choice {
  ids.next += 1;
  return { id: ids.next, codes, share };
}

/** Most frequent last. */
const BY_FREQUENCY = 'zqxjkvbpgwyfmucldhrsnioate ';
const OTHER_SHARE = 0.004;
function shareOf(code: number): number {
  const rank = BY_FREQUENCY.indexOf(String.fromCharCode(code));
  return rank < 0 ? OTHER_SHARE : (rank + 1) * 0.0025;
}

const any = choiceOf([...Array(BYTES).keys()], 1);
const single = any.codes.slice(0, 128).map((code) => choiceOf([code], shareOf(code)));
const bySet = new Map<Uint8Array, Choice>();
function memberOf(set: Uint8Array): Choice {
  let choice = bySet.get(set);
  if (!choice) {
    const codes = [...set.keys()].filter((code) => set[code] === 1);
    choice = choiceOf(
      codes,
      codes.reduce((sum, code) => sum + shareOf(code), 0),
    );
    bySet.set(set, choice);
  }
  return choice;
}

/** An entry for each pair of bytes, under its `pairNumber`. */
export function pairWindows(landmarks: readonly Landmark<unknown>[]): Int32Array {
  const entries = new Int32Array(PAIRS);
  const buckets = Array.from({ length: BUCKETS }, () => ({ first: newSide(), second: newSide() }));
  for (const window of landmarks.map(rarestWindow).toSorted((one, other) => share(other) - share(one))) {
    const number = bestBucket(buckets, window);
    const bucket = buckets[number];
    if (bucket && join(bucket.first, window.first)) mark(entries, window.first, 1 << number);
    if (bucket && join(bucket.second, window.second))
      mark(entries, window.second, 1 << (number + SECOND_SHIFT));
  }
  return entries;
}

/** The pairs in a bucket, as the first of two or as the second. */
interface Side {
  readonly pairs: Set<number>;
  share: number;
}

function newSide(): Side {
  return { pairs: new Set(), share: 0 };
}

const shareOfPair = ([one, other]: Pair) => one.share * other.share;
const share = ({ first, second }: Window) => shareOfPair(first) * shareOfPair(second);
const nameOf = ([one, other]: Pair) => one.id * 1000 + other.id;

/** Adds a pair to one side of a bucket; false if the pair is already there. */
function join(side: Side, pair: Pair): boolean {
  if (side.pairs.has(nameOf(pair))) return false;
  side.pairs.add(nameOf(pair));
  side.share += shareOfPair(pair);
  return true;
}

/** The number of the bucket in which a window causes the fewest false alarms. */
function bestBucket(buckets: readonly ByPlace[], { first, second }: Window): number {
  const [firstName, secondName] = [nameOf(first), nameOf(second)];
  let best = 0;
  let leastAdded = Infinity;
  for (const [number, bucket] of buckets.entries()) {
    const one = bucket.first.share + (bucket.first.pairs.has(firstName) ? 0 : shareOfPair(first));
    const other = bucket.second.share + (bucket.second.pairs.has(secondName) ? 0 : shareOfPair(second));
    const added = one * other - bucket.first.share * bucket.second.share;
    if (added < leastAdded) [best, leastAdded] = [number, added];
  }
  return best;
}

interface ByPlace {
  readonly first: Side;
  readonly second: Side;
}

/** The rarer of two windows: the one with the landmark's pair as the first, and the one with it as the second. */
function rarestWindow(landmark: Landmark<unknown>): Window {
  const [ahead, around] = [windowAt(landmark, landmark.offset), windowAt(landmark, landmark.offset - 2)];
  return share(ahead) <= share(around) ? ahead : around;
}

function windowAt({ anchor, follow }: Landmark<unknown>, start: number): Window {
  const at = (place: number): Choice => {
    if (place >= 0 && place < anchor.length) return single[anchor.charCodeAt(place)] ?? any;
    const behind = place - anchor.length;
    return place < 0 || follow === undefined || behind >= follow.length ? any : memberOf(follow.set);
  };
  return { first: [at(start), at(start + 1)], second: [at(start + 2), at(start + 3)] };
}

function mark(entries: Int32Array, [ones, others]: Pair, bit: number): void {
  for (const one of ones.codes) {
    for (const other of others.codes) {
      const pair = pairNumber(one, other);
      entries[pair] = (entries[pair] ?? 0) | bit;
    }
  }
}
