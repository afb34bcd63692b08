/**
 * What a viewer finds under a slug, and what follows for them.
 *
 * In a process that has the database to itself it is remembered for each viewer of each link, and forgotten in the turn of
 * the commit of whatever it came from: the link, the report and what is prepared of it, the report's owner, the viewer and
 * what they are a member of. A change of the report that this viewer is not shown is no such thing. Only what opens a finalized report is remembered. So every refusal takes the same way, through
 * one statement, whether the link was never made, has ended or is not for this viewer.
 */
import type { SharePolicy } from '@svc/contract';
import { isAdministrator } from '#features/auth';
import type { RenderedReport } from '#features/exports';
import type { PreparedRow, ProjectionKey } from '#features/projections';
import type { Bus } from '#platform/bus/bus';
import { createRecordMemory } from '#platform/bus/record-memory';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import type { ReportsTable } from '#platform/database/schema';
import type { PasswordHash } from '#platform/password-hash';
import type { ShareKeys } from '#platform/share-keys';
import { hashOfKey, tokenKey } from '#platform/tokens';
import { findBySlug, type FoundRow, type LinkColumns, type ViewerColumns } from './open-store.ts';
import {
  decideAccess,
  type Access,
  type LinkFacts,
  type NamedFacts,
  type NamedType,
  type ViewerFacts,
} from './policy.ts';
import { projectingOf, type SharedProjecting } from './projecting.ts';

const MEMORY_BYTES_MAX = 32 * 1024 * 1024;
/** Of an entry without its policies. */
const ENTRY_BYTES = 3000;
/** One of them is kept as what its text says too. */
const BYTES_PER_POLICY_LETTER = 4;

export interface FoundLink extends LinkFacts {
  readonly id: string;
  readonly passwordHash: PasswordHash | null;
  readonly report: RenderedReport & Pick<ReportsTable, 'state' | 'expiresAt' | 'workspaceId'>;
  /** All that the service calls the project. */
  readonly projectNames: readonly string[];
}

/** A link that opens to this viewer, or may once they have signed in. */
export interface Opening {
  readonly link: FoundLink;
  readonly access: Exclude<Access, { outcome: 'notAvailable' }>;
  /** The terms on which the report is shown; null before they have signed in, and once the report has expired. */
  readonly projecting: () => SharedProjecting | null;
  /** Null under a policy that hides nothing. */
  readonly projection: FoundProjection | null;
}

/** What is prepared of the report under the policy that this viewer reads it under. */
export interface FoundProjection {
  readonly key: ProjectionKey;
  /** Null when there is none; undefined when it was not asked for. */
  readonly row: PreparedRow | null | undefined;
}

export interface FoundLinks {
  /**
   * @param viewerId null for somebody who is not signed in.
   * @returns null when the link is not available to them, for whatever reason.
   */
  find(slug: string, viewerId: string | null): Promise<Opening | null>;
}

export interface FoundLinksPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly shareKeys: ShareKeys;
  readonly platformAdminEmail: string | null;
}

/** What it takes to show the report is made when it is first shown, and then kept: a refusal costs none of it. */
interface Found {
  readonly link: FoundLink | null;
  readonly viewer: ViewerFacts | null;
  /** By the policies that could be this viewer's. */
  readonly digests: ReadonlyMap<string, string | null>;
  /** Under which policy `prepared` was looked for. */
  readonly askedDigest: string | null;
  readonly prepared: PreparedRow | null;
  readonly sizeBytes: number;
  projecting: SharedProjecting | null;
}

export function createFoundLinks(ports: FoundLinksPorts): FoundLinks {
  const { database, bus, clock, shareKeys } = ports;
  const memory = createRecordMemory<Found>(database, bus, {
    topicsOf(found) {
      const opening = found.link?.report.state === 'finalized' ? openingOf(found) : null;
      return opening && topicsOf(opening, found.viewer);
    },
    size: { bytesMax: MEMORY_BYTES_MAX, bytesOf: ({ sizeBytes }) => sizeBytes },
  });

  function openingOf(found: Found): Opening | null {
    const { link } = found;
    const access = decideAccess(link, found.viewer, clock.now());
    if (!link || access.outcome === 'notAvailable') return null;
    return {
      link,
      access,
      projecting: () => (found.projecting ??= termsOf(link, access)),
      projection: projectionOf(found, link, access),
    };
  }

  function termsOf({ id, report, projectNames }: FoundLink, access: Access): SharedProjecting | null {
    if (access.outcome !== 'granted' || access.policy === null) return null;
    const { principalType, label } = access;
    return projectingOf({
      reportId: report.id,
      principalType,
      label,
      policy: JSON.parse(access.policy) as SharePolicy,
      projectNames,
      fingerprintKey: shareKeys.fingerprintKey(id),
    });
  }

  return {
    async find(slug, viewerId) {
      const slugKey = tokenKey(slug);
      const key = `${slugKey}${viewerId ?? ''}`;
      let asked = false;
      async function load(): Promise<Found> {
        asked = true;
        const row = await findBySlug(database.read, hashOfKey(slugKey), viewerId);
        return foundOf(row, ports.platformAdminEmail);
      }
      const found = await memory.find(key, load);
      const opening = found && openingOf(found);
      if (opening || asked) return opening;
      // What was remembered has ended by the clock.
      memory.forget(key);
      return openingOf(await load());
    },
  };
}

function topicsOf({ link, projection }: Opening, viewer: ViewerFacts | null): string[] {
  const { id, report, ownerId } = link;
  return [
    topics.share(id),
    topics.report(report.id),
    // What is not prepared is rendered from the whole report with all that was decided of it. A row without a blob hears of no
    // decision.
    ...(isPrepared(projection) ? [] : [topics.amended(report.id)]),
    ...(projection ? [topics.projection(report.id, projection.key.policyDigest)] : []),
    topics.user(ownerId),
    ...(viewer ? [topics.user(viewer.userId)] : []),
  ];
}

function isPrepared(projection: FoundProjection | null): boolean {
  return typeof projection?.row?.blobName === 'string';
}

function projectionOf(
  { digests, askedDigest, prepared }: Found,
  { report }: FoundLink,
  access: Access,
): FoundProjection | null {
  if (access.outcome !== 'granted' || access.policy === null) return null;
  const policyDigest = digests.get(access.policy) ?? null;
  if (policyDigest === null) return null;
  const key = { reportId: report.id, policyDigest };
  // An owner and an administrator may read under another policy than that of the closest name.
  return { key, row: askedDigest === policyDigest ? prepared : undefined };
}

function foundOf({ link, viewer }: FoundRow, platformAdminEmail: string | null): Found {
  const policies = [link?.defaultPolicy, viewer?.userPolicy, viewer?.emailPolicy, viewer?.workspacePolicy];
  const digests = new Map(
    [
      [link?.defaultPolicy, link?.policyDigest],
      [viewer?.userPolicy, viewer?.userDigest],
      [viewer?.emailPolicy, viewer?.emailDigest],
      [viewer?.workspacePolicy, viewer?.workspaceDigest],
    ].flatMap(([policy, digest]) => (policy ? [[policy, digest ?? null] as const] : [])),
  );
  const letters = policies.reduce((sum, policy) => sum + (policy?.length ?? 0), 0);
  return {
    link: link && linkOf(link),
    viewer: viewer && viewerOf(viewer, platformAdminEmail),
    digests,
    askedDigest:
      viewer?.userDigest ?? viewer?.emailDigest ?? viewer?.workspaceDigest ?? link?.policyDigest ?? null,
    prepared: link && preparedOf(link),
    sizeBytes: ENTRY_BYTES + letters * BYTES_PER_POLICY_LETTER,
    projecting: null,
  };
}

function preparedOf({ preparedBlob, preparedBytes, preparedVersion }: LinkColumns): PreparedRow | null {
  if (preparedVersion === null) return null;
  return { blobName: preparedBlob, sizeBytes: preparedBytes, version: preparedVersion };
}

function linkOf(row: LinkColumns): FoundLink {
  const { projectName, nameOfProject } = row;
  return {
    id: row.shareId,
    mode: row.mode,
    anonymousAllowed: row.anonymousAllowed === 1,
    passwordHash: row.passwordHash,
    defaultPolicy: row.defaultPolicy,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    ownerId: row.ownerId,
    reportExpiresAt: row.reportExpiresAt,
    reportExpiredAt: row.reportExpiredAt,
    report: {
      id: row.reportId,
      ownerId: row.ownerId,
      workspaceId: row.workspaceId,
      projectId: row.projectId,
      state: row.reportState,
      expiresAt: row.reportExpiresAt,
      wrappedKey: row.wrappedKey,
      uploadId: row.uploadId,
      amendments: row.amendments,
    },
    projectNames: [projectName, nameOfProject].filter((name) => name !== null),
  };
}

function viewerOf(row: ViewerColumns, platformAdminEmail: string | null): ViewerFacts {
  return {
    userId: row.viewerId,
    displayName: row.displayName,
    isMember: row.memberId !== null,
    isAdministrator: isAdministrator(row, platformAdminEmail),
    named: {
      ...named('user', row.userPosition, row.userLabel, row.userPolicy),
      ...named('email', row.emailPosition, row.emailLabel, row.emailPolicy),
      ...named('workspace', row.workspacePosition, row.workspaceLabel, row.workspacePolicy),
    },
  };
}

function named(
  type: NamedType,
  position: number | null,
  label: string | null,
  policy: string | null,
): Partial<Record<NamedType, NamedFacts>> {
  return position === null ? {} : { [type]: { label, policy } };
}
