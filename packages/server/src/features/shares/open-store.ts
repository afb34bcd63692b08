/**
 * What a viewer finds under a slug, in one statement, so that what is decided is of one moment; and it always answers with
 * one row, so that a slug which was never given out takes the way of all others.
 */
import { sql } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db } from '#platform/database/database';
import type { ReportsTable, SharesTable, UsersTable } from '#platform/database/schema';
import type { TokenHash } from '#platform/tokens';

/** A link with its report. */
export interface LinkColumns
  extends
    Pick<
      SharesTable,
      | 'mode'
      | 'anonymousAllowed'
      | 'passwordHash'
      | 'defaultPolicy'
      | 'policyDigest'
      | 'expiresAt'
      | 'revokedAt'
    >,
    Pick<
      ReportsTable,
      'ownerId' | 'workspaceId' | 'projectId' | 'projectName' | 'wrappedKey' | 'uploadId' | 'amendments'
    > {
  readonly shareId: string;
  readonly reportId: string;
  readonly reportState: ReportsTable['state'];
  readonly reportExpiresAt: number;
  readonly reportExpiredAt: number | null;
  /** Null when the project is gone. */
  readonly nameOfProject: string | null;
  /** What is prepared for this viewer: of the policy that names them most closely, or else of the default one. */
  readonly preparedBlob: string | null;
  readonly preparedBytes: number | null;
  readonly preparedVersion: number | null;
}

/** A viewer, and how the link names them; a position is null where it does not. */
export interface ViewerColumns extends Pick<UsersTable, 'displayName' | 'email' | 'adminFlag'> {
  readonly viewerId: string;
  /** Null for whoever is not in the report's workspace. */
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

export interface FoundRow {
  readonly link: LinkColumns | null;
  readonly viewer: ViewerColumns | null;
}

/** @param viewerId null for somebody who is not signed in. */
export async function findBySlug(db: Db, slugHash: TokenHash, viewerId: string | null): Promise<FoundRow> {
  const [row] = await found(db, { slugHash, viewerId });
  if (!row) throw new Error('the statement gave no row');
  // What belongs to a link is there with it, and what belongs to an account with that.
  return {
    link: row.shareId === null ? null : (row as LinkColumns),
    viewer: row.viewerId === null ? null : (row as ViewerColumns),
  };
}

interface Asked {
  readonly slugHash: TokenHash;
  readonly viewerId: string | null;
}

const found = compiledOnce((db, { slugHash, viewerId }: Asked) =>
  db
    .selectFrom(db.selectNoFrom(sql.lit(1).as('one')).as('asked'))
    .leftJoin('shares', (join) => join.on('shares.slugHash', '=', slugHash))
    .leftJoin('reports', 'reports.id', 'shares.reportId')
    .leftJoin('projects', 'projects.id', 'reports.projectId')
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
        // Of several the one that the owner named first. Crossed, since SQLite then begins with the few workspaces of the
        // viewer and not with the many that a link may name.
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
      'reports.amendments',
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
    ]),
);
