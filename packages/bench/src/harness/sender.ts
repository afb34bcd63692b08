/**
 * Sends requests over kept connections, below `pool.request`, which makes a stream of each body: the sender must not be
 * slower than what it measures.
 */
import { Pool, type Dispatcher } from 'undici';

export interface SentRequest {
  /** The default is GET. */
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Sender {
  send(request: SentRequest): Promise<Answer>;
  /** @throws when the status is another: then it is not what was meant to be measured. */
  expect(status: number, request: SentRequest): Promise<string>;
  close(): Promise<void>;
}

export function createSender(url: string, connections: number): Sender {
  const pool = new Pool(url, { connections, pipelining: 1 });

  function send({ method = 'GET', path, headers = {}, body }: SentRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let status = 0;
      const chunks: Buffer[] = [];
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => reject(error),
      };
      const contentType = body === undefined ? {} : { 'content-type': 'application/json' };
      pool.dispatch(
        { method, path, headers: { ...contentType, ...headers }, ...(body === undefined ? {} : { body }) },
        handler,
      );
    });
  }

  return {
    send,
    async expect(status, request) {
      const answer = await send(request);
      if (answer.status !== status)
        throw new Error(
          `${request.method ?? 'GET'} ${request.path} answered ${answer.status}: ${answer.text.slice(0, 300)}`,
        );
      return answer.text;
    },
    close: () => pool.destroy(),
  };
}
