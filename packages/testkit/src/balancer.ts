/**
 * A load balancer in front of several replicas, as simple as possible: replicas take turns, without affinity, and no
 * request is sent twice. A replica gets requests while its last health check succeeded.
 */
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

const HOST = '127.0.0.1';
const CHECKED_EVERY_MS = 100;
const CHECK_MS_MAX = 2000;
const READY_WITHIN_MS = 60_000;
const KEEP_ALIVE_MS = 60_000;
/** Connections that wait to be accepted. */
const BACKLOG = 4096;

export interface Balancer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /**
   * Whether each replica gets requests because of a health check that began at `sinceMs` of `performance.now()` or
   * later. A check that began during a fault can still fail after the fault.
   */
  readonly readySince: (sinceMs: number) => readonly boolean[];
  /** The number of requests that each replica got. */
  readonly sent: () => readonly number[];
  /**
   * Resolves once a health check that began after this call lets the replica get requests; with `isReady` false, once
   * one lets it get no more.
   */
  until(index: number, isReady: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Target {
  readonly port: number;
  readonly agent: Agent;
  isReady: boolean;
  /** When the check that decided `isReady` began, in `performance.now()`. */
  checkedAtMs: number;
  sent: number;
}

/** @param ports of the replicas; a replica that is restarted keeps its port. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const targets = ports.map((port): Target => ({
    port,
    agent: new Agent({ keepAlive: true }),
    isReady: false,
    checkedAtMs: 0,
    sent: 0,
  }));
  let turn = 0;

  function nextTarget(): Target | undefined {
    for (let tried = 0; tried < targets.length; tried += 1) {
      turn = (turn + 1) % targets.length;
      const target = targets[turn];
      if (target?.isReady) return target;
    }
    return undefined;
  }

  const server = createServer((incoming, outgoing) => {
    const target = nextTarget();
    if (target) forward(target, incoming, outgoing);
    else answer(incoming, outgoing, 503);
  });
  // Clients decide how long a body may take; the replicas have limits of their own.
  server.requestTimeout = 0;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const closing = new AbortController();
  const checks = targets.map(async (target) => {
    while (!closing.signal.aborted) {
      const beganMs = performance.now();
      target.isReady = await checkReady(target.port);
      target.checkedAtMs = beganMs;
      await new Promise((resolve) => setTimeout(resolve, CHECKED_EVERY_MS));
    }
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: HOST, backlog: BACKLOG }, resolve));
  const { port } = server.address() as AddressInfo;

  async function until(index: number, isReady: boolean): Promise<void> {
    const calledMs = performance.now();
    const target = targets[index];
    if (!target) throw new Error(`There is no replica ${index}.`);
    while (target.isReady !== isReady || target.checkedAtMs < calledMs) {
      if (performance.now() > calledMs + READY_WITHIN_MS)
        throw new Error(`Replica ${index} did not become ready: ${isReady}.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  async function close(): Promise<void> {
    closing.abort();
    await Promise.all(checks);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    for (const { agent } of targets) agent.destroy();
  }
  await Promise.all(targets.map((_, index) => until(index, true)));
  return {
    url: `http://${HOST}:${port}`,
    readySince: (sinceMs) => targets.map(({ isReady, checkedAtMs }) => isReady && checkedAtMs >= sinceMs),
    sent: () => targets.map(({ sent }) => sent),
    until,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Uses a connection of its own, as load balancers do. */
function checkReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST });
    let text = '';
    const end = (isReady: boolean) => {
      socket.destroy();
      resolve(isReady);
    };
    socket.setTimeout(CHECK_MS_MAX, () => end(false));
    socket.once('error', () => end(false)).once('close', () => end(false));
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\r\n')) end(text.startsWith('HTTP/1.1 200 '));
    });
    socket.write(`GET /api/v1/ready HTTP/1.1\r\nHost: ${HOST}:${port}\r\nConnection: close\r\n\r\n`);
  });
}

/** Headers that belong to one connection, and not to the request. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer']);

function forward(target: Target, incoming: IncomingMessage, outgoing: ServerResponse): void {
  target.sent += 1;
  const { method = 'GET', url = '/' } = incoming;
  const headers = [...endToEnd(incoming.rawHeaders), 'x-forwarded-for', incoming.socket.remoteAddress ?? ''];
  const { port, agent } = target;
  const onward = request(
    { host: HOST, port, agent, method, path: url, headers, setHost: false },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 500, endToEnd(response.rawHeaders));
      outgoing.flushHeaders();
      response.pipe(outgoing);
      response.once('close', () => {
        if (!response.complete) outgoing.destroy();
      });
    },
  );
  onward.once('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else answer(incoming, outgoing, 502);
  });
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) onward.destroy();
  });
  incoming.pipe(onward);
}

/** Keeps the length of a body, and sends a body without a length in chunks. */
function endToEnd(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !OF_CONNECTION.has((raw[at - (at % 2)] ?? '').toLowerCase()));
}

function answer(incoming: IncomingMessage, outgoing: ServerResponse, status: number): void {
  incoming.resume();
  outgoing.writeHead(status, { 'content-type': 'text/plain' });
  outgoing.end();
}
