/**
 * The reports of a project that have a finding, from their snapshots. The search is limited to the newest reports, so it
 * takes the same time however many reports a project has.
 */
import { limits, type FindingAppearance, type FindingAppearances } from '@svc/contract';
import { identityKey, snapshotsWithIdentities, snapshotsWithIds } from '@svc/report';
import { AppError } from '#app-error';
import type { ReportsFeature } from '#features/reports';
import { isoTime, isoTimeOrNull, type Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { currentKeys, earlierIn } from './earlier-identities-policy.ts';
import { findKnown, listRenamed } from './identities-store.ts';
import { findKept, findSnapshots } from './kept-store.ts';
import { listNewestCounted, type CountedReport } from './reports-store.ts';

const { searchedMax, listedMax } = limits.appearances;
/** A report of ten thousand findings has 400 KB of snapshots. */
const REPORTS_AT_ONCE = 25;

export interface AppearancesPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly reports: Pick<ReportsFeature, 'requireReport'>;
  readonly isAdministrator: (userId: string) => Promise<boolean>;
}

/**
 * An administrator gets only their own reports, because membership gives them no access to others.
 * @throws AppError NOT_FOUND, REPORT_EXPIRED; CONFLICT while the report is live.
 */
export type Appearances = (
  userId: string,
  reportId: string,
  findingId: string,
) => Promise<FindingAppearances>;

/** Under which identities a finding is looked for, and how to tell whether a report means this finding by one of them. */
interface Wanted {
  readonly identity: Uint8Array;
  readonly names: readonly Uint8Array[];
  readonly isMeant: (identity: Uint8Array, countedAs: number) => boolean;
}

export function createAppearances(ports: AppearancesPorts): Appearances {
  const { database, clock, reports } = ports;
  const db = database.read;

  async function identityOf(uploadId: string | null, findingId: string): Promise<Uint8Array> {
    const kept = await findKept(db, uploadId);
    if (!kept) throw new AppError('REPORT_EXPIRED');
    const [placed] = snapshotsWithIds(kept.findingSnapshots, new Set([findingId]));
    if (!placed) throw new AppError('NOT_FOUND');
    return placed.snapshot.identity;
  }

  /** A report that does not change its project, as one of another branch, is compared by fingerprints alone. */
  async function wantedBy(projectId: string, countedAs: number | null, own: Uint8Array): Promise<Wanted> {
    const renamed = (countedAs ?? 0) > 0 ? await listRenamed(db, projectId) : [];
    const keyNow = currentKeys(renamed);
    const key = keyNow(own, countedAs ?? 0);
    const row = renamed.find(({ identity }) => identityKey(identity) === key);
    const identity = row?.identity ?? own;
    const earlier = earlierIn(row?.earlierIdentities ?? null).map(({ identity: each }) => each);
    return { identity, names: [identity, ...earlier], isMeant: (name, order) => keyNow(name, order) === key };
  }

  async function appearancesAmong(searched: readonly CountedReport[], { names, isMeant }: Wanted) {
    const found: FindingAppearance[] = [];
    for (let from = 0; from < searched.length; from += REPORTS_AT_ONCE) {
      const some = searched.slice(from, from + REPORTS_AT_ONCE);
      const packed = await findSnapshots(
        db,
        some.map(({ uploadId }) => uploadId),
      );
      for (const { id, uploadId, countedAs, finalizedAt } of some) {
        const snapshots = packed.get(uploadId);
        if (snapshots === undefined || !hasAny(snapshots, names)) continue;
        const meant = snapshotsWithIdentities(snapshots, names).find(({ snapshot }) =>
          isMeant(snapshot.identity, countedAs),
        );
        if (!meant) continue;
        found.push({ reportId: id, findingId: meant.snapshot.id, finalizedAt: isoTime(finalizedAt) });
      }
    }
    return found;
  }

  return async (userId, reportId, findingId) => {
    const { row: report } = await reports.requireReport('readable', userId, reportId);
    if (report.state === 'live') throw new AppError('CONFLICT', { message: 'The scan is still running.' });
    const { projectId, uploadId, countedAs } = report;
    const wanted = await wantedBy(projectId, countedAs, await identityOf(uploadId, findingId));
    const isAdministrator = await ports.isAdministrator(userId);
    const newest = await listNewestCounted(db, projectId, { now: clock.now(), most: searchedMax + 1 });
    const searched = newest
      .slice(0, searchedMax)
      .filter(({ ownerId }) => !isAdministrator || ownerId === userId);
    const found = await appearancesAmong(searched, wanted);
    const known = await findKnown(db, projectId, [wanted.identity]);
    return {
      total: found.length,
      isComplete: newest.length <= searchedMax,
      firstSeenAt: isoTimeOrNull(known.get(identityKey(wanted.identity))?.firstSeenAt ?? null),
      reports: found.slice(0, listedMax),
    };
  };
}

/** Rules out most reports without the finding, without unpacking their snapshots. */
function hasAny({ buffer, byteOffset, byteLength }: Uint8Array, names: readonly Uint8Array[]): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return names.some((name) => bytes.includes(Buffer.from(name)));
}
