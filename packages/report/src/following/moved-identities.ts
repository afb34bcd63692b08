/**
 * Identities that have changed in a new report. Everything known about the earlier identity passes to the current one,
 * once and completely. A finding that the report still contains under its earlier identity keeps it.
 */
import type { MovedIdentity } from '@svc/contract';

/**
 * @param present the identities of the report
 * @returns the earlier identities of each identity of the report, in the given order
 */
export function earlierIdentities(
  present: ReadonlySet<string>,
  previous: readonly MovedIdentity[],
): Map<string, readonly string[]> {
  const earlier = new Map<string, string[]>();
  const taken = new Set(present);
  for (const { from, to } of previous) {
    if (!present.has(to) || taken.has(from)) continue;
    taken.add(from);
    earlier.set(to, [...(earlier.get(to) ?? []), from]);
  }
  return earlier;
}

/**
 * The only earlier identity about which something is known. Undefined if there is none, or if there are several: it is
 * unknown which is right.
 */
export function predecessorAmong<Identity>(
  earlier: readonly Identity[],
  isKnown: (identity: Identity) => boolean,
): Identity | undefined {
  const [predecessor, another] = earlier.filter(isKnown);
  return another === undefined ? predecessor : undefined;
}
