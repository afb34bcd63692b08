/**
 * Identities that have changed in a new report. Everything known about the former identity passes to the current one,
 * once and completely. A finding that the report still contains under its former identity keeps it.
 */
import type { MovedIdentity } from '@svc/contract';

/**
 * @param present the identities of the report
 * @returns the former identities of each identity of the report, in the given order
 */
export function formerIdentities(
  present: ReadonlySet<string>,
  previous: readonly MovedIdentity[],
): Map<string, readonly string[]> {
  const formers = new Map<string, string[]>();
  const taken = new Set(present);
  for (const { from, to } of previous) {
    if (!present.has(to) || taken.has(from)) continue;
    taken.add(from);
    formers.set(to, [...(formers.get(to) ?? []), from]);
  }
  return formers;
}

/**
 * The only former identity about which something is known. Undefined if there is none, or if there are several: it is
 * unknown which is right.
 */
export function predecessorAmong<Identity>(
  formers: readonly Identity[],
  isKnown: (identity: Identity) => boolean,
): Identity | undefined {
  const [predecessor, another] = formers.filter(isKnown);
  return another === undefined ? predecessor : undefined;
}
