/**
 * Hints between the parts of the service in all of its processes: something changed, query the database.
 *
 * A hint is published within a transaction. After the commit, every listener of the topic is called in every process,
 * including this one. After a rollback none is called. A hint never arrives before the commit, so a listener that
 * queries the database finds the change. Hints of a topic may be merged. While a connection is down, some hints may be
 * lost; every listener is called every half second meanwhile, and once when the connection is back. So a hint is never
 * the data itself, only a reason to look.
 */
import type { Tx } from '../database/database.ts';

/** Called without being awaited; must not throw. */
export type Listener = () => void;

export interface Bus {
  publish(tx: Tx, topic: string): Promise<void>;
  /** Listens from now on. Returns a function that ends it, which may be called repeatedly. */
  subscribe(topic: string, listener: Listener): () => void;
  /**
   * For a database that delivers no hints between processes: calls every listener if another process, such as a command
   * of the operator, has changed it since the last call. A cache calls it before each use.
   */
  refresh(): void;
  /** Throws while hints of other processes cannot arrive. */
  check(): Promise<void>;
  close(): Promise<void>;
}
