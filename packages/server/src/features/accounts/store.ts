/**
 * The rows about one account. Columns are listed explicitly, so that no key and no hash of a secret is exported. A new
 * column is exported only once it is added here.
 */
import type { Db } from '#platform/database/database';

export async function findAccount(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'displayName', 'adminFlag', 'createdAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

export async function listSessions(db: Db, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastSeenAt', 'expiresAt', 'confirmedAt', 'system', 'browser', 'network'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

export async function listDevices(db: Db, userId: string) {
  return db
    .selectFrom('devices')
    .select(['id', 'name', 'clientVersion', 'osFamily', 'arch', 'createdAt', 'lastSeenAt', 'revokedAt'])
    .select('expiresAt')
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** Approvals of device links. */
export async function listApprovals(db: Db, userId: string) {
  return db
    .selectFrom('deviceLinks')
    .select(['deviceName', 'clientVersion', 'osFamily', 'arch', 'createdAt', 'expiresAt', 'lifetimeMinutes'])
    .select(['deniedAt', 'consumedAt'])
    .where('approvedBy', '=', userId)
    .orderBy('createdAt')
    .execute();
}

export async function listMemberships(db: Db, userId: string) {
  return db
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspaceId')
    .select(['workspaces.id', 'name', 'kind', 'plan', 'createdAt', 'role', 'joinedAt'])
    .where('userId', '=', userId)
    .orderBy('workspaces.id')
    .execute();
}

export async function listSubscriptions(db: Db, workspaceIds: readonly string[]) {
  if (workspaceIds.length === 0) return [];
  return db
    .selectFrom('subscriptions')
    .select(['id', 'workspaceId', 'status', 'plan', 'currentPeriodEnd', 'cancelAtPeriodEnd', 'eventAt'])
    .where('workspaceId', 'in', workspaceIds)
    .orderBy('id')
    .execute();
}

/** Invitations that the account created or accepted. */
export async function listInvitations(db: Db, userId: string) {
  return db
    .selectFrom('invitations')
    .select(['id', 'workspaceId', 'invitedBy', 'createdAt', 'expiresAt', 'acceptedBy', 'revokedAt'])
    .where((eb) => eb.or([eb('invitedBy', '=', userId), eb('acceptedBy', '=', userId)]))
    .orderBy('id')
    .execute();
}

export async function listProjects(db: Db, workspaceIds: readonly string[]) {
  if (workspaceIds.length === 0) return [];
  return db
    .selectFrom('projects')
    .select(['id', 'workspaceId', 'name', 'bindingPublicId', 'createdAt', 'lastReportAt', 'openFindings'])
    .where('workspaceId', 'in', workspaceIds)
    .orderBy('id')
    .execute();
}

export async function listQuotaUsage(db: Db, userId: string) {
  return db
    .selectFrom('quotaUsage')
    .select(['window', 'startsAt', 'used'])
    .where('userId', '=', userId)
    .orderBy('startsAt')
    .execute();
}

export async function listQuotaReservations(db: Db, userId: string) {
  return db
    .selectFrom('quotaReservations')
    .select(['id', 'dayStartsAt', 'weekStartsAt', 'lapsesAt'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();
}

/** The reports that the account owns or created, after an id, with what is needed to read their bodies. */
export async function listReports(db: Db, userId: string, after: string, most: number) {
  return db
    .selectFrom('reports')
    .leftJoin('uploads', 'uploads.id', 'reports.uploadId')
    .select([
      'reports.id',
      'ownerId',
      'createdBy',
      'localReportId',
      'workspaceId',
      'projectId',
      'state',
      'projectName',
      'effortRequested',
      'effortResolved',
      'agent',
      'host',
      'reports.createdAt',
      'finalizedAt',
      'reports.expiresAt',
      'expiredAt',
      'supportAccesses',
      'uploadId',
      'wrappedKey',
      'sizeBytes',
      'sha256',
      'receivedAt',
      'uploads.openFindings',
    ])
    .where((eb) => eb.or([eb('ownerId', '=', userId), eb('createdBy', '=', userId)]))
    .where('reports.id', '>', after)
    .orderBy('reports.id')
    .limit(most)
    .execute();
}

export async function listProgress(db: Db, reportIds: readonly string[]) {
  return db
    .selectFrom('progressEvents')
    .select(['reportId', 'number', 'eventId', 'type', 'occurredAt', 'phase', 'safeCode'])
    .where('reportId', 'in', reportIds)
    .orderBy('reportId')
    .orderBy('number')
    .execute();
}

export async function listDecisions(db: Db, userId: string) {
  return db
    .selectFrom('statusChanges')
    .select(['reportId', 'findingId', 'changedAt', 'fromStatus', 'toStatus', 'action'])
    .where('userId', '=', userId)
    .orderBy('changedAt')
    .orderBy('reportId')
    .orderBy('number')
    .execute();
}

/** The account's triage decisions, with what is needed to read their notes. */
export async function listDecisionTexts(db: Db, userId: string) {
  return db
    .selectFrom('findingDecisions')
    .innerJoin('projects', 'projects.id', 'findingDecisions.projectId')
    .select(['projectId', 'number', 'reportId', 'findingId', 'decidedAt', 'status', 'reason', 'until'])
    .select(['note', 'notesKey'])
    .where('userId', '=', userId)
    .orderBy('projectId')
    .orderBy('number')
    .execute();
}

/** Shares of reports that the account owns, without slug and password. */
export async function listShares(db: Db, userId: string) {
  return db
    .selectFrom('shares')
    .innerJoin('reports', 'reports.id', 'shares.reportId')
    .select([
      'shares.id',
      'reportId',
      'label',
      'mode',
      'anonymousAllowed',
      'defaultPolicy',
      'shares.createdAt',
      'shares.expiresAt',
      'revokedAt',
      'viewCount',
      'lastViewedAt',
      'endedAt',
      'shares.createdBy',
      'showSender',
      'message',
      'reports.wrappedKey',
    ])
    .select((eb) => eb('shares.passwordHash', 'is not', null).as('hasPassword'))
    .where('reports.ownerId', '=', userId)
    .orderBy('shares.id')
    .execute();
}

export async function listPrincipals(db: Db, userId: string) {
  return db
    .selectFrom('sharePrincipals')
    .innerJoin('shares', 'shares.id', 'sharePrincipals.shareId')
    .innerJoin('reports', 'reports.id', 'shares.reportId')
    .select(['shareId', 'type', 'value', 'sharePrincipals.label', 'policy'])
    .where('reports.ownerId', '=', userId)
    .orderBy('shareId')
    .orderBy('position')
    .execute();
}

/** The principals by which shares of other people's reports name the account. */
export async function listNamedIn(db: Db, userId: string, email: string) {
  return db
    .selectFrom('sharePrincipals')
    .innerJoin('shares', 'shares.id', 'sharePrincipals.shareId')
    .innerJoin('reports', 'reports.id', 'shares.reportId')
    .select(['shareId', 'reportId', 'type', 'value', 'sharePrincipals.label'])
    .where('reports.ownerId', '!=', userId)
    .where((eb) =>
      eb.or([
        eb('sharePrincipals.userId', '=', userId),
        eb('sharePrincipals.value', '=', userId),
        eb('sharePrincipals.value', '=', email),
      ]),
    )
    .orderBy('shareId')
    .orderBy('position')
    .execute();
}

/** Support grants about the account's reports, and those that it created as an administrator. */
export async function listGrants(db: Db, userId: string) {
  return db
    .selectFrom('supportGrants')
    .innerJoin('reports', 'reports.id', 'supportGrants.reportId')
    .select([
      'supportGrants.id',
      'reportId',
      'administratorId',
      'reason',
      'supportGrants.createdAt',
      'supportGrants.expiresAt',
      'revokedAt',
      'uses',
      'lastUsedAt',
    ])
    .where((eb) => eb.or([eb('reports.ownerId', '=', userId), eb('administratorId', '=', userId)]))
    .orderBy('supportGrants.id')
    .execute();
}

/** When reports were read under these grants. */
export async function listGrantUses(db: Db, grantIds: readonly string[]) {
  if (grantIds.length === 0) return [];
  return db
    .selectFrom('supportUses')
    .select(['grantId', 'usedAt'])
    .where('grantId', 'in', grantIds)
    .orderBy('grantId')
    .orderBy('number')
    .execute();
}

/** Audit entries by the account, about it or about its devices, after a sequence number. */
export async function listAudit(
  db: Db,
  subjectIds: readonly string[],
  { actorId, after, most }: { readonly actorId: string; readonly after: number; readonly most: number },
) {
  return db
    .selectFrom('auditLog')
    .leftJoin('auditCounts', 'auditCounts.sequence', 'auditLog.sequence')
    .select(['auditLog.sequence', 'id', 'at', 'action', 'actorId', 'workspaceId', 'reportId', 'subjectId'])
    .select(['detail', 'auditCounts.count'])
    .where((eb) => eb.or([eb('actorId', '=', actorId), eb('subjectId', 'in', subjectIds)]))
    .where('auditLog.sequence', '>', after)
    .orderBy('auditLog.sequence')
    .limit(most)
    .execute();
}
