/** The facts from the store that decide access to a slug. */
import { isAdministrator } from '#features/auth';
import type { ProjectionInput, RenderedReport, ShareInput } from '#features/exports';
import type { PreparedRow } from '#features/projections';
import type { ReportsTable } from '#platform/database/schema';
import type { PasswordHash } from '#platform/password-hash';
import type { CoverFacts } from './covers.ts';
import type { ShareColumns, SlugRow, ViewerColumns } from './open-store.ts';
import type { PrincipalFacts, PrincipalNamed, ShareFacts, ViewerFacts } from './policy.ts';

/** The approximate memory that an entry with the longest message uses, not counting its policies. */
const ENTRY_BYTES = 7000;
/** Estimates the memory for the text of the policies and one parsed copy. */
const BYTES_PER_POLICY_CHARACTER = 4;

/** A share with its report. */
export interface ShareOfReport extends ShareFacts {
  readonly id: string;
  readonly passwordHash: PasswordHash | null;
  readonly policyVersion: number;
  readonly createdBy: string | null;
  readonly cover: SealedCover;
  readonly report: RenderedReport & Pick<ReportsTable, 'state' | 'expiresAt' | 'workspaceId' | 'lapsesAt'>;
  /** Every name that the service has for the project. */
  readonly projectNames: readonly string[];
}

/** What the share says to its viewers; the message is sealed. */
export type SealedCover = Omit<CoverFacts, 'message'> & Pick<ShareColumns, 'message'>;

export interface ShareLookup {
  readonly share: ShareOfReport | null;
  readonly viewer: ViewerFacts | null;
  /** The digests of the policies that may apply to this viewer, by the JSON of the policy. */
  readonly digests: ReadonlyMap<string, string | null>;
  /** The digest of the policy for which `prepared` was looked up. */
  readonly askedDigest: string | null;
  readonly prepared: PreparedRow | null;
  readonly sizeBytes: number;
  /** Null until the report is first shown; a denied request never creates it. */
  projectionInput: ProjectionInput<ShareInput> | null;
}

export function lookupOf({ share, viewer }: SlugRow, platformAdminEmail: string | null): ShareLookup {
  const policies = [
    [share?.defaultPolicy, share?.policyDigest],
    [viewer?.userPolicy, viewer?.userDigest],
    [viewer?.emailPolicy, viewer?.emailDigest],
    [viewer?.workspacePolicy, viewer?.workspaceDigest],
  ] as const;
  const characters = policies.reduce((sum, [policy]) => sum + (policy?.length ?? 0), 0);
  const version = share?.preparedVersion ?? null;
  return {
    share: share && shareOf(share),
    viewer: viewer && viewerOf(viewer, platformAdminEmail),
    digests: new Map(
      policies.flatMap(([policy, digest]) => (policy ? [[policy, digest ?? null] as const] : [])),
    ),
    askedDigest:
      viewer?.userDigest ?? viewer?.emailDigest ?? viewer?.workspaceDigest ?? share?.policyDigest ?? null,
    prepared:
      share && version !== null
        ? {
            blobName: share.preparedBlob,
            sizeBytes: share.preparedBytes,
            version,
            lapsesAt: share.preparedLapsesAt,
          }
        : null,
    sizeBytes: ENTRY_BYTES + characters * BYTES_PER_POLICY_CHARACTER,
    projectionInput: null,
  };
}

function shareOf(row: ShareColumns): ShareOfReport {
  return {
    id: row.shareId,
    mode: row.mode,
    anonymousAllowed: row.anonymousAllowed === 1,
    passwordHash: row.passwordHash,
    policyVersion: row.policyVersion,
    createdBy: row.createdBy,
    cover: {
      message: row.message,
      showSender: row.showSender === 1,
      creatorName: row.creatorName,
      expiresAt: row.expiresAt,
    },
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
      overlayVersion: row.overlayVersion,
      lapsesAt: row.lapsesAt,
    },
    projectNames: [row.projectName, row.nameOfProject].filter((name) => name !== null),
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
  type: PrincipalNamed,
  position: number | null,
  label: string | null,
  policy: string | null,
): Partial<Record<PrincipalNamed, PrincipalFacts>> {
  return position === null ? {} : { [type]: { label, policy } };
}
