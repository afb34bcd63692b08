/**
 * Finds the places of many literal texts in one pass that reads two characters a step.
 *
 * An anchor is known by one pair of characters at an even distance from its start and by one at an odd distance, so one
 * of them falls on an even place of the text. The pair chosen is the rarest that the anchor has. The work for a place
 * without such a pair is one look into a table, whatever the number of anchors.
 */
import type { Follow } from './secret-format.ts';

export interface Anchored<Value> {
  readonly anchor: string;
  /** Of those who look for the anchor, the weakest condition on what stands behind it. */
  readonly follow: Follow | undefined;
  readonly value: Value;
}

export interface Landmark<Value> extends Anchored<Value> {
  /** From the anchor's start to the pair by which it is known. */
  readonly offset: number;
  /** The rarest other character of the anchor, by its distance from the pair. It rules most places out cheaply. */
  readonly probe: { readonly distance: number; readonly code: number };
}

export interface AnchorTable<Value> {
  /** The number of a pair's group of landmarks under `first << 7 | second`; 0 for pairs that begin nothing. */
  readonly groupOfPair: Uint16Array;
  readonly groups: readonly (readonly Landmark<Value>[])[];
}

const PAIRS = 1 << 14;

export function anchorTable<Value>(anchors: Iterable<Anchored<Value>>): AnchorTable<Value> {
  const groupOfPair = new Uint16Array(PAIRS);
  const groups: Landmark<Value>[][] = [[]];
  for (const anchored of anchors) {
    for (const parity of [0, 1]) {
      for (const { pair, offset } of pairsFor(anchored, parity)) {
        const landmark = { ...anchored, offset, probe: probeFor(anchored.anchor, offset) };
        const group = groupOfPair[pair] ?? 0;
        if (group === 0) groupOfPair[pair] = groups.push([landmark]) - 1;
        else groups[group]?.push(landmark);
      }
    }
  }
  return { groupOfPair, groups };
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
  // An anchor of two characters has no pair at an odd distance: the character behind it completes one.
  if (follow === undefined) throw new Error(`The anchor ${anchor} is too short.`);
  return [...follow.set.keys()]
    .filter((code) => follow.set[code] === 1)
    .map((code) => ({ pair: pairCode(anchor.charCodeAt(1), code), offset: 1 }));
}

function probeFor(anchor: string, offset: number) {
  let best = 0;
  for (let at = 0; at < anchor.length; at += 1) {
    const isInPair = (index: number) => index === offset || index === offset + 1;
    if (!isInPair(at) && (isInPair(best) || rank(anchor, at) < rank(anchor, best))) best = at;
  }
  return { distance: best - offset, code: anchor.charCodeAt(best) };
}

function pairCode(first: number, second: number): number {
  return (first << 7) | second;
}

/** Most frequent last. What is not named is rarer still. */
const BY_FREQUENCY = '_-:/.zqxjkvbpgwyfmucldhrsnioate';
const rank = (text: string, at: number) => BY_FREQUENCY.indexOf(text.charAt(at)) + 2;

/** How frequent a pair is in prose and code, roughly. */
function frequency(text: string, at: number): number {
  return rank(text, at) * rank(text, at + 1);
}
