/** The decisions of a project by which findings are set aside at some time. */
import { isSetAside, type SetAsideDecision, type Severity } from '@svc/contract';
import type { Db } from '#platform/database/database';
import { findKnown, identityKey } from './store.ts';

export interface SetAside {
  readonly status: SetAsideDecision['status'];
  /** At the time of the decision. */
  readonly severity: Severity;
  readonly decidedAt: number;
  readonly until: number | null;
}

/** The decision on each identity, in their order; undefined for one that is not set aside, known or not. */
export async function setAsideOf(
  db: Db,
  projectId: string,
  identities: readonly Uint8Array[],
): Promise<(SetAside | undefined)[]> {
  const known = await findKnown(db, projectId, identities);
  return identities.map((identity) => {
    const found = known.get(identityKey(identity));
    if (!found || !isSetAside(found.status)) return undefined;
    const { status, severity, statusAt } = found;
    return { status: status as SetAside['status'], severity, decidedAt: statusAt, until: null };
  });
}
