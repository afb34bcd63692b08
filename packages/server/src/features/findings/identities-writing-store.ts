/** Writes what projects know about their findings. */
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { IDENTITIES_AT_ONCE_MAX, padded, type IdentityRow } from './identities-store.ts';

/** Large enough that few statements are needed, small enough that no other transaction waits long. */
const ROWS_AT_ONCE_MAX = 256;

/** Inserts or replaces the rows. */
export async function saveKnown(tx: Tx, rows: readonly IdentityRow[]): Promise<void> {
  let at = 0;
  for (let size = ROWS_AT_ONCE_MAX; at < rows.length;) {
    if (rows.length - at < size) {
      // Inserts in powers of two, so that few different statements are prepared.
      size /= 2;
      continue;
    }
    await saved(tx, { rows: rows.slice(at, at + size).map(inOrder) });
    at += size;
  }
}

/** The row with its columns always in the same order, so that few different statements are compiled. */
function inOrder(row: IdentityRow): IdentityRow {
  const {
    projectId,
    identity,
    firstSeenAt,
    lastSeenAt,
    status,
    severity,
    statusAt,
    decision,
    until,
    present,
    isOpen,
    isWeak,
    isHeld,
    presentFrom,
    presentSeverity,
    tool,
    areas,
    earlierIdentities,
  } = row;
  return {
    projectId,
    identity,
    firstSeenAt,
    lastSeenAt,
    status,
    severity,
    statusAt,
    decision,
    until,
    present,
    isOpen,
    isWeak,
    isHeld,
    presentFrom,
    presentSeverity,
    tool,
    areas,
    earlierIdentities,
  };
}

const saved = compiledOnce((db, { rows }: { rows: IdentityRow[] }) =>
  db
    .insertInto('projectFindings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['projectId', 'identity']).doUpdateSet((eb) => ({
        firstSeenAt: eb.ref('excluded.firstSeenAt'),
        lastSeenAt: eb.ref('excluded.lastSeenAt'),
        status: eb.ref('excluded.status'),
        severity: eb.ref('excluded.severity'),
        statusAt: eb.ref('excluded.statusAt'),
        decision: eb.ref('excluded.decision'),
        until: eb.ref('excluded.until'),
        present: eb.ref('excluded.present'),
        isOpen: eb.ref('excluded.isOpen'),
        isWeak: eb.ref('excluded.isWeak'),
        isHeld: eb.ref('excluded.isHeld'),
        presentFrom: eb.ref('excluded.presentFrom'),
        presentSeverity: eb.ref('excluded.presentSeverity'),
        tool: eb.ref('excluded.tool'),
        areas: eb.ref('excluded.areas'),
        earlierIdentities: eb.ref('excluded.earlierIdentities'),
      })),
    ),
);

/** Deletes identities that moved to others. */
export async function forgetIdentities(
  tx: Tx,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<void> {
  for (let at = 0; at < identities.length; at += IDENTITIES_AT_ONCE_MAX)
    await tx
      .deleteFrom('projectFindings')
      .where('projectId', '=', projectId)
      .where('identity', 'in', padded(identities.slice(at, at + IDENTITIES_AT_ONCE_MAX)))
      .execute();
}

/** Deletes up to `most` identities that were last seen before a time and are not present. */
export async function forgetUnseen(
  db: Db,
  before: number,
  most: number,
): Promise<Pick<IdentityRow, 'projectId' | 'identity'>[]> {
  return (
    db
      .deleteFrom('projectFindings')
      // Checked again, because a new report may have had the finding in the meantime.
      .where('lastSeenAt', '<', before)
      .where('present', '=', 0)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('projectId', 'identity'),
          'in',
          selectFrom('projectFindings')
            .select(['projectId', 'identity'])
            .where('lastSeenAt', '<', before)
            .where('present', '=', 0)
            .orderBy('lastSeenAt')
            .limit(most)
            .$asTuple('projectId', 'identity'),
        ),
      )
      .returning(['projectId', 'identity'])
      .execute()
  );
}
