/** Hints within one process. */
import type { Database } from '../database/database.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

export function createMemoryBus(database: Pick<Database, 'afterCommit'>): Bus {
  const listeners = new Listeners();
  return {
    async publish(tx, topic) {
      database.afterCommit(tx, () => listeners.call(topic));
    },
    subscribe: (topic, listener) => listeners.add(topic, listener),
    async check() {},
    async close() {
      listeners.clear();
    },
  };
}
