/**
 * Removes what is nested too deep from JSON text, before it is parsed: recursion over such values overflows the stack.
 * Time is linear, and memory does not depend on the depth.
 */

import { BACKSLASH, QUOTE } from './json-bytes.ts';

/** No reader of a log looks nearly this deep. */
export const NESTING_MAX = 100;

export interface Pruned {
  /** The same bytes if nothing was removed. */
  readonly json: Uint8Array;
  /** The number of values that became `null`. */
  readonly removed: number;
}

/** `[` and `{`, `]` and `}` differ in this bit alone. */
const CURLY = 0x20;
const OPEN = 0x5b;
const CLOSE = 0x5d;

/**
 * @param json valid JSON in UTF-8; invalid JSON stays invalid, unless a removed part contains what is invalid.
 * @param depth how deep the text is within its log.
 */
export function withoutDeepParts(json: Uint8Array, depth = 0): Pruned {
  const cuts: number[] = [];
  let open = depth;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if ((byte & ~CURLY) === OPEN) {
      open += 1;
      if (open === NESTING_MAX + 1) cuts.push(at);
    } else if ((byte & ~CURLY) === CLOSE) {
      if (open === NESTING_MAX + 1) cuts.push(at + 1);
      open -= 1;
    }
  }
  return cuts.length === 0
    ? { json, removed: 0 }
    : { json: withoutCuts(json, cuts), removed: cuts.length / 2 };
}

function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

const NULL = [0x6e, 0x75, 0x6c, 0x6c];

/** @param cuts pairs of start and end, at least two bytes apart: `[]` is shorter than `null`. */
function withoutCuts(json: Uint8Array, cuts: number[]): Uint8Array {
  // An unclosed part extends to the end of the text.
  if (cuts.length % 2 === 1) cuts.push(json.length);
  const kept = new Uint8Array(json.length + cuts.length * NULL.length);
  let length = 0;
  let from = 0;
  for (let index = 0; index < cuts.length; index += 2) {
    const [start = 0, end = 0] = [cuts[index], cuts[index + 1]];
    kept.set(json.subarray(from, start), length);
    length += start - from;
    kept.set(NULL, length);
    length += NULL.length;
    from = end;
  }
  kept.set(json.subarray(from), length);
  return kept.subarray(0, length + json.length - from);
}
