/**
 * Writes the audit log.
 *
 * An entry belongs to the transaction of the action that it records, so both are committed or neither. Entries wait in
 * memory until the rest of the transaction is done. Then the end of the chain is locked, read and extended, and the
 * commit follows immediately. So concurrent transactions on PostgreSQL hold the chain for two statements and the
 * commit, and wait for nothing else meanwhile. On SQLite only one transaction runs at a time anyway.
 *
 * Exports and queries of decisions have no transaction of their own, and one actor can repeat them: see `repeats.ts`.
 */
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import { noTelemetry, type Telemetry } from '#platform/telemetry/telemetry';
import { chained, origin, type AuditRow } from './chain.ts';
import type { AuditFact } from './fact.ts';
import { createRepeats } from './repeats.ts';
import * as store from './store.ts';

const LOCK = 'end of the audit log';

export interface AuditRecorder {
  /** Adds an entry to the transaction. */
  record(tx: Tx, fact: AuditFact): void;
  /** Adds an entry to each workspace that the account is in now. The entry stays there when the account leaves. */
  recordForMember(tx: Tx, userId: string, fact: Omit<AuditFact, 'workspaceId'>): Promise<void>;
  /**
   * Adds an entry. If an entry for the same fact is less than a minute old, or of the same UTC day for a daily fact,
   * raises its count instead. Resolves when the entry or count is durable.
   */
  recordRepeatable(fact: AuditFact): Promise<void>;
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
  const waiting = new WeakMap<Tx, Entry[]>();

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

  const lockChain = (tx: Tx) => database.lockNames(tx, [LOCK]);

  function append(tx: Tx, entries: readonly Entry[]): Promise<readonly AuditRow[]> {
    return telemetry.tracing.span('audit', {}, async () => {
      await lockChain(tx);
      const rows = chained((await store.findHead(tx)) ?? origin, entries);
      await store.insertRows(tx, rows);
      return rows;
    });
  }

  function add(tx: Tx, entry: Entry): void {
    const present = waiting.get(tx);
    if (present) {
      present.push(entry);
      return;
    }
    const entries = [entry];
    waiting.set(tx, entries);
    database.beforeCommit(tx, async () => {
      await append(tx, entries);
    });
  }

  return {
    record: (tx, fact) => add(tx, entryOf(fact)),
    async recordForMember(tx, userId, fact) {
      for (const workspaceId of await store.workspacesOf(tx, userId))
        add(tx, entryOf({ ...fact, workspaceId }));
    },
    recordRepeatable: createRepeats({
      database,
      clock,
      lockChain,
      append: (tx, facts) =>
        append(
          tx,
          facts.map((fact) => entryOf(fact)),
        ),
    }),
  };
}
