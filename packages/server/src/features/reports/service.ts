/**
 * Reports from their shell to their tombstone.
 *
 * A shell is created once for each local id of a user, and reserves a unit of the quota in the same transaction. Report
 * bodies are not here: they are in blobs, under a key that is deleted in the transaction in which the report expires.
 * The owner of a report is always a member of its workspace. When they leave, the owner with the oldest membership
 * takes over.
 */
import type {
  CreateReportBody,
  ListedReport,
  ListReportsQuery,
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
import { rejectClientVersion, type ClientVersionRules } from '#features/devices';
import type { PlanTable, QuotaFeature } from '#features/quota';
import { requireMembership } from '#features/workspaces';
import { chargedTransaction } from '#platform/charged-transaction';
import { DAY_MS, isoTime, isoTimeOrNull, type Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import type { Throttles } from '#platform/throttles';
import type { DevicePrincipal, SessionPrincipal } from '#principal';
import { rejectExpired } from './expired.ts';
import { accessOf, mayShare, type Access } from './policy.ts';
import * as store from './store.ts';
import type { ListPosition, ReportRow, SeenReport } from './store.ts';

export interface ReportPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly throttles: Pick<Throttles, 'chargeIfDue'>;
  readonly plans: PlanTable;
  readonly quota: Pick<QuotaFeature, 'newReservationId' | 'reserve' | 'describe'>;
  readonly clientVersions: ClientVersionRules;
  readonly appBaseUrl: string;
  readonly platformAdminEmail: string | null;
  /** Records the ends of decisions that have lapsed. */
  readonly lapses: {
    isDue(lapsing: { readonly lapsesAt: number | null }): boolean;
    settleReport(reportId: string): Promise<void>;
  };
}

export interface Shell {
  readonly reportId: string;
  readonly reportUrl: string;
  readonly expiresAt: string;
  readonly quota: Quota;
}

/** A report that may be read, and the kind of access. */
export interface ReadableReport {
  readonly row: SeenReport;
  readonly access: Access;
}

export interface ReportService {
  /**
   * @throws AppError NOT_FOUND, CONFLICT, REPORT_EXPIRED, UNSAFE_PAYLOAD_REJECTED, CLIENT_VERSION_…; for a new report also
   * RATE_LIMITED, SYNC_…_LIMIT_REACHED.
   */
  create(
    device: DevicePrincipal,
    body: CreateReportBody,
  ): Promise<{
    readonly made: boolean;
    readonly state: Exclude<ReportState, 'expired'>;
    readonly shell: Shell;
  }>;
  list(
    caller: SessionPrincipal | DevicePrincipal,
    query: ListReportsQuery,
  ): Promise<(ListedReport | OwnReport)[]>;
  /**
   * A report to render for its owner or a member, in which decisions that have lapsed no longer count.
   * @throws AppError as `requireReport` does.
   */
  requireCurrent(needs: 'readable' | 'shareable', userId: string, reportId: string): Promise<ReadableReport>;
  /**
   * @param needs `readable` for owners and members, while the report lasts; `visible` for them, ended or not;
   * `shareable` for the owner and the owners of its team workspace.
   * @param tx locks the report until the transaction ends.
   * @throws AppError NOT_FOUND for anyone who may not read it, FORBIDDEN for members who may not share it,
   * REPORT_EXPIRED when it has ended.
   */
  requireReport(
    needs: 'visible' | 'readable' | 'shareable',
    userId: string,
    reportId: string,
    tx?: Tx,
  ): Promise<ReadableReport>;
  describe(report: ReadableReport): ReportMetadata;
}

export function createReportService(ports: ReportPorts): ReportService {
  const { database, clock, ids, quota, platformAdminEmail } = ports;
  const db = database.read;
  const urlOf = (reportId: string) => `${ports.appBaseUrl}/reports/${reportId}`;

  async function requireProject(userId: string, projectId: string): Promise<void> {
    if (!isRecordId('prj', projectId) || !(await store.seesProject(db, userId, projectId)))
      throw new AppError('NOT_FOUND');
  }

  /**
   * A report that the caller may not see cannot mark a position: a page from there would reveal that the report exists,
   * and since when.
   */
  async function positionOf(userId: string, before: string | undefined): Promise<ListPosition | undefined> {
    if (before === undefined) return undefined;
    if (isTime(before)) return { createdAt: Date.parse(before), reportId: '' };
    const row = await store.findSeenBy(db, userId, before, 'read');
    if (row && accessOf(row, userId, isAdministrator(row, platformAdminEmail)))
      return { createdAt: row.createdAt, reportId: row.id };
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

  async function requireReport(
    ...[needs, userId, reportId, tx]: Parameters<ReportService['requireReport']>
  ): Promise<ReadableReport> {
    const row = await store.findSeenBy(tx ?? db, userId, reportId, tx ? 'lock' : 'read');
    const access = row && accessOf(row, userId, isAdministrator(row, platformAdminEmail));
    if (!row || !access) throw new AppError('NOT_FOUND');
    if (needs === 'shareable' && !mayShare(access, row))
      throw new AppError('FORBIDDEN', {
        message: 'Only the owner of the report and the owners of its team workspace can share it.',
      });
    if (needs !== 'visible') rejectExpired(row, clock.now());
    return { row, access };
  }

  return {
    async create(device, body) {
      const { userId } = device;
      const { workspaceId, projectId, localReportId } = body;
      rejectSecrets(body);
      const { plan, made, left } = await chargedTransaction(ports, userId, async (tx, due) => {
        const isKnowable = isRecordId('ws', workspaceId) && isRecordId('prj', projectId);
        const place = isKnowable ? await store.lockProject(tx, { userId, workspaceId, projectId }) : null;
        if (!place) throw new AppError('NOT_FOUND');
        const { clientVersions } = ports;
        if (clientVersions.min !== null || clientVersions.revoked.length > 0) {
          // The version in the call, else that of the device link.
          const version = body.host?.cliVersion ?? (await store.clientVersionOf(tx, device.deviceId)) ?? '';
          rejectClientVersion(version, clientVersions);
        }
        const now = clock.now();
        const expiresAt = now + ports.plans[place.plan].retentionDays * DAY_MS;
        const reservationId = quota.newReservationId();
        const row = newReport(ids.random('rep'), userId, body, { createdAt: now, expiresAt, reservationId });
        if (!(await store.insertReport(tx, row))) return { ...place, made: null, left: null };
        due();
        return {
          ...place,
          made: row,
          left: await quota.reserve(tx, { id: reservationId, userId, ...place }),
        };
      });
      const row = made ?? (await store.findByLocalId(db, userId, localReportId));
      if (!row || row.ownerId !== userId) throw new AppError('NOT_FOUND');
      if (row.projectId !== projectId)
        throw new AppError('CONFLICT', {
          message: 'The report with this local id belongs to another project.',
        });
      rejectExpired(row, clock.now());
      return {
        made: made !== null,
        state: row.state,
        shell: {
          reportId: row.id,
          reportUrl: urlOf(row.id),
          expiresAt: isoTime(row.expiresAt),
          quota: left ?? (await quota.describe(userId, plan)),
        },
      };
    },

    async list(caller, { workspaceId, projectId, localReportId, before }) {
      const { userId } = caller;
      const isDevice = caller.kind === 'device';
      // A local id is unique only for its creator, so a member's report with the same local id is another report.
      const isOwnOnly = isDevice || localReportId !== undefined;
      if (workspaceId !== undefined) await requireMembership(db, userId, workspaceId);
      if (projectId !== undefined) await requireProject(userId, projectId);
      const filter = {
        workspaceId,
        projectId,
        localReportId,
        before: await positionOf(userId, before),
        now: clock.now(),
        most: limits.reportsListedMax,
        ownedOnly: isOwnOnly || (await isAdministratorId(db, userId, ports.platformAdminEmail)),
        madeOnly: isOwnOnly,
      };
      const found = await store.listSeenBy(db, userId, filter);
      const due = isDevice ? [] : found.filter(ports.lapses.isDue);
      for (const { id } of due) await ports.lapses.settleReport(id);
      const newest = due.length === 0 ? found : await store.listSeenBy(db, userId, filter);
      return newest
        .toReversed()
        .map((row) =>
          isDevice ? ownOf(row) : listed({ row, access: row.ownerId === userId ? 'owner' : 'member' }),
        );
    },

    async requireCurrent(needs, userId, reportId) {
      const readable = await requireReport(needs, userId, reportId);
      if (!ports.lapses.isDue(readable.row)) return readable;
      await ports.lapses.settleReport(reportId);
      return requireReport(needs, userId, reportId);
    },

    requireReport,

    describe: metadataOf,
  };
}

/** For whom a report is projected when its owner or a member reads it. */
export const projectedForReader: Readonly<Record<Access, ReportProjection['projectedFor']>> = {
  owner: { principalType: 'user' },
  member: { principalType: 'workspace' },
};

/**
 * A report that this user's device created, for its further steps. When locked, its state stays the same until the
 * transaction ends.
 * @throws AppError NOT_FOUND for all others, as for an unknown report; REPORT_EXPIRED when it has ended.
 */
export async function requireOwnReport(
  db: Db,
  { userId }: DevicePrincipal,
  reportId: string,
  now: number,
  locking: store.Locking = 'read',
): Promise<ReportRow> {
  const row = await store.findOwn(db, userId, reportId, locking);
  if (!row) throw new AppError('NOT_FOUND');
  rejectExpired(row, now);
  return row;
}

/** A secret is rejected here, because the metadata of a report is stored in plain text. */
function rejectSecrets({ localReportId, projectName, agent, host }: CreateReportBody): void {
  const paths = secretPaths({ localReportId, projectName, agent, host });
  if (paths.length === 0) return;
  const issues = paths.map((path) => ({ path, message: 'contains a secret', rule: 'secret' as const }));
  throw new AppError('UNSAFE_PAYLOAD_REJECTED', { details: { issues } });
}

function presentState({ state }: ReportRow): Exclude<ReportState, 'expired'> {
  return state === 'finalized' ? 'finalized' : 'live';
}

function newReport(
  id: string,
  userId: string,
  body: CreateReportBody,
  reserved: Pick<ReportRow, 'createdAt' | 'expiresAt' | 'reservationId'>,
): ReportRow {
  return {
    id,
    ownerId: userId,
    createdBy: userId,
    localReportId: body.localReportId,
    workspaceId: body.workspaceId,
    projectId: body.projectId,
    state: 'live',
    // PostgreSQL cannot store NUL.
    projectName: body.projectName?.replaceAll('\0', '\ufffd') ?? null,
    effortRequested: body.effortRequested,
    effortResolved: body.effortResolved,
    agent: body.agent ? JSON.stringify(body.agent) : null,
    host: body.host ? JSON.stringify(body.host) : null,
    ...reserved,
    finalizedAt: null,
    expiredAt: null,
    wrappedKey: null,
    uploadId: null,
    lastEventNumber: 0,
    overlayVersion: 0,
    supportAccesses: 0,
    countedAs: null,
    lapsesAt: null,
    openedFindings: null,
    fixedFindings: null,
  };
}
