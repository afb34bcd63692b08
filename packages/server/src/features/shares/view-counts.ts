/**
 * Counts views of shares. Views are collected in memory and written every few seconds, so that a read writes nothing; a
 * crash loses the last of them. Written views are removed in the tick in which their commit is known, so a view is
 * counted once, written or not.
 */
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { describeError, type Log } from '#platform/log';
import type { Job } from '#platform/sweeper';
import * as store from './store.ts';

const WRITTEN_EVERY_MS = 5000;
/** How many shares are written in one transaction, which is then so short that no other transaction waits long. */
const LINKS_AT_ONCE = 200;

export interface Views {
  readonly count: number;
  readonly lastViewedAt: number;
}

export interface ViewCounts {
  add(shareId: string): void;
  /** Views that are not written yet. */
  pendingOf(shareId: string): Views | null;
  /** Writes the collected views. */
  flush(): Promise<void>;
  /** Writes the collected views if possible. A failure is only logged. */
  close(): Promise<void>;
  readonly job: Job;
}

export interface ViewCountsPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export function createViewCounts({ database, clock, log }: ViewCountsPorts): ViewCounts {
  const pending = new Map<string, Views>();

  /** Views that arrived during the write stay. */
  function letGo(written: readonly (readonly [string, Views])[]): void {
    for (const [shareId, { count }] of written) {
      const present = pending.get(shareId);
      if (!present || present.count <= count) pending.delete(shareId);
      else pending.set(shareId, { ...present, count: present.count - count });
    }
  }

  async function flush(): Promise<void> {
    // Sorted by id, so that two processes do not wait for each other's rows.
    const due = [...pending].toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (let from = 0; from < due.length; from += LINKS_AT_ONCE) {
      const written = due.slice(from, from + LINKS_AT_ONCE);
      await database.transaction(async (tx) => {
        for (const [shareId, views] of written) await store.addViews(tx, shareId, views);
        database.afterCommit(tx, () => letGo(written));
      });
    }
  }

  return {
    add(shareId) {
      const now = clock.now();
      const present = pending.get(shareId);
      pending.set(shareId, {
        count: (present?.count ?? 0) + 1,
        lastViewedAt: Math.max(present?.lastViewedAt ?? now, now),
      });
    },
    pendingOf: (shareId) => pending.get(shareId) ?? null,
    flush,
    close: () =>
      flush().catch((error: unknown) => log.warn('views not counted', { error: describeError(error) })),
    job: { name: 'views of shares', everyMs: WRITTEN_EVERY_MS, isLocal: true, run: flush },
  };
}
