/**
 * Reports from their shell to their tombstone.
 *
 * A shell is made once for each local id of a user, and reserves a unit of the quota in the transaction that makes it. A
 * report's text is never here: it is in a blob, under a key that goes in the transaction in which the report expires. Its
 * owner is always a member of its workspace; when they leave, the workspace's oldest owner takes over.
 */
import type {
  CreateReportBody,
  ListedReport,
  OwnReport,
  Quota,
  ReportMetadata,
  ReportProjection,
  ReportState,
  SeverityCounts,
} from '@svc/contract';
import { isTime, limits } from '@svc/contract';
import { secretPaths } from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import { isAdministrator, isAdministratorId } from '#features/auth';
import { refuseClientVersion, type ClientVersionRules } from '#features/devices';
import type { PlanTable, QuotaFeature } from '#features/quota';
import { requireMembership } from '#features/workspaces';
import { isoTime, isoTimeOrNull, type Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import type { DevicePrincipal, SessionPrincipal } from '#principal';
import { accessOf, isExpired, type Access } from './policy.ts';
import * as store from './store.ts';
import type { ListPosition, ReportRow, SeenReport } from './store.ts';

const DAY_MS = 86_400_000;

export interface ReportPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly plans: PlanTable;
  readonly quota: Pick<QuotaFeature, 'reserve' | 'describe'>;
  readonly clientVersions: ClientVersionRules;
  readonly appBaseUrl: string;
  readonly platformAdminEmail: string | null;
}

export interface Shell {
  readonly reportId: string;
  readonly reportUrl: string;
  readonly expiresAt: string;
  readonly quota: Quota;
}

/** A report that may be read, and as what. */
export interface ReadableReport {
  readonly row: SeenReport;
  readonly access: Access;
}

export interface ListQuery {
  readonly workspaceId?: string | undefined;
  readonly projectId?: string | undefined;
  /** A time, or a report's id. */
  readonly before?: string | undefined;
}

export interface ReportService {
  create(
    device: DevicePrincipal,
    body: CreateReportBody,
  ): Promise<{
    readonly made: boolean;
    readonly state: Exclude<ReportState, 'expired'>;
    readonly shell: Shell;
  }>;
  list(caller: SessionPrincipal | DevicePrincipal, query: ListQuery): Promise<(ListedReport | OwnReport)[]>;
  /** @throws AppError NOT_FOUND for whoever may not read it, REPORT_EXPIRED when it is gone. */
  requireReadable(userId: string, reportId: string): Promise<ReadableReport>;
  /** The same, locked, so that what is decided by it holds to the end of the transaction. */
  lockReadable(tx: Tx, userId: string, reportId: string): Promise<ReadableReport>;
  /** Also one that has expired. @throws AppError NOT_FOUND for whoever may not read it. */
  requireVisible(userId: string, reportId: string): Promise<ReadableReport>;
  /**
   * A report for what only its owner may do.
   * @throws AppError NOT_FOUND for whoever may not read it, FORBIDDEN for members, REPORT_EXPIRED when it is gone.
   */
  requireOwned(userId: string, reportId: string): Promise<SeenReport>;
  /** The same, locked to the end of the transaction. */
  lockOwned(tx: Tx, userId: string, reportId: string): Promise<SeenReport>;
  describe(report: ReadableReport): ReportMetadata;
}

export function createReportService(ports: ReportPorts): ReportService {
  const { database, clock, ids, quota } = ports;
  const db = database.read;
  const urlOf = (reportId: string) => `${ports.appBaseUrl}/reports/${reportId}`;

  /** The version that the call names, else that of the device's link. */
  async function refuseOldClient(
    tx: Tx,
    { deviceId }: DevicePrincipal,
    named: string | undefined,
  ): Promise<void> {
    const { clientVersions } = ports;
    if (clientVersions.min === null && clientVersions.revoked.length === 0) return;
    refuseClientVersion(named ?? (await store.clientVersionOf(tx, deviceId)) ?? '', clientVersions);
  }

  function accessTo(row: SeenReport, userId: string): Access | null {
    return accessOf(row, {
      userId,
      isMember: row.isMember,
      isAdministrator: isAdministrator(row, ports.platformAdminEmail),
    });
  }

  /** A report that the caller may not see is no place: where it would stand tells that it is there, and since when. */
  async function requireProject(userId: string, projectId: string): Promise<void> {
    if (!isRecordId('prj', projectId) || !(await store.seesProject(db, userId, projectId)))
      throw new AppError('NOT_FOUND');
  }

  async function positionOf(userId: string, before: string | undefined): Promise<ListPosition | undefined> {
    if (before === undefined) return undefined;
    if (isTime(before)) return { createdAt: Date.parse(before), reportId: '' };
    const row = isRecordId('rep', before) ? await store.findSeenBy(db, userId, before) : null;
    if (row && accessTo(row, userId)) return { createdAt: row.createdAt, reportId: row.id };
    throw validationFailed({ path: '/before', message: 'must be a time or the id of a report' });
  }

  function metadataOf({ row, access }: ReadableReport): ReportMetadata {
    return {
      reportId: row.id,
      reportUrl: urlOf(row.id),
      state: presentState(row),
      workspaceId: row.workspaceId,
      projectId: row.projectId,
      projectName: row.projectName ?? row.nameOfProject ?? '',
      createdAt: isoTime(row.createdAt),
      finalizedAt: isoTimeOrNull(row.finalizedAt),
      expiresAt: isoTime(row.expiresAt),
      effortRequested: row.effortRequested,
      effortResolved: row.effortResolved,
      agent: row.agent === null ? null : (JSON.parse(row.agent) as ReportMetadata['agent']),
      host: row.host === null ? null : (JSON.parse(row.host) as ReportMetadata['host']),
      access,
    };
  }

  function listed({ row, access }: { row: store.ListedRow; access: Access }): ListedReport {
    const openFindings = row.openFindings === null ? null : (JSON.parse(row.openFindings) as SeverityCounts);
    return { ...metadataOf({ row, access }), openFindings };
  }

  function ownOf(row: ReportRow): OwnReport {
    return {
      reportId: row.id,
      localReportId: row.localReportId,
      reportUrl: urlOf(row.id),
      state: presentState(row),
      createdAt: isoTime(row.createdAt),
      finalizedAt: isoTimeOrNull(row.finalizedAt),
      expiresAt: isoTime(row.expiresAt),
    };
  }

  function visible(row: SeenReport | null, userId: string): ReadableReport {
    const access = row && accessTo(row, userId);
    if (!row || !access) throw new AppError('NOT_FOUND');
    return { row, access };
  }

  function readable(found: SeenReport | null, userId: string): ReadableReport {
    const report = visible(found, userId);
    refuseExpired(report.row, clock.now());
    return report;
  }

  function owned(found: SeenReport | null, userId: string): SeenReport {
    const { row, access } = visible(found, userId);
    if (access !== 'owner')
      throw new AppError('FORBIDDEN', { message: 'Only the owner of the report can do this.' });
    refuseExpired(row, clock.now());
    return row;
  }

  const find = async (userId: string, reportId: string) =>
    isRecordId('rep', reportId) ? store.findSeenBy(db, userId, reportId) : null;
  const lock = async (tx: Tx, userId: string, reportId: string) =>
    isRecordId('rep', reportId) ? store.lockSeenBy(tx, userId, reportId) : null;

  return {
    async create(device, body) {
      const { userId } = device;
      const { workspaceId, projectId, localReportId } = body;
      refuseSecrets(body);
      const { plan, made } = await database.transaction(async (tx) => {
        const membership = await requireMembership(tx, userId, workspaceId);
        if (!isRecordId('prj', projectId) || !(await store.lockProject(tx, userId, workspaceId, projectId)))
          throw new AppError('NOT_FOUND');
        await refuseOldClient(tx, device, body.host?.cliVersion);
        const now = clock.now();
        const expiresAt = now + ports.plans[membership.plan].retentionDays * DAY_MS;
        const row = newReport(ids.random('rep'), userId, body, now, expiresAt);
        if (!(await store.insertReport(tx, row))) return { plan: membership.plan, made: null };
        const reservationId = await quota.reserve(tx, userId, membership.plan);
        await store.updateReport(tx, row.id, { reservationId });
        return { plan: membership.plan, made: row };
      });
      const row = made ?? (await store.findByLocalId(db, userId, localReportId));
      if (!row || row.ownerId !== userId) throw new AppError('NOT_FOUND');
      if (row.projectId !== projectId)
        throw new AppError('CONFLICT', { message: 'A report of this local id belongs to another project.' });
      refuseExpired(row, clock.now());
      return {
        made: made !== null,
        state: presentState(row),
        shell: {
          reportId: row.id,
          reportUrl: urlOf(row.id),
          expiresAt: isoTime(row.expiresAt),
          quota: await quota.describe(userId, plan),
        },
      };
    },

    async list(caller, { workspaceId, projectId, before }) {
      const { userId } = caller;
      const isDevice = caller.kind === 'device';
      if (workspaceId !== undefined) await requireMembership(db, userId, workspaceId);
      if (projectId !== undefined) await requireProject(userId, projectId);
      const newest = await store.listSeenBy(db, userId, {
        workspaceId,
        projectId,
        before: await positionOf(userId, before),
        now: clock.now(),
        most: limits.reportsListedMax,
        ownedOnly: isDevice || (await isAdministratorId(db, userId, ports.platformAdminEmail)),
        madeOnly: isDevice,
      });
      return newest
        .toReversed()
        .map((row) =>
          isDevice ? ownOf(row) : listed({ row, access: row.ownerId === userId ? 'owner' : 'member' }),
        );
    },

    requireVisible: async (userId, reportId) => visible(await find(userId, reportId), userId),
    requireReadable: async (userId, reportId) => readable(await find(userId, reportId), userId),
    lockReadable: async (tx, userId, reportId) => readable(await lock(tx, userId, reportId), userId),
    requireOwned: async (userId, reportId) => owned(await find(userId, reportId), userId),
    lockOwned: async (tx, userId, reportId) => owned(await lock(tx, userId, reportId), userId),
    describe: metadataOf,
  };
}

/** As whom a report's own people read it. */
export function projectedForReader(access: Access): ReportProjection['projectedFor'] {
  return { principalType: access === 'owner' ? 'user' : 'workspace' };
}

/**
 * A report that this user's device made, for its further steps.
 * @throws AppError NOT_FOUND for all others, as for a report that is not there; REPORT_EXPIRED when it is gone.
 */
export async function requireOwnReport(
  db: Db,
  { userId }: DevicePrincipal,
  reportId: string,
  now: number,
): Promise<ReportRow> {
  return present(isRecordId('rep', reportId) ? await store.findOwn(db, userId, reportId) : null, now);
}

/** The same, locked, so that what is decided by its state holds to the end of the transaction. */
export async function lockOwnReport(
  tx: Tx,
  { userId }: DevicePrincipal,
  reportId: string,
  now: number,
): Promise<ReportRow> {
  return present(isRecordId('rep', reportId) ? await store.lockOwn(tx, userId, reportId) : null, now);
}

function present(row: ReportRow | null, now: number): ReportRow {
  if (!row) throw new AppError('NOT_FOUND');
  refuseExpired(row, now);
  return row;
}

/** @throws AppError REPORT_EXPIRED */
export function refuseExpired(row: Pick<ReportRow, 'state' | 'expiresAt'>, now: number): void {
  if (isExpired(row, now)) throw new AppError('REPORT_EXPIRED');
}

/** What is told of a report is kept in plain text. */
function refuseSecrets({ localReportId, projectName, agent, host }: CreateReportBody): void {
  const paths = secretPaths({ localReportId, projectName, agent, host });
  if (paths.length === 0) return;
  const issues = paths.map((path) => ({ path, message: 'holds a secret' }));
  throw new AppError('UNSAFE_PAYLOAD_REJECTED', { details: { issues } });
}

function presentState({ state }: ReportRow): Exclude<ReportState, 'expired'> {
  return state === 'finalized' ? 'finalized' : 'live';
}

function newReport(
  id: string,
  userId: string,
  body: CreateReportBody,
  createdAt: number,
  expiresAt: number,
): ReportRow {
  return {
    id,
    ownerId: userId,
    createdBy: userId,
    localReportId: body.localReportId,
    workspaceId: body.workspaceId,
    projectId: body.projectId,
    state: 'live',
    // One of the databases keeps no NUL.
    projectName: body.projectName?.replaceAll('\0', '\ufffd') ?? null,
    effortRequested: body.effortRequested,
    effortResolved: body.effortResolved,
    agent: body.agent ? JSON.stringify(body.agent) : null,
    host: body.host ? JSON.stringify(body.host) : null,
    createdAt,
    finalizedAt: null,
    expiresAt,
    expiredAt: null,
    reservationId: null,
    wrappedKey: null,
    uploadId: null,
    lastEventNumber: 0,
    amendments: 0,
    supportAccesses: 0,
  };
}
