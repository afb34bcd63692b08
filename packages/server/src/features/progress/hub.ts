/**
 * The fan-out of one report in this process.
 *
 * A stream replays the stored events on its own and joins when it has sent them all. From then on the hub sends: at a
 * hint it reads what is new, once for all of its streams, and encodes it once. `head` is the last event that the joined
 * streams were sent or are being sent. If a stream's last read of the database was before the latest hint, it may lack
 * an event that the hub has not read either. Its join therefore makes the hub read again. A stream behind the head
 * continues to replay.
 */
import type { Database } from '#platform/database/database';
import * as store from './store.ts';
import type { Stream } from './stream.ts';
import { eventsFrame } from './wire.ts';

/** Some 40 KiB of text. */
export const PAGE_EVENTS = 200;
/** After this many streams, other work of the process gets a tick. */
const SENT_AT_ONCE = 500;

export class Hub {
  /** All streams of the report, including those that are opening or replaying. */
  readonly streams = new Set<Stream>();
  /** When the report expires. */
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

  /** Counts hints. What was read before the count grew may be outdated. */
  get hints(): number {
    return this.#hints;
  }

  /** The number of the last event that the joined streams were sent or are being sent. */
  get head(): number {
    return this.#head;
  }

  /** Signals that new events may exist. */
  hint(): void {
    this.#hints += 1;
    this.readOn();
  }

  /**
   * Takes over a stream that has sent everything up to its cursor.
   * @param hints the count before the stream's last read of the database.
   * @returns false when the stream is behind and must continue to replay.
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

  /**
   * Reads what is new, and reads again if a hint arrives meanwhile.
   * @param again false to read only if the last read failed.
   */
  readOn(again = true): void {
    this.#isStale ||= again;
    if (this.#isReading || !this.#isStale) return;
    this.#isReading = true;
    void this.#readAll();
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#readOnce();
      }
    } catch (error) {
      this.#isStale = true;
      this.#onError(error);
    } finally {
      // Without an `await` since the last look at the flag: a hint in between would wait for the next one.
      this.#isReading = false;
    }
  }

  async #readOnce(): Promise<void> {
    if (this.#joined.size === 0) return;
    const from = this.#head;
    const rows = await store.listAfter(this.#database.read, this.#reportId, from, PAGE_EVENTS);
    const last = rows.at(-1);
    if (!last) return;
    if (rows.length === PAGE_EVENTS) this.#isStale = true;
    // A stream that joined the empty hub meanwhile has set the head, and has requested a read if needed.
    if (this.#head !== from) return;
    this.#head = last.number;
    await this.#send(rows, from);
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
