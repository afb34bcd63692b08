/**
 * Prepared projections: for each policy of a report's active shares, the report filtered under it, as a blob. A read
 * through a share reads only that blob, so its time depends on what it shows and not on what it hides.
 *
 * Rows are created and deleted in the transactions that create, change and end shares. Blobs are created after those
 * transactions, and a row gets its blob under the report's lock. A row without a blob is prepared by the first read
 * that needs it or by the next run of the job.
 */
import type { SharePolicy } from '@svc/contract';
import { listedUnder, type FindingOverlays, type FindingSnapshot } from '@svc/report';
import { lockReport } from '#features/reports';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { HOUR_MS, type Clock } from '#platform/clock';
import type { Database, Db, Tx } from '#platform/database/database';
import { describeError, type Log } from '#platform/log';
import type { Job } from '#platform/sweeper';
import type { Telemetry } from '#platform/telemetry/telemetry';
import { nextLapse, type Decision } from './moves.ts';
import { packedBits, rowsToChange } from './policy.ts';
import * as store from './store.ts';
import type { PreparedRow, ProjectableReport, ProjectionKey } from './store.ts';

const MADE_EVERY_MS = 60_000;
const MADE_AT_ONCE_MAX = 100;
const RELEASED_EVERY_MS = HOUR_MS;
const REPORTS_AT_ONCE = 100;

export interface ProjectionsPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** The findings of a final report, and the decisions of earlier reports about them. */
  readonly followedOf: (reportId: string) => Promise<{
    readonly snapshots: readonly FindingSnapshot[];
    readonly overlays: FindingOverlays;
    /** When the decisions of earlier reports lapse, by finding. */
    readonly lapses: ReadonlyMap<string, number>;
  }>;
  /** The triage decisions about a report's findings, oldest first, with the time at which they lapse. */
  readonly decisionsOn: (
    tx: Tx,
    reportId: string,
  ) => Promise<readonly (Decision & { readonly until: number | null })[]>;
  readonly filter: (
    report: ProjectableReport,
    policy: SharePolicy,
    overlays: FindingOverlays,
  ) => Promise<Uint8Array>;
  /** Stores the bytes as a blob, unless `record` returns false. */
  readonly keepBlob: (
    report: ProjectableReport,
    bytes: Uint8Array,
    record: (blobName: string) => Promise<boolean>,
  ) => Promise<void>;
  /** Deletes blobs after the transaction has committed. */
  readonly deleteBlobs: (tx: Tx, blobNames: readonly string[]) => Promise<void>;
}

/** A prepared projection whose blob exists. */
export interface PreparedProjection {
  readonly blobName: string;
  readonly sizeBytes: number;
  /** The number of triage decisions about findings that it lists, and of their ends. */
  readonly version: number;
  /** No later than the time at which the next of these decisions lapses. */
  readonly lapsesAt: number | null;
}

export interface ProjectionsService {
  /**
   * Returns the projection for a read, and prepares it if needed. Null when the report has too many projections, the
   * share has ended, or preparing failed.
   */
  require(key: ProjectionKey, known: PreparedRow | null | undefined): Promise<PreparedProjection | null>;
  /** Adds and deletes rows as the report's active shares require, in the transaction that changes a share. */
  settle(tx: Tx, reportId: string): Promise<void>;
  /** Prepares what is missing for a report. A failure is logged, and the job tries again. */
  makeMissing(reportId: string): Promise<void>;
  /** Like `makeMissing`, but in the background. */
  startMaking(reportId: string): void;
  /** Waits for background work. */
  settled(): Promise<void>;
  readonly jobs: readonly Job[];
}

export function createProjectionsService(ports: ProjectionsPorts): ProjectionsService {
  const { database, bus, clock, log, telemetry } = ports;
  const db: Db = database.read;
  const underWay = new Map<string, Promise<PreparedProjection | null>>();
  const started = new Set<Promise<void>>();

  function make(key: ProjectionKey): Promise<PreparedProjection | null> {
    const name = `${key.reportId} ${key.policyDigest}`;
    const known = underWay.get(name);
    if (known) return known;
    const making = makeNow(key).finally(() => underWay.delete(name));
    underWay.set(name, making);
    return making;
  }

  async function makeNow(key: ProjectionKey): Promise<PreparedProjection | null> {
    const report = await store.findProjectable(db, key.reportId);
    const text = report && (await store.findPolicy(db, key, clock.now()));
    if (!report || text === null) return null;
    const policy = JSON.parse(text) as SharePolicy;
    const { snapshots, overlays, lapses } = await ports.followedOf(report.id);
    const isListed = listedUnder(policy);
    const listedMarks = snapshots.filter(isListed);
    const listedIds = new Set(listedMarks.map(({ id }) => id));
    const bytes = await ports.filter(report, policy, overlays);
    const sizeBytes = bytes.length;
    const listed = packedBits(snapshots, isListed);
    let row: PreparedRow | null = null;
    await ports.keepBlob(report, bytes, (blobName) =>
      database.transaction(async (tx) => {
        row = (await store.lockProjectable(tx, report.id)) ? await store.findPrepared(tx, key) : null;
        // The share has ended, or another replica was faster.
        if (row === null || row.blobName !== null) return false;
        const decisions = (await ports.decisionsOn(tx, report.id)).filter(({ findingId }) =>
          listedIds.has(findingId),
        );
        const untils = new Map<string, number | null>(lapses);
        for (const { findingId, until } of decisions) untils.set(findingId, until);
        const pending = snapshots.flatMap(({ id }, place) => {
          const until = untils.get(id) ?? null;
          return until === null ? [] : { place, until };
        });
        row = { blobName, sizeBytes, version: decisions.length, lapsesAt: nextLapse(pending, listed) };
        await store.updateRow(tx, key, { ...row, listed });
        await store.insertStatusChanges(
          tx,
          decisions.map(({ findingId, changedAt, toStatus, action }, index) => ({
            blobName,
            version: index + 1,
            findingId,
            changedAt,
            toStatus,
            action,
          })),
        );
        await bus.publish(tx, topics.projection(key.reportId, key.policyDigest));
        return true;
      }),
    );
    return made(row);
  }

  async function makeMissing(reportId: string): Promise<void> {
    for (const { policyDigest, blobName } of await store.listRows(db, reportId)) {
      if (blobName === null) await tryToMake({ reportId, policyDigest });
    }
  }

  async function tryToMake(key: ProjectionKey): Promise<PreparedProjection | null> {
    try {
      return await make(key);
    } catch (error) {
      log.warn('projection not prepared yet', { error: describeError(error) });
      return null;
    }
  }

  async function settle(tx: Tx, reportId: string): Promise<void> {
    const rows = await store.listRows(tx, reportId);
    const { added, released } = rowsToChange(
      await store.listUsedDigests(tx, reportId, clock.now()),
      rows.map(({ policyDigest }) => policyDigest),
    );
    await ports.deleteBlobs(tx, await store.deleteRows(tx, reportId, released));
    await store.insertRows(tx, reportId, added);
    for (const digest of [...added, ...released]) await bus.publish(tx, topics.projection(reportId, digest));
  }

  async function makeAll(): Promise<void> {
    for (const key of await store.listToMake(db, MADE_AT_ONCE_MAX)) await tryToMake(key);
  }

  async function releaseUnused(): Promise<void> {
    let last = '';
    for (;;) {
      const reportIds = await store.listReports(db, last, REPORTS_AT_ONCE);
      for (const reportId of reportIds) {
        await database.transaction(async (tx) => {
          if (await lockReport(tx, reportId)) await settle(tx, reportId);
        });
        last = reportId;
      }
      if (reportIds.length < REPORTS_AT_ONCE) return;
    }
  }

  return {
    async require(key, known) {
      const row = known === undefined ? await store.findPrepared(db, key) : known;
      return row && (made(row) ?? (await tryToMake(key)));
    },
    settle,
    makeMissing,
    startMaking(reportId) {
      const making = telemetry.tracing
        .task('prepare projections', () => makeMissing(reportId))
        .catch((error: unknown) => log.warn('projections not prepared yet', { error: describeError(error) }))
        .finally(() => started.delete(making));
      started.add(making);
    },
    async settled() {
      await Promise.all(started);
    },
    jobs: [
      { name: 'projections to prepare', everyMs: MADE_EVERY_MS, run: makeAll },
      { name: 'projections of ended shares', everyMs: RELEASED_EVERY_MS, run: releaseUnused },
    ],
  };
}

function made(row: PreparedRow | null): PreparedProjection | null {
  const { blobName = null, sizeBytes = null, version = 0, lapsesAt = null } = row ?? {};
  return blobName === null || sizeBytes === null ? null : { blobName, sizeBytes, version, lapsesAt };
}
