/**
 * Finds the share that a viewer asks for by its slug, and decides their access to it.
 *
 * A process with exclusive use of its database caches the share for each viewer. An entry is removed in the tick of the
 * commit that changes the share, the report or its prepared projection. The same holds for the report's owner, the
 * creator of the share, the viewer and their memberships. With a prepared projection, a change of the report that this
 * viewer is not shown does not remove the entry. Only available shares of finalized reports are cached. So every denial
 * takes the same path through one statement, whether the share never existed, has ended or is for others.
 */
import type { SharePolicy } from '@svc/contract';
import type { ProjectionInput, ShareInput } from '#features/exports';
import type { PreparedRow, ProjectionKey } from '#features/projections';
import type { Bus } from '#platform/bus/bus';
import { createRecordMemory } from '#platform/bus/record-memory';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { ShareKeys } from '#platform/share-keys';
import { hashOfKey, tokenKey } from '#platform/tokens';
import { lookupOf, type ShareLookup, type ShareOfReport } from './lookup.ts';
import { findBySlug } from './open-store.ts';
import { decideAccess, type Access } from './policy.ts';

const MEMORY_BYTES_MAX = 32 * 1024 * 1024;

/** A share that opens for this viewer, or may once they have signed in. */
export interface AvailableShare {
  readonly share: ShareOfReport;
  readonly access: Exclude<Access, { outcome: 'notAvailable' }>;
  /** The time at which the share or its report expires. */
  readonly endsAt: number;
  /** Null before the viewer has signed in, and once the report has expired. */
  readonly projectionInput: () => ProjectionInput<ShareInput> | null;
  /**
   * The prepared projection of the viewer's policy. Null under a policy that hides nothing, and before the viewer has
   * signed in.
   */
  readonly prepared: PreparedLookup | null;
}

export interface PreparedLookup {
  readonly key: ProjectionKey;
  /** Null when there is none; undefined when it was not queried. */
  readonly row: PreparedRow | null | undefined;
}

export interface ShareFinder {
  /**
   * @param viewerId null for a viewer who is not signed in.
   * @returns null when the share is not available to them, for any reason.
   */
  find(slug: string, viewerId: string | null): Promise<AvailableShare | null>;
}

export interface ShareFinderPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly shareKeys: ShareKeys;
  readonly platformAdminEmail: string | null;
}

export function createShareFinder(ports: ShareFinderPorts): ShareFinder {
  const { database, bus, clock, shareKeys } = ports;
  const memory = createRecordMemory<ShareLookup>(database, bus, {
    topicsOf(lookup) {
      const available = lookup.share?.report.state === 'finalized' ? availableIn(lookup) : null;
      return available && topicsOf(available, lookup.viewer?.userId);
    },
    size: { bytesMax: MEMORY_BYTES_MAX, bytesOf: ({ sizeBytes }) => sizeBytes },
  });

  function availableIn(lookup: ShareLookup): AvailableShare | null {
    const { share } = lookup;
    const access = decideAccess(share, lookup.viewer, clock.now());
    if (!share || access.outcome === 'notAvailable') return null;
    const policy = access.outcome === 'granted' ? access.policy : null;
    const policyDigest = policy === null ? null : (lookup.digests.get(policy) ?? null);
    return {
      share,
      access,
      endsAt: Math.min(share.expiresAt ?? Infinity, share.report.expiresAt),
      projectionInput: () => (lookup.projectionInput ??= inputFor(share, access)),
      prepared:
        policyDigest === null
          ? null
          : {
              key: { reportId: share.report.id, policyDigest },
              // An owner or an administrator may read under a policy other than that of the most specific principal
              // that names them.
              row: lookup.askedDigest === policyDigest ? lookup.prepared : undefined,
            },
    };
  }

  function inputFor(
    { id, report, projectNames }: ShareOfReport,
    access: Access,
  ): ProjectionInput<ShareInput> | null {
    if (access.outcome !== 'granted' || access.policy === null) return null;
    const { principalType, label, policy } = access;
    return {
      reportId: report.id,
      projectedFor: { principalType, ...(label === null ? {} : { label }) },
      share: {
        policy: JSON.parse(policy) as SharePolicy,
        projectNames,
        fingerprintKey: shareKeys.fingerprintKey(id),
      },
    };
  }

  return {
    async find(slug, viewerId) {
      const slugKey = tokenKey(slug);
      const key = `${slugKey}${viewerId ?? ''}`;
      let isLoaded = false;
      async function load(): Promise<ShareLookup> {
        isLoaded = true;
        const row = await findBySlug(database.read, hashOfKey(slugKey), viewerId);
        return lookupOf(row, ports.platformAdminEmail);
      }
      const lookup = await memory.find(key, load);
      const available = lookup && availableIn(lookup);
      if (available || isLoaded) return available;
      // The cached share or its report has expired.
      memory.forget(key);
      return availableIn(await load());
    },
  };
}

function topicsOf({ share, prepared }: AvailableShare, viewerId: string | undefined): string[] {
  const { id, report, ownerId, createdBy } = share;
  return [
    topics.share(id),
    topics.report(report.id),
    // Without a prepared projection the whole report is rendered, with every triage decision. A row without a blob gets
    // no hint about decisions.
    ...(typeof prepared?.row?.blobName === 'string' ? [] : [topics.reportChanged(report.id)]),
    ...(prepared ? [topics.projection(report.id, prepared.key.policyDigest)] : []),
    topics.user(ownerId),
    ...(createdBy === null || createdBy === ownerId ? [] : [topics.user(createdBy)]),
    ...(viewerId === undefined ? [] : [topics.user(viewerId)]),
  ];
}
