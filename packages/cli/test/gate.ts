/**
 * A proxy between the program and the service. It records what was sent, and breaks connections when a test says so, before
 * a call has arrived or after it was answered.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CallName =
  | 'create'
  | 'progress'
  | 'intent'
  | 'upload'
  | 'finalize'
  | 'delete'
  | 'quota'
  | 'decisions'
  | 'projects'
  | 'reports'
  | 'other';

export interface GatedCall {
  readonly name: CallName;
  /** The number of the call among those of its name, from 1. */
  readonly number: number;
  readonly path: string;
  readonly body: string;
  /** The status that the service or the test returned; undefined when there was none, or the call never arrived. */
  status?: number;
  /** The program was sent a response. */
  isAnswered: boolean;
}

/** `lose_request`: the call never arrives. `lose_answer`: the service has executed it, but its response is lost. */
export type Fate =
  | 'pass'
  | 'lose_request'
  | 'lose_answer'
  | { readonly status: number; readonly body: object };

export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** All calls, in order of arrival. */
  readonly calls: GatedCall[];
  /** Called for each call; by default all pass. */
  decide: (call: GatedCall) => Fate | Promise<Fate>;
  /** Called when the service has answered, before the response is passed on. */
  answered: (call: GatedCall) => void | Promise<void>;
  /** The address of the service. */
  target: string;
  /** The statuses of the calls of a name. */
  statusesOf(name: CallName): (number | undefined)[];
}

const names: readonly (readonly [RegExp, CallName])[] = [
  [/^POST \/reports$/, 'create'],
  [/^GET \/reports\b/, 'reports'],
  [/^DELETE \/reports\//, 'delete'],
  [/^POST \/reports\/[^/]+\/progress$/, 'progress'],
  [/^POST \/reports\/[^/]+\/upload-intent$/, 'intent'],
  [/^PUT \/uploads\//, 'upload'],
  [/^POST \/reports\/[^/]+\/finalize$/, 'finalize'],
  [/^GET \/sync-quota/, 'quota'],
  [/^POST \/projects\/[^/]+\/decisions\/query$/, 'decisions'],
  [/ \/projects/, 'projects'],
];

const IDLE_MS = 600_000;

export async function openGate(target: string): Promise<Gate> {
  const calls: GatedCall[] = [];
  const counts = new Map<CallName, number>();
  // Connections must break only when a test says so, and not because they were idle for five seconds.
  const server = createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    const path = (request.url ?? '').replace(/^\/api\/v1/, '');
    const name = names.find(([form]) => form.test(`${request.method} ${path}`))?.[1] ?? 'other';
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    const call: GatedCall = { name, number, path, body: body.toString(), isAnswered: false };
    calls.push(call);
    const fate = await gate.decide(call);
    if (fate === 'lose_request') return void request.socket.destroy();
    if (typeof fate === 'object') {
      call.status = fate.status;
      call.isAnswered = true;
      response.writeHead(fate.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(fate.body));
    }
    const answer = await forward(request, body);
    call.status = answer.status;
    const text = await answer.text();
    await gate.answered(call);
    if (fate === 'lose_answer') return void request.socket.destroy();
    call.isAnswered = true;
    const type = answer.headers.get('content-type') ?? 'application/json';
    const retryAfter = answer.headers.get('retry-after');
    const headers = { 'content-type': type, ...(retryAfter === null ? {} : { 'retry-after': retryAfter }) };
    response.writeHead(answer.status, headers);
    response.end(text);
  }

  function forward({ method = 'GET', url, headers }: IncomingMessage, body: Buffer): Promise<Response> {
    const kept = ['authorization', 'content-type', 'user-agent'].flatMap((name) =>
      typeof headers[name] === 'string' ? [[name, headers[name]]] : [],
    );
    return fetch(gate.target + url, {
      method,
      headers: Object.fromEntries(kept) as Record<string, string>,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
  }

  const gate: Gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    target,
    decide: () => 'pass',
    answered: () => undefined,
    statusesOf: (name) => calls.filter((call) => call.name === name).map(({ status }) => status),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return gate;
}

/** An error envelope as the service sends it. */
export function rejectionBody(code: string, details?: object): object {
  const requestId = '00000000-0000-4000-8000-000000000000';
  return { error: { code, message: 'Rejected by the test.', requestId, ...(details && { details }) } };
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
