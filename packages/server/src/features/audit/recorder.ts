/**
 * How the audit log is written.
 *
 * An entry is part of the transaction of what it tells of, so neither is there without the other. Entries wait in memory
 * until all else of the transaction is done; then the chain's end is locked, read and added to, and the commit follows at
 * once. So on PostgreSQL, where transactions run side by side, they take turns at the chain for two statements and the
 * commit, and never while holding it wait for anything else. On SQLite a transaction is alone anyway.
 *
 * Exports have no transaction of their own, and one actor can repeat them: see `repeats.ts`.
 */
import type { Clock } from '#platform/clock';
import type { Database, Tx } from '#platform/database/database';
import type { Ids } from '#platform/ids';
import { chained, origin, type AuditRow } from './chain.ts';
import type { AuditFact } from './fact.ts';
import { createRepeats } from './repeats.ts';
import * as store from './store.ts';

const LOCK = 'end of the audit log';

export interface AuditRecorder {
  /** Adds an entry to the transaction. */
  record(tx: Tx, fact: AuditFact): void;
  /** Adds an entry for each workspace that the account is in now: what is told there stays when they leave. */
  recordForMember(tx: Tx, userId: string, fact: Omit<AuditFact, 'workspaceId'>): Promise<void>;
  /**
   * Adds an entry; or raises the count of one that tells of the same actor, report and detail and is less than a minute
   * old. Resolves when that is durable.
   */
  recordRepeatable(fact: AuditFact): Promise<void>;
}

export interface RecorderPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

type Entry = Omit<AuditRow, 'sequence' | 'previousHash' | 'hash'>;

export function createRecorder({ database, clock, ids }: RecorderPorts): AuditRecorder {
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

  async function append(tx: Tx, entries: readonly Entry[]): Promise<readonly AuditRow[]> {
    await lockChain(tx);
    const rows = chained((await store.findHead(tx)) ?? origin, entries);
    await store.insertRows(tx, rows);
    return rows;
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
