/**
 * Hints between the parts of the service, over all of its processes: something changed, ask the database.
 *
 * A hint is published within a transaction. Once that has committed, every listener of the topic is called, in every
 * process and in this one; after a rollback none is, and never before the commit, so a listener that asks the database
 * finds what the hint is about. Hints of a topic may be folded into one, and some may be lost while a connection is
 * down: when it is back every listener is called. So a hint is never the truth, only a reason to look.
 */
import type { Tx } from '../database/database.ts';

/** Called without waiting for it; must not throw. */
export type Listener = () => void;

export interface Bus {
  publish(tx: Tx, topic: string): Promise<void>;
  /** Listens from now on. Returns what ends it, which may be called again. */
  subscribe(topic: string, listener: Listener): () => void;
  /** Throws while hints of other processes can not arrive. */
  check(): Promise<void>;
  close(): Promise<void>;
}
