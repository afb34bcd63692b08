/** The explicit list of features, each with the ports that it uses. */
import { endpoints, type ReadyChecks } from '@svc/contract';
import { createAdmin, createSupportGrants } from '#features/admin';
import { createAnalytics } from '#features/analytics';
import { createAudit } from '#features/audit';
import { createAuth, createIdentity, type PendingSetup } from '#features/auth';
import { createBilling } from '#features/billing';
import { createDevices } from '#features/devices';
import { createExportRecorder, createExports, createRenderings } from '#features/exports';
import { createFindings, createFindingsBase, setAsideOf } from '#features/findings';
import { createGate } from '#features/gate';
import { createHealth } from '#features/health';
import { createPages } from '#features/pages';
import { createProgress } from '#features/progress';
import { createPreparedReader, createProjections } from '#features/projections';
import { createProjects } from '#features/projects';
import { createQuota, type PlanTable } from '#features/quota';
import { createReports } from '#features/reports';
import { createShares, endShares } from '#features/shares';
import { createUpdates } from '#features/updates';
import { createContents, createTextsReader, createUploads } from '#features/uploads';
import { createWorkspaceFindings } from '#features/workspace-findings';
import { createWorkspaces } from '#features/workspaces';
import type { Feature } from '#feature';
import type { CredentialLookup } from '#http/credentials';
import type { Route } from '#http/route';
import type { Pages } from '#http/server';
import type { AccountKeys } from '#platform/account-keys';
import type { AnalyticsKeys } from '#platform/analytics-keys';
import type { Blobs } from '#platform/blobs/blobs';
import type { Bus } from '#platform/bus/bus';
import type { Clock } from '#platform/clock';
import type { CreationCaps } from '#platform/creation-caps';
import type { Database } from '#platform/database/database';
import type { HealthRecord } from '#platform/metrics/health-record';
import type { FileSystemSize } from '#platform/metrics/metrics';
import type { Ids } from '#platform/ids';
import type { Log } from '#platform/log';
import type { PasswordHasher } from '#platform/password-hash';
import type { PasswordStrength } from '#platform/password-strength';
import type { ProjectKeys } from '#platform/project-keys';
import type { ProgramFile } from '#platform/program-file';
import type { Random } from '#platform/random';
import type { ReplacedFile } from '#platform/replaced-file';
import type { ReportKeys } from '#platform/report-keys';
import type { SetupTokenFile } from '#platform/setup-token-file';
import type { ShareKeys } from '#platform/share-keys';
import type { Job } from '#platform/sweeper';
import type { ResourceBudgets } from '#platform/resource-budgets';
import type { Telemetry } from '#platform/telemetry/telemetry';
import type { Throttles } from '#platform/throttles';
import type { Timers } from '#platform/timers';

export interface AppPorts {
  readonly version: string;
  readonly database: Database;
  readonly bus: Bus;
  readonly blobs: Blobs;
  readonly reportKeys: ReportKeys;
  readonly projectKeys: ProjectKeys;
  readonly shareKeys: ShareKeys;
  readonly analyticsKeys: AnalyticsKeys;
  readonly accountKeys: AccountKeys;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly ids: Ids;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly healthRecord: HealthRecord;
  /** The file system of the data folder. */
  readonly fileSystem: () => Promise<FileSystemSize>;
  readonly findLastBackup: () => Promise<string | null>;
  readonly requestsUnderWay: () => number;
  readonly hasher: PasswordHasher;
  readonly passwordStrength: PasswordStrength;
  readonly throttles: Throttles;
  readonly resourceBudgets: ResourceBudgets;
  /** Smaller limits for tests; otherwise absent. */
  readonly exportBytesMax?: number | undefined;
  readonly renderingWorkMsMax?: number | undefined;
  readonly plans: PlanTable;
  readonly caps: CreationCaps;
  readonly streams: { readonly lifetimeMs: number; readonly perUserMax: number; readonly allMax: number };
  readonly webFolder: string;
  readonly appBaseUrl: string;
  readonly apiBaseUrl: string;
  readonly reportBytesMax: number;
  readonly platformAdminEmail: string | null;
  readonly sessionIdleMs: number;
  readonly confirmAfterMs: number | null;
  /** The token from the configuration; null means that the token is in a file. */
  readonly setupToken: string | null;
  readonly setupTokenFile: SetupTokenFile;
  readonly securityContact: string | null;
  readonly signUp: 'open' | 'invited' | 'closed';
  readonly clientVersions: { readonly min: string | null; readonly revoked: readonly string[] };
  /** Null when the operator serves no releases. */
  readonly releaseManifest: ReplacedFile | null;
  /** The CLI of this build. */
  readonly programFile: ProgramFile;
  readonly dependencies: Readonly<Record<keyof ReadyChecks, { check(): Promise<void> }>>;
  readonly isStopping: () => boolean;
}

export interface App {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
  readonly lookup: CredentialLookup;
  readonly pages: Pages;
  /** Call before the service listens. Resolves to where the setup token is; null when none is needed. */
  readonly prepareSetup: () => Promise<PendingSetup | null>;
  /** Ends streams, which would otherwise last for minutes, and accepts no new ones. */
  readonly endStreams: () => void;
  readonly openStreams: () => number;
  /** `quota` and `uploads` are exposed only for tests and for the faults of the benchmarks. */
  readonly quota: ReturnType<typeof createQuota>;
  readonly uploads: ReturnType<typeof createUploads>;
  /** Finishes work that no response waits for. Call it while the database is still open. */
  close(): Promise<void>;
}

export function createApp(ports: AppPorts): App {
  const audit = createAudit(ports);
  const identity = createIdentity(ports);
  const { requirePassword, getUser } = identity;
  const { requireConfirmed, findOpen: findOpenSessions } = identity.sessions;
  const grants = createSupportGrants({ ...ports, audit, requirePassword });
  const quota = createQuota(ports);
  const contents = createContents(ports);
  const findingsBase = createFindingsBase(ports);
  const { records: findingRecords, lapses, presence } = findingsBase;
  const reports = createReports({
    ...ports,
    quota,
    audit,
    async destroyContents(tx, reportIds) {
      await contents.destroy(tx, reportIds);
      await findingRecords.forget(tx, reportIds);
      await grants.forgetReasons(tx, reportIds);
    },
    presence,
    lapses,
    endShares,
  });
  const prepared = createPreparedReader({
    ...ports,
    readBlob: contents.readPrepared,
    deleteBlobs: contents.deleteBlobs,
  });
  const renderings = createRenderings({
    ...ports,
    renderingBudgets: ports.resourceBudgets.rendering,
    sizeOf: contents.sizeOf,
    readBytes: contents.readBytes,
    overlaysOf: findingRecords.overlaysOf,
    readPrepared: prepared.bytesOf,
    decisionsOf: prepared.decisionsOf,
  });
  const projections = createProjections({
    ...ports,
    followedOf: findingRecords.followedOf,
    decisionsOn: findingRecords.decisionsOn,
    filter: renderings.filtered,
    keepBlob: contents.keepPrepared,
    deleteBlobs: contents.deleteBlobs,
  });
  const findings = createFindings(
    {
      ...ports,
      audit,
      reports,
      isAdministrator: identity.isAdministrator,
    },
    findingsBase,
  );
  const recordExport = createExportRecorder(audit);
  const exports = createExports(
    {
      ...ports,
      requireReport: reports.requireReport,
      requireCurrent: reports.requireCurrent,
      decisionsOf: findings.decisionsOf,
      describe: reports.describe,
      baselineOf: findings.baselineOf,
      supportAccessesOf: grants.accessesOf,
      recordExport,
    },
    renderings,
  );
  const shares = createShares({
    ...ports,
    requireReport: reports.requireReport,
    requireCurrent: reports.requireCurrent,
    lapses,
    requireConfirmed,
    renderings,
    projections,
    audit,
    recordExport,
  });
  const uploads = createUploads(
    {
      ...ports,
      quota,
      followFindings: findingRecords.follow,
      moveMessages: shares.moveMessages,
      onFinalized: projections.startMaking,
    },
    contents,
  );
  const workspaces = createWorkspaces({ ...ports, reports, audit, requirePassword });
  const devices = createDevices({ ...ports, audit, getUser, requireConfirmed });
  const auth = createAuth(
    {
      ...ports,
      onAccountCreated: shares.pinAddress,
      createPersonalWorkspace: workspaces.createPersonalWorkspace,
      isInvitationOpen: workspaces.isInvitationOpen,
      leaveAllWorkspaces: workspaces.leaveAllWorkspaces,
      revokeDevices: devices.revokeAll,
    },
    identity,
  );
  const progress = createProgress({
    ...ports,
    findOpenSessions,
    requireReport: reports.requireReport,
  });
  const projects = createProjects({ ...ports, reports, lapses, forgetTool: presence.forgetTool });
  const workspaceFindings = createWorkspaceFindings({
    ...ports,
    isAdministrator: identity.isAdministrator,
    textsOf: createTextsReader(ports),
    lapses,
  });
  const updates = createUpdates(ports);
  const health = createHealth(ports);
  const features: Feature[] = [
    health,
    auth,
    devices,
    workspaces,
    projects,
    quota,
    reports,
    exports,
    findings,
    createGate({
      ...ports,
      audit,
      requireProject: projects.require,
      isAdministrator: identity.isAdministrator,
      setAsideOf,
    }),
    workspaceFindings,
    shares,
    uploads,
    progress,
    createAnalytics({ ...ports, requireProject: projects.require, requireReport: reports.requireReport }),
    updates,
    createBilling({ ...ports, audit }),
    createAdmin({
      ...ports,
      audit,
      grants,
      renderings,
      lapses,
      checkDependencies: health.checks,
      openStreams: progress.openStreams,
      offeredRelease: updates.programs.release,
    }),
  ];
  const routes = features.flatMap((feature) => feature.routes);
  rejectGaps(routes);
  return {
    routes,
    jobs: [...features.flatMap((feature) => feature.jobs), ...projections.jobs],
    lookup: {
      session: identity.sessions.find,
      device: devices.findDevice,
      isAdministrator: identity.isAdministrator,
      openSessions: findOpenSessions,
    },
    pages: createPages({
      ...ports,
      findSession: identity.sessions.find,
      getUser,
      describeLink: devices.describeLink,
      describeInvitation: workspaces.describeInvitation,
      listReports: reports.list,
      listWorkspaces: workspaces.list,
      listProjects: (userId) => projects.list(userId, null),
      listShares: shares.list,
      listWorkspaceShares: shares.listOfWorkspace,
      listFindings: workspaceFindings.list,
      getQuota: quota.get,
      getOverview: workspaceFindings.overview,
      getTrends: workspaceFindings.trends,
      ownPage: exports.page,
      sharedPage: shares.page,
      programs: updates.programs,
    }),
    prepareSetup: auth.prepareSetup,
    endStreams: progress.endStreams,
    openStreams: progress.openStreams,
    quota,
    uploads,
    async close() {
      await shares.close();
      await projections.settled();
      await renderings.close();
      await uploads.close();
      await ports.passwordStrength.close();
    },
  };
}

/** Makes sure that exactly one feature implements each endpoint of the contract. */
function rejectGaps(routes: readonly Route[]): void {
  for (const [operation, endpoint] of Object.entries(endpoints)) {
    const answering = routes.filter((route) => route.endpoint === endpoint).length;
    if (answering === 1) continue;
    throw new Error(
      `${operation} of the contract is answered by ${answering} routes instead of one: list it once in its feature's routes.ts, and the feature in app.ts.`,
    );
  }
}
