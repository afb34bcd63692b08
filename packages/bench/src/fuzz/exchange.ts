/**
 * Sends a shot over a connection and collects the responses.
 *
 * A shot that is due a response gets a long timeout. One that may be incomplete gets a short one, then the sender's
 * side is ended, which makes a server that waits for the rest abort or reject the request.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { AnswerParser, FramingError, type ParsedAnswer } from './answer-parser.ts';
import type { Shot } from './shot.ts';

/** How long a required response may take. */
const REQUIRED_WITHIN_MS = 30_000;
/** How long the sender of a possibly incomplete request waits before it ends its side. */
const HOPED_FOR_MS = 250;
/** A server may read the rest of a rejected body for a while before it closes. */
const CLOSES_WITHIN_MS = 6000;
const CONNECT_TRIES = 50;
const CONNECT_PAUSE_MS = 100;

export interface ExchangeOutcome {
  readonly answers: readonly ParsedAnswer[];
  /** The server ended the connection. */
  readonly closed: boolean;
  /** What was wrong with the received bytes, if anything. */
  readonly framingError: string | null;
  /** The received bytes, up to a limit. */
  readonly received: Buffer;
}

const RECEIVED_KEPT_BYTES = 4096;

export class Connection {
  readonly #socket: Socket;
  readonly #parser = new AnswerParser();
  #answers: ParsedAnswer[] = [];
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #framingError: string | null = null;
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(() => this.#parser.push(chunk), chunk));
    socket.on('end', () => {
      this.#closed = true;
      this.#take(() => this.#parser.finish());
      socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  static async open(port: number): Promise<Connection> {
    for (let left = CONNECT_TRIES; ; left -= 1) {
      try {
        return new Connection(await connected(port));
      } catch (error) {
        if (left === 0) throw error;
        await pause(CONNECT_PAUSE_MS);
      }
    }
  }

  get usable(): boolean {
    return !this.#closed && this.#framingError === null && this.#socket.writable;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async exchange(shot: Shot): Promise<ExchangeOutcome> {
    for (let index = 0; index < shot.most; index += 1) this.#parser.expect(shot.methods[index] ?? 'GET');
    await this.#write(shot);
    if (shot.ending === 'reset') this.#socket.resetAndDestroy();
    else if (shot.ending === 'end') this.#socket.end();
    const finals = () => this.#answers.filter(({ status }) => status >= 200).length;

    await this.#until(
      () => finals() >= Math.max(shot.required, 1),
      shot.required > 0 ? REQUIRED_WITHIN_MS : HOPED_FOR_MS,
    );
    if (shot.mustClose) await this.#until(() => false, CLOSES_WITHIN_MS);
    const closedByItself = this.#closed;
    if (!shot.reusable || finals() < shot.required) {
      this.#socket.end();
      await this.#until(() => false, CLOSES_WITHIN_MS);
    } else if (this.#answers.at(-1)?.headers.get('connection') === 'close') {
      await this.#until(() => false, CLOSES_WITHIN_MS);
    }
    return this.#outcome(shot.mustClose ? closedByItself : this.#closed);
  }

  #outcome(closed: boolean): ExchangeOutcome {
    const outcome = {
      answers: this.#answers,
      closed,
      framingError: this.#framingError,
      received: Buffer.concat(this.#received),
    };
    this.#answers = [];
    this.#received = [];
    this.#receivedBytes = 0;
    return outcome;
  }

  async #write({ pieces, pauseMs = 0 }: Shot): Promise<void> {
    for (const [index, piece] of pieces.entries()) {
      if (index > 0 && pauseMs > 0) await pause(pauseMs);
      if (this.#closed || !this.#socket.writable) return;
      // Not awaited: the service may answer a large request, and close the connection, before it has received the whole
      // request.
      this.#socket.write(piece);
    }
    if (pieces.length === 1 || pauseMs === 0) return;
    await pause(pauseMs);
  }

  #take(read: () => ParsedAnswer[], chunk?: Buffer): void {
    if (chunk && this.#receivedBytes < RECEIVED_KEPT_BYTES) {
      this.#received.push(chunk.subarray(0, RECEIVED_KEPT_BYTES));
      this.#receivedBytes += chunk.length;
    }
    try {
      if (this.#framingError === null) this.#answers.push(...read());
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      this.#framingError = error.message;
    }
    this.#wake();
  }

  /** Waits for the condition, a closed connection, invalid bytes, or the timeout. */
  async #until(so: () => boolean, withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs;
    while (!so() && !this.#closed && this.#framingError === null) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}
