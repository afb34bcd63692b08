/** Reads a prepared projection: its blob, and the triage decisions that it shows. */
import type { FindingOverlays } from '@svc/report';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Database, Tx } from '#platform/database/database';
import { describeError, type Log } from '#platform/log';
import { decisionsOf } from './moves.ts';
import type { PreparedProjection } from './service.ts';
import * as store from './store.ts';

export interface PreparedReaderPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Log;
  /** Null when the blob is missing or damaged. */
  readonly readBlob: (report: ReportKey, blobName: string) => Promise<Uint8Array | null>;
  /** Deletes blobs after the transaction has committed. */
  readonly deleteBlobs: (tx: Tx, blobNames: readonly string[]) => Promise<void>;
}

interface ReportKey {
  readonly id: string;
  readonly wrappedKey: Uint8Array | null;
}

export interface PreparedReader {
  /** Null when the blob is missing or damaged. The projection is then prepared again later. */
  bytesOf(report: ReportKey, prepared: PreparedProjection): Promise<Uint8Array | null>;
  /** Null when the decisions were deleted with the blob. */
  decisionsOf(prepared: PreparedProjection): Promise<FindingOverlays | null>;
}

export function createPreparedReader(ports: PreparedReaderPorts): PreparedReader {
  const { database, bus, log } = ports;

  /**
   * Replaces a row whose blob is lost with one without a blob. If no row names the blob any more, it is not needed
   * either.
   */
  async function replaceLost(reportId: string, blobName: string): Promise<void> {
    const lost = (await store.listRows(database.read, reportId)).find((row) => row.blobName === blobName);
    if (!lost) return;
    log.error('prepared projection is missing or damaged', {
      error: describeError(new Error(`report ${reportId}, blob ${blobName}`)),
    });
    const key = { reportId, policyDigest: lost.policyDigest };
    await database.transaction(async (tx) => {
      await store.lockProjectable(tx, reportId);
      const row = await store.findPrepared(tx, key);
      if (row?.blobName !== blobName) return;
      await ports.deleteBlobs(tx, await store.deleteRows(tx, reportId, [key.policyDigest]));
      await store.insertRows(tx, reportId, [key.policyDigest]);
      await bus.publish(tx, topics.projection(reportId, key.policyDigest));
    });
  }

  return {
    async bytesOf(report, { blobName }) {
      const bytes = await ports.readBlob(report, blobName);
      if (!bytes) await replaceLost(report.id, blobName);
      return bytes;
    },
    decisionsOf: ({ blobName, version }) => decisionsOf(database.read, blobName, version),
  };
}
