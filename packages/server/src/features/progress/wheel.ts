/**
 * One timer for all streams: heartbeats, lifetimes, and periodic checks.
 *
 * The streams are spread over the ticks between two heartbeats, so that ten thousand of them do not all write at the
 * same time, and none needs its own timer.
 */
import { limits } from '@svc/contract';
import type { Timers } from '#platform/timers';
import type { Stream } from './stream.ts';

const TICK_MS = 100;
const SLOTS = limits.streamHeartbeatMs / TICK_MS;
/** A stream may end early by at most the time between two rounds. */
const TICKS_BETWEEN_ROUNDS = 5;
/** A client has this long to receive the rest of a stream that ends. */
const END_GRACE_TICKS = 50;

export interface WheelWork {
  /** A heartbeat of this stream is due. */
  beat(stream: Stream): void;
  /** Called twice a second. */
  round(): void;
}

export class Wheel {
  readonly #streams = new Map<Stream, Set<Stream>>();
  readonly #slots = Array.from({ length: SLOTS }, () => new Set<Stream>());
  readonly #work: WheelWork;
  readonly stop: () => void;
  #tick = 0;
  #nextSlot = 0;

  constructor(timers: Timers, work: WheelWork) {
    this.#work = work;
    this.stop = timers.every(TICK_MS, () => this.#turn());
  }

  add(stream: Stream, lifetimeMs: number): void {
    const slot = this.#slots[this.#nextSlot];
    this.#nextSlot = (this.#nextSlot + 1) % SLOTS;
    slot?.add(stream);
    if (slot) this.#streams.set(stream, slot);
    // Ends are checked only in rounds, and none may be late.
    const lastTick = this.#tick + Math.floor(lifetimeMs / TICK_MS);
    stream.endsAtTick = lastTick - (lastTick % TICKS_BETWEEN_ROUNDS);
  }

  remove(stream: Stream): void {
    this.#streams.get(stream)?.delete(stream);
    this.#streams.delete(stream);
  }

  #turn(): void {
    this.#tick += 1;
    for (const stream of this.#slots[this.#tick % SLOTS] ?? []) this.#work.beat(stream);
    if (this.#tick % TICKS_BETWEEN_ROUNDS !== 0) return;
    for (const stream of this.#streams.keys()) this.#endInTime(stream);
    this.#work.round();
  }

  #endInTime(stream: Stream): void {
    if (!stream.isOver) {
      if (stream.endsAtTick <= this.#tick) stream.end();
      return;
    }
    stream.endedAtTick = Math.min(stream.endedAtTick, this.#tick);
    if (this.#tick - stream.endedAtTick > END_GRACE_TICKS) stream.cut();
  }
}
