/** Which other reports of a project have the findings of a report that is about to end. */
import { factsAt, identityKey, snapshotsWithIdentities, type PlacedSnapshot } from '@svc/report';
import type { Tx } from '#platform/database/database';
import { namesAt } from './earlier-identities-policy.ts';
import type { KnownRow } from './identities-store.ts';
import { findKept } from './kept-store.ts';
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
      const byIdentity = new Map(placed.map((each) => [identityKey(each.snapshot.identity), each]));
      for (const [key, identities] of names) {
        const holdings = new Map(
          identities.flatMap((identity) => {
            const held = byIdentity.get(identityKey(identity));
            return held ? [[identityKey(identity), holdingOf(held, kept.findingFacts)] as const] : [];
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

/** The finding of another report. */
function holdingOf({ place, snapshot }: PlacedSnapshot, packed: Uint8Array): Holding {
  const facts = factsAt(packed, new Set([place])).get(place);
  return {
    presentSeverity: snapshot.severity,
    ...(facts && { tool: facts.tool, areas: Buffer.concat(facts.areas) }),
  };
}
