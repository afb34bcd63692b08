/** Hints within one process, and a hint about everything when another process has changed the database. */
import type { Database } from '../database/database.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

export function createMemoryBus(database: Pick<Database, 'afterCommit' | 'changesElsewhere'>): Bus {
  const listeners = new Listeners();
  let seen = database.changesElsewhere?.();
  let isFresh = false;
  return {
    async publish(tx, topic) {
      database.afterCommit(tx, () => listeners.call(topic));
    },
    subscribe: (topic, listener) => listeners.add(topic, listener),
    refresh() {
      // Once per tick is enough: the requests of a tick arrived before it began.
      if (isFresh) return;
      isFresh = true;
      setImmediate(() => (isFresh = false));
      const current = database.changesElsewhere?.();
      if (current === seen) return;
      seen = current;
      listeners.callAll();
    },
    async check() {},
    async close() {
      listeners.clear();
    },
  };
}
