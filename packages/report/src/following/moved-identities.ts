/**
 * Identities that have changed in a new report. What was known of the former identity passes to the current one, once
 * and completely. A finding that the report still contains under its former identity keeps it.
 */
import type { MovedIdentity } from '@svc/contract';

/**
 * @param present the identities of the report
 * @returns for identities of the report the former ones, in the order in which they were given.
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
 * The only former identity of which something is known. Undefined with several, since it is unknown which one is right.
 */
export function predecessorAmong<Identity>(
  formers: readonly Identity[],
  isKnown: (identity: Identity) => boolean,
): Identity | undefined {
  const [predecessor, another] = formers.filter(isKnown);
  return another === undefined ? predecessor : undefined;
}
