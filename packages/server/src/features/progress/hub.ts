/**
 * The fan-out of one report in this process.
 *
 * A stream replays by itself and joins when it has sent all that is stored. From then on the hub sends: at a hint it
 * reads what is new, once for all of its streams, and encodes it once. `head` is how far the joined streams have got.
 * A stream whose own last look at the database was before the latest hint may lack an event that the hub has not read
 * either, so joining with an old look makes the hub look again; and one that is behind the head goes on replaying.
 */
import type { Database } from '#platform/database/database';
import * as store from './store.ts';
import type { Stream } from './stream.ts';
import { eventsFrame } from './wire.ts';

/** Some 40 KiB of text. */
export const PAGE_EVENTS = 200;
/** After so many streams other work of the process has its turn. */
const SENT_AT_ONCE = 500;

export class Hub {
  /** Every stream of the report, those that are opening or replaying included. */
  readonly streams = new Set<Stream>();
  /** When the report expires by itself. */
  expiresAt = Infinity;
  readonly #reportId: string;
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #joined = new Set<Stream>();
  #head = 0;
  #hints = 0;
  #isStale = false;
  #isReading = false;

  constructor(reportId: string, database: Database, onError: (error: unknown) => void) {
    this.#reportId = reportId;
    this.#database = database;
    this.#onError = onError;
  }

  /** Counts what may have changed; what was read before it grew may lack something. */
  get hints(): number {
    return this.#hints;
  }

  /** The number of the last event that every joined stream has been sent. */
  get head(): number {
    return this.#head;
  }

  /** There may be new events. */
  hint(): void {
    this.#hints += 1;
    this.readOn();
  }

  /**
   * Takes a stream over that has sent everything up to its cursor.
   * @param hints as they were before the stream's last look at the database.
   * @returns false when the stream is behind, and must go on by itself.
   */
  join(stream: Stream, hints: number): boolean {
    if (this.#joined.size > 0 && stream.cursor < this.#head) return false;
    if (this.#joined.size === 0) this.#head = stream.cursor;
    this.#joined.add(stream);
    if (hints !== this.#hints) this.readOn();
    return true;
  }

  leave(stream: Stream): void {
    this.streams.delete(stream);
    this.#joined.delete(stream);
  }

  /** Reads what is new, if a hint came or the last read failed; folds what comes while it reads. */
  readOn(again = true): void {
    this.#isStale ||= again;
    if (this.#isReading || !this.#isStale) return;
    this.#isReading = true;
    void this.#readAll();
  }

  async #readAll(): Promise<void> {
    try {
      await this.#readUntilFresh();
    } catch (error) {
      this.#isStale = true;
      this.#onError(error);
    }
    // In the same turn as the last look at the flag, so that no hint falls between.
    this.#isReading = false;
  }

  async #readUntilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      if (this.#joined.size === 0) return;
      const from = this.#head;
      const rows = await store.listAfter(this.#database.read, this.#reportId, from, PAGE_EVENTS);
      const last = rows.at(-1);
      if (!last) continue;
      this.#isStale = rows.length === PAGE_EVENTS;
      // Whoever joined an empty hub in between has set a head of its own, and asked for another read.
      if (this.#head !== from) continue;
      this.#head = last.number;
      await this.#send(rows, from);
    }
  }

  async #send(rows: readonly store.EventRow[], from: number): Promise<void> {
    const last = rows.at(-1)?.number ?? from;
    const frame = eventsFrame(rows);
    let sent = 0;
    for (const stream of this.#joined) {
      if (stream.cursor >= last) continue;
      stream.send(
        stream.cursor === from ? frame : eventsFrame(rows.filter(({ number }) => number > stream.cursor)),
      );
      stream.cursor = last;
      sent += 1;
      if (sent % SENT_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
