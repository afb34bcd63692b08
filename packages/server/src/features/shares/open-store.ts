/**
 * Reads the share of a slug, its report and the viewer in one statement, so that access is decided from one point in
 * time. The statement always returns one row, so an unknown slug takes the same path as every other.
 */
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db } from '#platform/database/database';
import type { ReportsTable, SharesTable, UsersTable } from '#platform/database/schema';
import type { TokenHash } from '#platform/tokens';

/** A share with its report. */
export interface ShareColumns
  extends
    Pick<
      SharesTable,
      | 'mode'
      | 'anonymousAllowed'
      | 'passwordHash'
      | 'defaultPolicy'
      | 'policyDigest'
      | 'policyVersion'
      | 'expiresAt'
      | 'revokedAt'
      | 'createdBy'
      | 'message'
      | 'showSender'
    >,
    Pick<
      ReportsTable,
      | 'ownerId'
      | 'workspaceId'
      | 'projectId'
      | 'projectName'
      | 'wrappedKey'
      | 'uploadId'
      | 'overlayVersion'
      | 'lapsesAt'
    > {
  readonly shareId: string;
  readonly reportId: string;
  readonly reportState: ReportsTable['state'];
  readonly reportExpiresAt: number;
  readonly reportExpiredAt: number | null;
  /** Null when the project was deleted. */
  readonly nameOfProject: string | null;
  /** Null when the account was deleted. */
  readonly creatorName: string | null;
  /**
   * The prepared projection for the policy of the most specific principal of the viewer, else for the default policy.
   */
  readonly preparedBlob: string | null;
  readonly preparedBytes: number | null;
  readonly preparedVersion: number | null;
  readonly preparedLapsesAt: number | null;
}

/** A viewer, and the share's principals that stand for them. Positions are null for types without such a principal. */
export interface ViewerColumns extends Pick<UsersTable, 'displayName' | 'email' | 'adminFlag'> {
  readonly viewerId: string;
  /** Null for a viewer outside the report's workspace. */
  readonly memberId: string | null;
  readonly userPosition: number | null;
  readonly userLabel: string | null;
  readonly userPolicy: string | null;
  readonly userDigest: string | null;
  readonly emailPosition: number | null;
  readonly emailLabel: string | null;
  readonly emailPolicy: string | null;
  readonly emailDigest: string | null;
  readonly workspacePosition: number | null;
  readonly workspaceLabel: string | null;
  readonly workspacePolicy: string | null;
  readonly workspaceDigest: string | null;
}

export interface SlugRow {
  readonly share: ShareColumns | null;
  readonly viewer: ViewerColumns | null;
}

/** @param viewerId null for a viewer who is not signed in. */
export async function findBySlug(db: Db, slugHash: TokenHash, viewerId: string | null): Promise<SlugRow> {
  const [row] = await slugQuery(db, { slugHash, viewerId });
  if (!row) throw new Error('The statement returned no row.');
  // The columns of a share are set if the share exists, and those of a viewer if the account does.
  return {
    share: row.shareId === null ? null : (row as ShareColumns),
    viewer: row.viewerId === null ? null : (row as ViewerColumns),
  };
}

interface SlugAndViewer {
  readonly slugHash: TokenHash;
  readonly viewerId: string | null;
}

const slugQuery = compiledOnce((db, { slugHash, viewerId }: SlugAndViewer) =>
  db
    .selectFrom(db.selectNoFrom(sql.lit(1).as('one')).as('asked'))
    .leftJoin('shares', (join) => join.on('shares.slugHash', '=', slugHash))
    .leftJoin('reports', 'reports.id', 'shares.reportId')
    .leftJoin('projects', 'projects.id', 'reports.projectId')
    .leftJoin('users as creator', 'creator.id', 'shares.createdBy')
    .leftJoin('users', (join) => join.on('users.id', '=', viewerId))
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.workspaceId', '=', 'reports.workspaceId')
        .onRef('memberships.userId', '=', 'users.id'),
    )
    .leftJoin('sharePrincipals as user', (join) =>
      join
        .onRef('user.shareId', '=', 'shares.id')
        .on('user.type', '=', sql.lit('user'))
        .onRef('user.value', '=', 'users.id'),
    )
    .leftJoin('sharePrincipals as address', (join) =>
      join
        .onRef('address.shareId', '=', 'shares.id')
        .on('address.type', '=', sql.lit('email'))
        .onRef('address.userId', '=', 'users.id'),
    )
    .leftJoin('sharePrincipals as workspace', (join) =>
      join.onRef('workspace.shareId', '=', 'shares.id').on('workspace.position', '=', (eb) =>
        // If several stand for the viewer, the one that the owner named first. A cross join, because SQLite then begins
        // with the viewer's few workspaces and not with the many that a share may name.
        eb
          .selectFrom('memberships as held')
          .crossJoin('sharePrincipals as one')
          .select(({ fn }) => fn.min('one.position').as('position'))
          .whereRef('held.userId', '=', 'users.id')
          .whereRef('one.shareId', '=', 'shares.id')
          .where('one.type', '=', sql.lit('workspace'))
          .whereRef('one.value', '=', 'held.workspaceId'),
      ),
    )
    .leftJoin('preparedProjections as prepared', (join) =>
      join
        .onRef('prepared.reportId', '=', 'reports.id')
        .on('prepared.policyDigest', '=', ({ fn }) =>
          fn.coalesce(
            'user.policyDigest',
            'address.policyDigest',
            'workspace.policyDigest',
            'shares.policyDigest',
          ),
        ),
    )
    .select([
      'shares.id as shareId',
      'shares.mode',
      'shares.anonymousAllowed',
      'shares.passwordHash',
      'shares.defaultPolicy',
      'shares.policyDigest',
      'shares.expiresAt',
      'shares.revokedAt',
      'shares.policyVersion',
      'shares.createdBy',
      'shares.message',
      'shares.showSender',
      'creator.displayName as creatorName',
      'reports.id as reportId',
      'reports.ownerId',
      'reports.workspaceId',
      'reports.projectId',
      'reports.projectName',
      'reports.state as reportState',
      'reports.expiresAt as reportExpiresAt',
      'reports.expiredAt as reportExpiredAt',
      'reports.wrappedKey',
      'reports.uploadId',
      'reports.overlayVersion',
      'reports.lapsesAt',
      'projects.name as nameOfProject',
      'users.id as viewerId',
      'users.displayName',
      'users.email',
      'users.adminFlag',
      'memberships.userId as memberId',
      'user.position as userPosition',
      'user.label as userLabel',
      'user.policy as userPolicy',
      'user.policyDigest as userDigest',
      'address.position as emailPosition',
      'address.label as emailLabel',
      'address.policy as emailPolicy',
      'address.policyDigest as emailDigest',
      'workspace.position as workspacePosition',
      'workspace.label as workspaceLabel',
      'workspace.policy as workspacePolicy',
      'workspace.policyDigest as workspaceDigest',
      'prepared.blobName as preparedBlob',
      'prepared.sizeBytes as preparedBytes',
      'prepared.version as preparedVersion',
      'prepared.lapsesAt as preparedLapsesAt',
    ]),
);
