/** A proxy in front of an HTTP server that fails on command. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';

/**
 * - `hang`: never responds.
 * - `lose`: forwards the request, and drops the response.
 * - `cut`: drops the connection in the middle of the response's body.
 * - `flip`: changes one byte of the response's body; `flip-sent`: of the request's.
 * - `etag`: changes the ETag in responses to writes.
 * - `cookie`: drops the cookies of responses, as a browser that blocks cookies does.
 * - A status: responds with it, without forwarding.
 */
export type Fault =
  | 'hang'
  | 'lose'
  | 'cut'
  | 'flip'
  | 'flip-sent'
  | 'etag'
  | 'cookie'
  | { readonly status: number; readonly code: string };

export interface FaultyProxy {
  readonly url: string;
  /** The number of requests since the last call of `fail` or `recover`. */
  readonly requests: () => number;
  /** The highest number of concurrent requests since the last call of `fail` or `recover`. */
  readonly parallel: () => number;
  /** @param times how many requests fail; those after them succeed. */
  fail(fault: Fault, times?: number): void;
  recover(): void;
  /** Refuses connections. */
  halt(): Promise<void>;
  /** Accepts connections on the same port again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  let fault: Fault | null = null;
  let left = 0;
  let requests = 0;
  let open = 0;
  let parallel = 0;
  let port = 0;

  const server = createServer((incoming, outgoing) => {
    requests += 1;
    open += 1;
    parallel = Math.max(parallel, open);
    outgoing.once('close', () => (open -= 1));
    const chosen = left > 0 ? fault : null;
    left -= 1;
    if (chosen === 'hang') incoming.resume();
    else if (chosen !== null && typeof chosen === 'object') answerWith(chosen, incoming, outgoing);
    else forward(target, chosen, incoming, outgoing);
  });
  const listen = () =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  const halt = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const fail = (next: Fault | null, times: number) => {
    fault = next;
    left = times;
    requests = 0;
    parallel = open;
  };
  await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    parallel: () => parallel,
    fail: (next, times = Infinity) => fail(next, times),
    recover: () => fail(null, 0),
    halt,
    resume: listen,
    close: halt,
  };
}

function answerWith(
  { status, code }: { readonly status: number; readonly code: string },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  incoming.resume();
  incoming.once('end', () => {
    outgoing.writeHead(status, { 'content-type': 'application/xml' });
    outgoing.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
  });
}

function forward(
  target: string,
  fault: Fault | null,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { method, headers, url = '/' } = incoming;
  const onward = request(new URL(url, target), { ...(method ? { method } : {}), headers }, (answer) => {
    if (fault === 'lose') {
      answer.resume();
      answer.once('end', () => outgoing.destroy());
      return;
    }
    const etag = fault === 'etag' && method === 'PUT' ? { etag: `"${'0'.repeat(32)}"` } : {};
    if (fault === 'cookie') delete answer.headers['set-cookie'];
    outgoing.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...etag });
    if (fault === 'cut') {
      outgoing.flushHeaders();
      answer.once('data', (bytes: Buffer) => {
        outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
        answer.destroy();
      });
      answer.once('end', () => outgoing.destroy());
    } else if (fault === 'flip') answer.pipe(flipping()).pipe(outgoing);
    else answer.pipe(outgoing);
  });
  onward.once('error', () => outgoing.destroy());
  if (fault === 'flip-sent') incoming.pipe(flipping()).pipe(onward);
  else incoming.pipe(onward);
}

function flipping(): Transform {
  let isDone = false;
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      const copy = Buffer.from(bytes);
      const at = copy.length >> 1;
      if (!isDone && copy.length > 0) copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
      isDone ||= copy.length > 0;
      done(null, copy);
    },
  });
}
