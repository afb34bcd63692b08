/** Calls derived from the contract's data, with inputs that no typed client would send, and their responses. */
import { endpoints, errors, type Endpoint, type ErrorCode, type Operation } from '@svc/contract';
import {
  APP_ORIGIN,
  SIGNATURE_HEADER,
  signatureOf,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { expect } from 'vitest';
import { administratorOf, samples, type Sample } from './samples.ts';

export type Headers = Readonly<Record<string, string>>;

/** An input whose parts may be anything. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bytes?: Uint8Array<ArrayBuffer> | string;
}

export interface CallResponse {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  readonly body: unknown;
  /** The error's code; null for a success. */
  readonly code: ErrorCode | null;
  readonly requestId: string;
}

export const endpointOf = (operation: Operation): Endpoint => endpoints[operation];
export const sampleOf = (operation: Operation): Sample => samples[operation];

export async function inputOf(
  operation: Operation,
  caller: SessionActor,
  server: TestServer,
): Promise<AnyInput> {
  return (await sampleOf(operation).input(caller, server)) as unknown as AnyInput;
}

export interface Caller {
  readonly person: SessionActor;
  readonly device: DeviceActor;
}

/** A person with a device. */
export async function newCaller(server: TestServer, signedUp?: SessionActor): Promise<Caller> {
  const person = signedUp ?? (await server.signUp());
  return { person, device: await server.linkDevice(person) };
}

/** Finds who may call an endpoint: the administrator if it is for administrators only, else an ordinary person. */
export async function createCallers(server: TestServer): Promise<(operation: Operation) => Caller> {
  const administrator = await newCaller(server, await administratorOf(server));
  const person = await newCaller(server);
  return (operation) => (endpointOf(operation).administratorOnly ? administrator : person);
}

export const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
export const cookie = (header: string): Headers => ({ cookie: header, origin: APP_ORIGIN });

/** Headers with each credential that the endpoint takes. */
export function headersFor(
  operation: Operation,
  { person, device }: Caller,
): readonly [Headers, ...Headers[]] {
  switch (endpointOf(operation).credential) {
    case 'none':
      return [{}];
    case 'device':
      return [bearer(device.deviceToken)];
    case 'session':
    case 'optionalSession':
      return [cookie(person.cookie)];
    case 'sessionOrDevice':
      return [cookie(person.cookie), bearer(device.deviceToken)];
  }
}

/** The path and query of a call, beginning with `/api/v1`. */
export function targetOf({ path }: Endpoint, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return `/api/v1${filled}${search === '' ? '' : `?${search}`}`;
}

export function send(
  server: TestServer,
  endpoint: Endpoint,
  input: AnyInput,
  headers: Headers = {},
): Promise<CallResponse> {
  const body = input.bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  const hasBody = body !== undefined;
  return sendRaw(server, endpoint.method, targetOf(endpoint, input), {
    ...(hasBody ? { body } : {}),
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...headers },
  });
}

/** Sends any request, and checks that the response is complete. */
export async function sendRaw(
  server: TestServer,
  method: string,
  target: string,
  init: RequestInit = {},
): Promise<CallResponse> {
  const headers = { ...signatureFor(server, target, init), ...(init.headers as Headers | undefined) };
  const response = await server.anonymous.fetch(target, { ...init, method, headers });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const text = isStream ? await beginningOf(response) : await response.text();
  const body: unknown = isStream ? null : JSON.parse(text);
  const answer: CallResponse = {
    status: response.status,
    headers: response.headers,
    text,
    body,
    code: (body as { error?: { code: ErrorCode } } | null)?.error?.code ?? null,
    requestId: response.headers.get('x-request-id') ?? '',
  };
  expectWhole(answer, target);
  return answer;
}

/** The signature of a call that sends a billing event, whatever its body is; no headers for any other call. */
function signatureFor({ clock }: TestServer, target: string, { body }: RequestInit): Headers {
  if (target.split('?', 1)[0] !== `/api/v1${endpoints.receiveBillingEvent.path}`) return {};
  const payload = typeof body === 'string' || body instanceof Uint8Array ? body : '';
  return { [SIGNATURE_HEADER]: signatureOf(payload, { at: clock.now() }) };
}

/** A stream lasts for minutes; its first event shows that it began. The connection is then closed. */
async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes('\n\n')) break;
  }
  return text;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Checks what every response of the API must have. */
function expectWhole({ status, headers, body, code, requestId }: CallResponse, target: string): void {
  const isPublic = target.split('?', 1)[0] === '/api/v1/updates/manifest' && code === null;
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  const statuses = code === null ? [200, 201, 503] : (errors[code].statuses ?? [errors[code].status]);
  const whole = {
    cacheControl: isPublic ? 'public, max-age=300' : 'private, no-store, must-revalidate',
    contentType: body === null ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8',
    hasRequestId: true,
    hasStatusOfCode: true,
    keys: code === null ? null : 'error',
    errorKeys: code === null ? null : 'code,message,requestId',
    requestId: code === null ? null : requestId,
  };
  const found: typeof whole = {
    cacheControl: headers.get('cache-control') ?? '',
    contentType: headers.get('content-type') ?? '',
    hasRequestId: UUID.test(requestId),
    hasStatusOfCode: statuses.includes(status),
    keys: error ? Object.keys(body as object).join() : null,
    errorKeys: error
      ? Object.keys(error)
          .filter((key) => key !== 'details')
          .join()
      : null,
    requestId: error ? String(error['requestId']) : null,
  };
  // The matcher costs more than the request, so it is called only for its message.
  if (JSON.stringify(found) !== JSON.stringify(whole))
    expect({ target, ...found }).toEqual({ target, ...whole });
}

/** What could distinguish two responses; the request id never counts. */
export function seenOf({ status, text, headers, requestId }: CallResponse): string {
  const shown = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
  return JSON.stringify([status, text.replace(requestId, ''), shown]);
}
