/** One open stream: its user and report, its position, and how it ends. */
import type { EventSink, Frame } from '#event-sink';
import { heartbeatFrame } from './wire.ts';

/** How many bytes may wait for a slow client. A replay instead waits for the client at every page. */
const QUEUED_BYTES_MAX = 64 * 1024;

export class Stream {
  readonly userId: string;
  readonly sessionId: string;
  readonly reportId: string;
  /** The number of the last event that was sent. */
  cursor = 0;
  /** When its session expires. */
  sessionEndsAt = Infinity;
  /** The tick of the wheel at which its lifetime ends. */
  endsAtTick = Infinity;
  /** The tick of the wheel at which its end began. */
  endedAtTick = Infinity;
  /** A hint arrived during the access check, so access must be checked again. */
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

  /** @returns false when the stream ended before it began. */
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

  /** Resolves once the client has received what was sent, or the stream has ended. */
  taken(): Promise<void> {
    return this.#sink?.taken() ?? Promise.resolve();
  }

  /** A client that has not received one heartbeat when the next is due counts as disconnected. */
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

  /** Ends after the client has received what was sent. */
  end(): void {
    this.#isOver = true;
    this.#sink?.end();
  }

  /** Cuts the connection of a reader who lost access, including what is still being sent. */
  revoke(): void {
    if ((this.#sink?.queuedBytes ?? 0) > 0) this.cut();
    else this.end();
  }

  cut(): void {
    this.#isOver = true;
    this.#sink?.cut();
  }
}
