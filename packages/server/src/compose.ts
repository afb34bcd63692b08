/**
 * The composition root: the only file that composes the service, with the stores of
 * adapters.ts. It opens what the configuration asks for and closes it in reverse
 * order. If the configuration is rejected, nothing stays half open.
 */
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '@svc/contract';
import { openBlobs, openBus, openCounters, openDatabase, type OpenBlobs } from './adapters.ts';
import { createApp, type App } from './app.ts';
import type { Config } from './config.ts';
import type { PendingSetup } from '#features/auth';
import { defaultPlans, PlanTableSchema } from '#features/quota';
import { someBlobNames } from '#features/uploads';
import { createHttpServer, type HttpServer } from '#http/server';
import { defaultTimeouts, type Timeouts } from '#http/timeouts';
import { createAccountKeys } from '#platform/account-keys';
import { createAnalyticsKeys } from '#platform/analytics-keys';
import { claimBlobs } from '#platform/blobs/blob-owner';
import { newBlobName, type Blobs } from '#platform/blobs/blobs';
import { systemClock, type Clock } from '#platform/clock';
import { creationCaps } from '#platform/creation-caps';
import { openDataFolder } from '#platform/data-folder';
import type { Counters } from '#platform/counters/counters';
import { createMemoryCounters } from '#platform/counters/memory';
import type { Database } from '#platform/database/database';
import type { RedisPatience } from '#platform/counters/redis-connection';
import type { DatabasePatience } from '#platform/database/postgres';
import { createIds } from '#platform/ids';
import { createLog, type Log } from '#platform/log';
import { findLastBackup, LAST_BACKUP } from '#platform/last-backup';
import { isNewDeployment, openMasterKeys } from '#platform/master-key';
import { readOperatorFile } from '#platform/operator-file';
import { outgoingBudgets } from '#platform/outgoing-budgets';
import { createPasswordHasher, type HashingCost, type PasswordHasher } from '#platform/password-hash';
import { createPasswordStrength, type PasswordStrength } from '#platform/password-strength';
import { createProgramFile } from '#platform/program-file';
import { createProjectKeys } from '#platform/project-keys';
import { systemRandom, type Random } from '#platform/random';
import { createReplacedFile } from '#platform/replaced-file';
import { createReportKeys } from '#platform/report-keys';
import { createSetupTokenFile } from '#platform/setup-token-file';
import { createShareKeys } from '#platform/share-keys';
import type { EventSignatures } from '#platform/signatures/signatures';
import { startSweeper } from '#platform/sweeper';
import { createHealthRecord } from '#platform/metrics/health-record';
import { noMetrics, type FileSystemSize, type Metrics } from '#platform/metrics/metrics';
import type { Telemetry } from '#platform/telemetry/telemetry';
import { noTracing, type Tracing } from '#platform/tracing/tracing';
import { systemTimers, type Timers } from '#platform/timers';
import { resourceBudgetsWith } from '#platform/resource-budgets';
import { ThrottlesSchema } from '#platform/throttle-budgets';
import { createThrottles } from '#platform/throttles';
import { StartError } from './start-error.ts';
import { version } from './version.ts';

/** The sources and the bundle are equally deep in the tree, so these paths work from both. */
const WEB_FOLDER = path.join(import.meta.dirname, '../../web/dist');
const PROGRAM = path.join(import.meta.dirname, '../../cli/dist/svc.mjs');

/** What tests can replace. */
export interface Replacements {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Wraps the configured blob store, to make it fail. */
  readonly wrapBlobs?: (blobs: Blobs) => Blobs;
  /** Wraps the configured counters, to make them fail. */
  readonly wrapCounters?: (counters: Counters) => Counters;
  /** See BindingOptions. */
  readonly checkAnswers?: boolean;
  readonly timeouts?: Partial<Timeouts>;
  readonly databasePatience?: DatabasePatience;
  readonly redisPatience?: RedisPatience;
  readonly timers?: Timers;
  /** False when a test, not a timer, runs the jobs. */
  readonly sweeps?: boolean;
  /** False when data need not survive a power cut, so that no write waits for the disk. */
  readonly durable?: boolean;
  /** Replaces the cost of hashing that makes passwords hard to guess. */
  readonly hashingCost?: HashingCost;
  /** Replaces the dictionaries that rate new passwords. */
  readonly passwordStrength?: PasswordStrength;
  /** The path of the CLI to serve instead of the built one. */
  readonly program?: string;
  /** Replaces the limits of one export, which only a large report exceeds. */
  readonly exportBounds?: { readonly exportBytesMax?: number; readonly renderingWorkMsMax?: number };
}

export interface Service {
  readonly http: HttpServer;
  readonly app: App;
  readonly database: Database;
  readonly log: Log;
  /** The origin of the pages. */
  readonly appBaseUrl: string;
  readonly dataDir: string;
  /** Set if the platform administrator's address had no account when the service started. */
  readonly pendingSetup: PendingSetup | null;
  /**
   * Reports "not ready" from now on, and closes each connection with its next response. All requests are still
   * answered.
   */
  announceStop(): void;
  /** Ends live streams, which would otherwise last for minutes, and accepts no new ones. */
  endStreams(): void;
  /** Finishes requests under way within the grace period, then releases everything. */
  close(graceMs: number): Promise<void>;
}

/** @throws StartError when the service cannot start; then nothing is left open. */
export async function compose(config: Config, replacements: Replacements = {}): Promise<Service> {
  const clock = replacements.clock ?? systemClock;
  const random = replacements.random ?? systemRandom;
  const plainLog = replacements.log ?? createLog(config.logLevel);
  const opened: (() => Promise<void> | void)[] = [];
  const closeOpened = async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  };
  try {
    const plans =
      config.plansPath === null
        ? defaultPlans
        : readOperatorFile('PLANS_PATH', config.plansPath, PlanTableSchema);
    const {
      creations,
      outgoingBytes,
      rendering = {},
      ...budgets
    } = config.throttlesPath === null
      ? {}
      : readOperatorFile('THROTTLES_PATH', config.throttlesPath, ThrottlesSchema);
    const resourceBudgets = resourceBudgetsWith({ rendering });
    const folder = openDataFolder(config.dataDir);
    opened.push(() => folder.release());
    const prometheus = config.metricsToken === null ? null : await openMetrics();
    const healthRecord = createHealthRecord(clock, prometheus?.metrics ?? noMetrics);
    const { metrics } = healthRecord;
    const tracing = await openTracing(config, plainLog, metrics);
    opened.push(() => tracing.close());
    const telemetry: Telemetry = { metrics, tracing };
    const observed = await observedPorts(config, telemetry);
    const log = observed?.log(plainLog) ?? plainLog;
    const stored = await openBlobs(config, folder.file('blobs'), random, replacements.durable);
    opened.push(() => stored.close());
    const wrapped = replacements.wrapBlobs?.(stored.blobs) ?? stored.blobs;
    const blobs = observed?.blobs(wrapped) ?? wrapped;
    const openedDatabase = await openDatabase(config, folder.file('svc.db'), log, {
      ...replacements,
      observe: observed?.statement,
    });
    opened.push(() => openedDatabase.close());
    const database = observed?.database(openedDatabase) ?? openedDatabase;
    if (await isNewDeployment(database)) await rejectForeignBlobs(stored);
    const masterKeys = await openMasterKeys({
      database,
      configured: config.masterKeys,
      file: folder.file('master.key'),
      random,
    });
    await claimBlobs(database, stored, someBlobNames, () => newBlobName(random));
    const { counters: ownCounters, close: closeCounters } = await openCounters(
      config,
      database,
      clock,
      masterKeys.derive,
      log,
      replacements.redisPatience,
    );
    opened.push(closeCounters);
    const wrappedCounters = replacements.wrapCounters?.(ownCounters) ?? ownCounters;
    const counters = observed?.counters(wrappedCounters) ?? wrappedCounters;
    const throttles = createThrottles({
      counters,
      inProcess: createMemoryCounters(clock),
      budgets,
      metrics,
    });
    const bus = await openBus(config, database, log);
    opened.push(() => bus.close());
    const signatures = await openSignatures(config, clock);

    const timers = replacements.timers ?? systemTimers;
    let stopping = false;
    const fileSystem = () => fileSystemOf(folder.path);
    const hasher = createPasswordHasher(
      undefined,
      replacements.hashingCost,
      metrics.capacity('password hashing'),
    );
    const port = config.port;
    const appBaseUrl = config.appBaseUrl ?? `http://localhost:${port}`;
    const apiBaseUrl = config.apiBaseUrl ?? appBaseUrl;
    const app = createApp({
      version,
      database,
      bus,
      clock,
      timers,
      streams: config.streams,
      random,
      ids: createIds(clock, random),
      log,
      telemetry,
      healthRecord,
      fileSystem,
      findLastBackup: () => findLastBackup(folder.file(LAST_BACKUP)),
      requestsUnderWay: () => http.underWay(),
      hasher: observed?.hasher(hasher) ?? hasher,
      passwordStrength: replacements.passwordStrength ?? createPasswordStrength(telemetry),
      throttles,
      caps: creationCaps(creations),
      resourceBudgets,
      ...replacements.exportBounds,
      plans,
      webFolder: WEB_FOLDER,
      appBaseUrl,
      apiBaseUrl,
      platformAdminEmail: config.platformAdminEmail,
      sessionIdleMs: config.sessionIdleMs,
      confirmAfterMs: config.confirmAfterMs,
      setupToken: config.setupToken,
      setupTokenFile: createSetupTokenFile(folder.file('setup-token')),
      securityContact: config.securityContact,
      signUp: config.signUp,
      clientVersions: config.clientVersions,
      releaseManifest:
        config.updateManifestPath === null
          ? null
          : createReplacedFile(config.updateManifestPath, limits.release.manifestBytesMax, clock),
      programFile: createProgramFile(replacements.program ?? PROGRAM),
      reportBytesMax: config.reportBytesMax,
      blobs,
      reportKeys: createReportKeys(masterKeys, random),
      shareKeys: createShareKeys(masterKeys.derive),
      projectKeys: createProjectKeys(masterKeys.derive),
      analyticsKeys: createAnalyticsKeys(masterKeys.derive),
      accountKeys: createAccountKeys(masterKeys.derive),
      dependencies: {
        // A process that gets no hints from the others would learn too late that a reader's permission has ended.
        database: { check: async () => void (await Promise.all([database.check(), bus.check()])) },
        blobs,
        counters,
      },
      isStopping: () => stopping,
    });
    opened.push(() => app.close());
    const pendingSetup = await app.prepareSetup();
    const exposition = prometheus?.exposition({
      requestsUnderWay: () => http.underWay(),
      streams: app.openStreams,
      streamsMax: config.streams.allMax,
      connections: database.connections,
      dependencies: { database, blobs, counters },
      fileSystem,
    });
    const http: HttpServer = await createHttpServer(app.routes, {
      lookup: app.lookup,
      secure: appBaseUrl.startsWith('https:'),
      ourOrigins: [appBaseUrl, apiBaseUrl],
      trustedProxyHops: config.trustedProxyHops,
      checkAnswers: replacements.checkAnswers ?? false,
      timeouts: { ...defaultTimeouts, ...replacements.timeouts },
      reportBytesMax: config.reportBytesMax,
      signatures,
      appBaseUrl,
      apiBaseUrl,
      allowedHosts: config.allowedHosts,
      log,
      telemetry,
      metricsRoute:
        exposition && config.metricsToken !== null ? { token: config.metricsToken, exposition } : null,
      bus,
      clock,
      timers,
      outgoingBudgets: outgoingBudgets(outgoingBytes),
      pages: app.pages,
    });
    const jobs = [...app.jobs, { name: 'throttle windows', everyMs: 60_000, run: () => throttles.sweep() }];
    const sweeper = startSweeper(replacements.sweeps === false ? [] : jobs, {
      log,
      database,
      telemetry,
    });
    opened.push(() => sweeper.stop());
    return {
      http,
      app,
      database,
      log,
      appBaseUrl,
      dataDir: folder.path,
      pendingSetup,
      announceStop() {
        stopping = true;
        http.closeConnectionsAfterAnswer();
      },
      endStreams: app.endStreams,
      async close(graceMs) {
        app.endStreams();
        await http.close(graceMs);
        await closeOpened();
      },
    };
  } catch (error) {
    await closeOpened();
    throw error;
  }
}

/**
 * A new database would treat every existing blob as an orphan, and delete the blobs before their own database is
 * restored.
 */
async function rejectForeignBlobs({ blobs, place, otherPlace }: OpenBlobs): Promise<void> {
  for await (const _ of blobs.list(Number.MAX_SAFE_INTEGER)) {
    throw new StartError(
      `The database is new, but ${place} holds report bodies. Restore their database, from a backup or with DATABASE_URL, or ${otherPlace}.`,
    );
  }
}

/** Migrates the configured database to the current schema, and closes it. */
export async function migrateDatabase(config: Config): Promise<void> {
  const folder = openDataFolder(config.dataDir);
  try {
    const database = await openDatabase(config, folder.file('svc.db'), createLog(config.logLevel));
    await database.close();
  } finally {
    folder.release();
  }
}

async function openMetrics() {
  // Loaded only here, because most deployments don't need it.
  const { createPrometheusMetrics } = await import('#platform/metrics/prometheus');
  return createPrometheusMetrics(version);
}

async function openTracing({ tracing }: Config, log: Log, metrics: Metrics): Promise<Tracing> {
  if (tracing === null) return noTracing;
  // Loaded only here, because most deployments don't need it.
  const { openOtlpTracing } = await import('#platform/tracing/otlp');
  return openOtlpTracing(tracing, { version, log, metrics });
}

/** Null if there are neither metrics nor traces, so that calls are not wrapped needlessly. */
async function observedPorts({ database, metricsToken, tracing }: Config, telemetry: Telemetry) {
  if (metricsToken === null && tracing === null) return null;
  const observed = await import('#platform/telemetry/observed');
  const system = database.kind === 'sqlite' ? 'sqlite' : 'postgresql';
  return {
    blobs: (blobs: Blobs) => observed.observedBlobs(blobs, telemetry),
    counters: (counters: Counters) => observed.observedCounters(counters, telemetry),
    database: (opened: Database) => observed.tracedDatabase(opened, telemetry.tracing),
    hasher: (hasher: PasswordHasher) => observed.tracedHasher(hasher, telemetry.tracing),
    log: (log: Log) => observed.tracedLog(log, telemetry.tracing),
    statement: observed.statementObserver(system, telemetry),
  };
}

async function fileSystemOf(folder: string): Promise<FileSystemSize> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
}

async function openSignatures(
  { billingWebhookSecrets }: Config,
  clock: Clock,
): Promise<EventSignatures | null> {
  if (billingWebhookSecrets.length === 0) return null;
  // Loaded only here: the library is larger than the service.
  const { createStripeSignatures } = await import('#platform/signatures/stripe');
  return createStripeSignatures(billingWebhookSecrets, clock);
}
