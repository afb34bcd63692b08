/** Sends and receives raw bytes, for requests that no HTTP client would send. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; a repeated header is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

export interface RawExchange {
  /** The number of `100 Continue` responses. */
  readonly continues: number;
  readonly answers: readonly RawAnswer[];
  /** The bytes after the last complete response. */
  readonly rest: string;
}

export interface RawConnection extends AsyncDisposable {
  /** False once the server has closed the connection. */
  readonly open: boolean;
  /** Resolves when both sides have ended (`complete`) or the server has reset the connection. */
  readonly closing: Promise<'complete' | 'reset'>;
  /** Resolves when the bytes were sent or can no longer be sent. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** Ends the sending side. */
  end(): void;
  /** Aborts the connection. */
  abort(): void;
  /** Resolves to everything received once it contains `count` responses, or `100 Continue`s if requested. */
  until(count: number, what?: 'answers' | 'continues'): Promise<RawExchange>;
  /** Resolves once the received bytes contain the text, such as part of an open response. */
  untilText(text: string): Promise<RawExchange>;
  /** Resolves to everything received once the server has closed the connection. */
  untilClosed(): Promise<RawExchange>;
}

/** The head of a request: `call` is its method and target. */
export function requestHead(call: string, ...headers: readonly string[]): string {
  return [`${call} HTTP/1.1`, 'Host: svc.test', ...headers, '', ''].join('\r\n');
}

/** The status of each response, and its code or `ok`. */
export function outcomesOf({ answers }: RawExchange): string[] {
  return answers.map(({ status, body }) => {
    const { error } = JSON.parse(body) as { error?: { code: string } };
    return `${status} ${error?.code ?? 'ok'}`;
  });
}

/** @param methods of the requests; needed if one is HEAD, because the response to HEAD has no body. */
export async function connectRaw(port: number, methods: readonly string[] = []): Promise<RawConnection> {
  const socket = await connected(port);
  let received = Buffer.alloc(0);
  let ended = false;
  const closing = new Promise<'complete' | 'reset'>((resolve) => {
    socket.once('close', (hadError: boolean) => resolve(hadError ? 'reset' : 'complete'));
  });
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((look) => look());
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  for (const event of ['end', 'close', 'error'] as const) {
    socket.on(event, () => {
      ended = true;
      wake();
    });
  }

  function when(holds: (exchange: RawExchange) => boolean): Promise<RawExchange> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const exchange = parseAnswers(received, methods);
        if (!holds(exchange) && !ended) return;
        waiting.delete(look);
        if (holds(exchange)) resolve(exchange);
        else
          reject(
            new Error(
              `the connection ended after ${JSON.stringify(received.toString('latin1').slice(0, 500))}`,
            ),
          );
      };
      waiting.add(look);
      look();
    });
  }

  return {
    get open() {
      return !ended;
    },
    closing,
    send: (bytes) =>
      new Promise((resolve) => {
        if (!socket.writable) resolve();
        else socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () => resolve());
      }),
    end: () => void socket.end(),
    abort: () => void socket.resetAndDestroy(),
    until: (count, what = 'answers') =>
      when((exchange) => (what === 'answers' ? exchange.answers.length : exchange.continues) >= count),
    untilText: (text) => when(() => received.includes(text)),
    untilClosed: () => when(() => ended),
    async [Symbol.asyncDispose]() {
      socket.destroy();
      await Promise.resolve();
    },
  };
}

/** Sends all bytes, and resolves to everything received until the server closed the connection. */
export async function exchangeRaw(port: number, bytes: string | Uint8Array): Promise<RawExchange> {
  const method = typeof bytes === 'string' ? (bytes.split(' ')[0] ?? '') : '';
  await using connection = await connectRaw(port, [method]);
  await connection.send(bytes);
  return await connection.untilClosed();
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Half-open: still receives data after our side has ended.
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true }, () =>
      resolve(socket),
    );
    socket.once('error', reject);
  });
}

function parseAnswers(received: Buffer, methods: readonly string[]): RawExchange {
  const answers: RawAnswer[] = [];
  let continues = 0;
  let rest = received.toString('latin1');
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1]);
    if (headEnd < 0 || Number.isNaN(status)) break;
    const after = rest.slice(headEnd + 4);
    if (status < 200) {
      continues += 1;
      rest = after;
      continue;
    }
    const headers = headersOf(rest.slice(0, headEnd));
    const hasBody = methods[answers.length] !== 'HEAD';
    const length = hasBody ? Number(headers['content-length'] ?? 0) : 0;
    if (after.length < length) break;
    answers.push({ status, headers, body: Buffer.from(after.slice(0, length), 'latin1').toString() });
    rest = after.slice(length);
  }
  return { continues, answers, rest };
}

function headersOf(head: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const line of head.split('\r\n').slice(1)) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase();
    const value = line.slice(line.indexOf(':') + 1).trim();
    const present = headers[name];
    headers[name] =
      present === undefined ? value : [...(Array.isArray(present) ? present : [present]), value];
  }
  return headers;
}
