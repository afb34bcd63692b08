/**
 * Writes the audit log.
 *
 * An entry belongs to the transaction of the action that it records, so both are committed or neither. Facts wait in
 * memory until the rest of the transaction is done. Then the end of the chain is locked, read and extended, and the
 * commit follows immediately. So concurrent transactions on PostgreSQL hold the chain for a few statements and the
 * commit, and wait for nothing else meanwhile. On SQLite only one transaction runs at a time anyway.
 *
 * `merging.ts` says which actions are merged into one entry when they are repeated.
 */
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import { noTelemetry, type Telemetry } from '#platform/telemetry/telemetry';
import { chained, origin, type AuditRow } from './chain.ts';
import type { AuditFact } from './fact.ts';
import type { MergedFact } from './merging.ts';
import { createRepeats } from './repeats.ts';
import * as store from './store.ts';

const LOCK = 'end of the audit log';

export interface AuditRecorder {
  /** Adds an entry to the transaction, or raises the count of the entry that the fact repeats. */
  record(tx: Tx, fact: AuditFact): void;
  /** Adds an entry to each workspace that the account is in now. The entry stays there when the account leaves. */
  recordForMember(tx: Tx, userId: string, fact: Omit<AuditFact, 'workspaceId'>): Promise<void>;
  /** As `record`, for an action without a transaction of its own. Resolves when the entry or count is durable. */
  recordAlone(fact: MergedFact): Promise<void>;
}

export interface RecorderPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry?: Telemetry;
}

type Entry = Omit<AuditRow, 'sequence' | 'previousHash' | 'hash'>;

export function createRecorder({
  database,
  clock,
  ids,
  telemetry = noTelemetry,
}: RecorderPorts): AuditRecorder {
  const waiting = new WeakMap<Tx, AuditFact[]>();
  const repeats = createRepeats({
    database,
    clock,
    tracing: telemetry.tracing,
    lockChain: (tx) => database.lockNames(tx, [LOCK]),
    async append(tx, facts) {
      if (facts.length === 0) return [];
      const rows = chained((await store.findHead(tx)) ?? origin, facts.map(entryOf));
      await store.insertRows(tx, rows);
      return rows;
    },
  });

  function entryOf({ action, actorId, workspaceId, reportId, subjectId, detail }: AuditFact): Entry {
    return {
      id: ids.timed('aud'),
      at: clock.now(),
      action,
      actorId,
      workspaceId: workspaceId ?? null,
      reportId: reportId ?? null,
      subjectId: subjectId ?? null,
      detail: detail ?? null,
    };
  }

  function record(tx: Tx, fact: AuditFact): void {
    const present = waiting.get(tx);
    if (present) {
      present.push(fact);
      return;
    }
    const facts = [fact];
    waiting.set(tx, facts);
    database.beforeCommit(tx, () => repeats.write(tx, facts));
  }

  return {
    record,
    async recordForMember(tx, userId, fact) {
      for (const workspaceId of await store.workspacesOf(tx, userId)) record(tx, { ...fact, workspaceId });
    },
    recordAlone: repeats.writeAlone,
  };
}
