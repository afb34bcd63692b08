/**
 * Sends requests over kept connections. It does not use `pool.request`, which makes a stream of each body: the sender
 * must be faster than what it measures.
 */
import { Pool, type Dispatcher } from 'undici';

export interface SentRequest {
  /** The default is GET. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly text: string;
}

interface Received {
  readonly status: number;
  readonly chunks: readonly Buffer[];
}

export interface Sender {
  send(request: SentRequest): Promise<ReceivedAnswer>;
  /** @throws for another status, because then the wrong thing was measured. */
  expect(status: number, request: SentRequest): Promise<string>;
  /**
   * Like `expect`, but discards the response: converting it to text would cost more than serving it.
   */
  swallow(status: number, request: SentRequest): Promise<void>;
  /** The status of any response. Its bytes are discarded. */
  statusOf(request: SentRequest): Promise<number>;
  close(): Promise<void>;
}

export function createSender(url: string, connections: number): Sender {
  const pool = new Pool(url, { connections, pipelining: 1 });

  function receive(
    { method = 'GET', path, headers = {}, body }: SentRequest,
    keeps: (status: number) => boolean,
  ): Promise<Received> {
    return new Promise((resolve, reject) => {
      let status = 0;
      const chunks: Buffer[] = [];
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => void (keeps(status) && chunks.push(chunk)),
        onResponseEnd: () => resolve({ status, chunks }),
        onResponseError: (_controller, error) => reject(error),
      };
      const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
      pool.dispatch(
        { method, path, headers: { ...contentType, ...headers }, ...(body === undefined ? {} : { body }) },
        handler,
      );
    });
  }

  async function send(request: SentRequest): Promise<ReceivedAnswer> {
    return answerOf(await receive(request, () => true));
  }

  function requireStatus(
    status: number,
    answer: ReceivedAnswer,
    { method = 'GET', path }: SentRequest,
  ): void {
    if (answer.status !== status)
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  }

  return {
    send,
    async expect(status, request) {
      const answer = await send(request);
      requireStatus(status, answer, request);
      return answer.text;
    },
    async swallow(status, request) {
      requireStatus(status, answerOf(await receive(request, (given) => given !== status)), request);
    },
    async statusOf(request) {
      return (await receive(request, () => false)).status;
    },
    close: () => pool.destroy(),
  };
}

function answerOf({ status, chunks }: Received): ReceivedAnswer {
  return { status, text: Buffer.concat(chunks).toString() };
}
