/** Which other reports of a project have the findings of a report that is about to end. */
import { factsAt, identityKey, snapshotsWithIdentities, type PlacedSnapshot } from '@svc/report';
import type { Tx } from '#platform/database/database';
import { packedFinders } from './finders-policy.ts';
import { namesAt } from './earlier-identities-policy.ts';
import type { KnownRow } from './identities-store.ts';
import { findKept } from './kept-store.ts';
import { worstOf } from './policy.ts';
import { listNewest } from './reports-store.ts';

const REPORTS_AT_ONCE = 20;

/** A finding as a report has it. */
export type Holding = Pick<KnownRow, 'presentSeverity'> & Partial<Pick<KnownRow, 'tool' | 'areas'>>;

export interface Holder {
  readonly countedAs: number;
  /** The finding as the report has it, for each identity under which the report keeps it present, by `identityKey`. */
  readonly holdings: ReadonlyMap<string, Holding>;
}

/**
 * For each finding, the newest other report that keeps it present.
 * @param rows by `identityKey`, as is the result.
 */
export async function otherHolders(
  tx: Tx,
  ending: { readonly id: string; readonly projectId: string },
  rows: ReadonlyMap<string, KnownRow>,
): Promise<Map<string, Holder>> {
  const waiting = new Map(rows);
  const found = new Map<string, Holder>();
  for (let skip = 0; waiting.size > 0; skip += REPORTS_AT_ONCE) {
    const reports = await listNewest(tx, ending.projectId, { now: 0, skip, most: REPORTS_AT_ONCE });
    for (const { id, countedAs, uploadId } of reports) {
      if (id === ending.id || uploadId === null || countedAs === null || countedAs === 0) continue;
      const kept = await findKept(tx, uploadId);
      if (!kept) continue;
      const names = new Map(
        [...waiting].map(([key, row]) => [key, namesAt(row, countedAs).map(({ identity }) => identity)]),
      );
      const placed = snapshotsWithIdentities(kept.findingSnapshots, [...names.values()].flat());
      const groups = Map.groupBy(placed, ({ snapshot }) => identityKey(snapshot.identity));
      for (const [key, identities] of names) {
        const holdings = new Map(
          identities.flatMap((identity) => {
            const [first, ...others] = groups.get(identityKey(identity)) ?? [];
            return first
              ? [[identityKey(identity), holdingOf([first, ...others], kept.findingFacts)] as const]
              : [];
          }),
        );
        if (holdings.size === 0) continue;
        waiting.delete(key);
        found.set(key, { countedAs, holdings });
      }
    }
    if (reports.length < REPORTS_AT_ONCE) break;
  }
  return found;
}

/** Equal findings of another report. */
function holdingOf(equals: readonly [PlacedSnapshot, ...PlacedSnapshot[]], packed: Uint8Array): Holding {
  const worst = worstOf(equals);
  const facts = factsAt(packed, new Set(equals.map(({ place }) => place)));
  const [first, ...others] = [worst, ...equals].flatMap(({ place }) => facts.get(place) ?? []);
  return { presentSeverity: worst.snapshot.severity, ...(first && packedFinders([first, ...others])) };
}
