/** One open stream: who watches what, how far they have got, and how it ends. */
import type { EventSink, Frame } from '#event-sink';
import { heartbeatFrame } from './wire.ts';

/** What may wait for a client that reads slowly. A replay waits for the client at every page instead. */
const QUEUED_BYTES_MAX = 64 * 1024;

export class Stream {
  readonly userId: string;
  readonly sessionId: string;
  readonly reportId: string;
  /** The number of the last event that was sent. */
  cursor = 0;
  /** When its session ends by itself. */
  sessionEndsAt = Infinity;
  /** In ticks of the wheel: when it ends by itself. */
  endsAtTick = Infinity;
  /** In ticks of the wheel: since when it is being ended. */
  endedAtTick = Infinity;
  /** Something changed while access was being looked at, so it must be looked at again. */
  isSuspect = false;
  #sink: EventSink | null = null;
  #isOver = false;
  #isBeatTaken = true;

  constructor(userId: string, sessionId: string, reportId: string) {
    this.userId = userId;
    this.sessionId = sessionId;
    this.reportId = reportId;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @returns false when it was over before it began. */
  begin(sink: EventSink): boolean {
    this.#sink = sink;
    if (this.#isOver) sink.end();
    return !this.#isOver;
  }

  send(frame: Frame): void {
    if (this.#isOver || !this.#sink) return;
    this.#sink.send(frame);
    if (this.#sink.queuedBytes > QUEUED_BYTES_MAX + frame.length) this.cut();
  }

  /** Resolves once the client has taken what was sent, or the stream is over. */
  taken(): Promise<void> {
    return this.#sink?.taken() ?? Promise.resolve();
  }

  /** A client that has not taken one heartbeat when the next is due takes nothing any more. */
  beat(): void {
    if (this.#isOver || !this.#sink) return;
    if (!this.#isBeatTaken) {
      this.cut();
      return;
    }
    this.#isBeatTaken = false;
    this.#sink.send(heartbeatFrame, this.#beatTaken);
  }

  readonly #beatTaken = (): void => {
    this.#isBeatTaken = true;
  };

  /** Lets the client have what was sent. */
  end(): void {
    this.#isOver = true;
    this.#sink?.end();
  }

  /** For readers who may see nothing any more, what is still on its way to them included. */
  revoke(): void {
    if ((this.#sink?.queuedBytes ?? 0) > 0) this.cut();
    else this.end();
  }

  cut(): void {
    this.#isOver = true;
    this.#sink?.cut();
  }
}
