/** Which findings of a project are set aside now, for gates. */
import { isSetAside, type FindingStatus, type Severity } from '@svc/contract';
import { identityKey } from '@svc/report';
import type { Db } from '#platform/database/database';
import { isDecided, statusNow } from './policy.ts';
import { listSetAside } from './identities-store.ts';

export interface SetAside {
  readonly status: FindingStatus;
  /** The severity at the time of the decision. */
  readonly severity: Severity;
  /** Milliseconds since 1970. */
  readonly decidedAt: number;
  readonly until: number | null;
  /** Whether a person set the status on the service; otherwise a report was uploaded with it. */
  readonly isDecided: boolean;
}

/**
 * The findings among these that are set aside and have not lapsed, by `identityKey` of @svc/report. All others are
 * absent, known or not.
 * @param identities as `identitiesOfFingerprints` makes them under the project's key
 */
export async function setAsideOf(
  db: Db,
  projectId: string,
  identities: readonly Uint8Array[],
  now: number,
): Promise<Map<string, SetAside>> {
  const rows = await listSetAside(db, projectId, identities);
  return new Map(
    rows
      .filter((row) => isSetAside(statusNow(row, now)))
      .map((row) => {
        const { status, severity, statusAt, until } = row;
        return [
          identityKey(row.identity),
          { status, severity, decidedAt: statusAt, until, isDecided: isDecided(row) },
        ];
      }),
  );
}
