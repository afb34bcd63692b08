/**
 * Typed calls to the service, derived from the contract's endpoints. An unknown field, a wrong type or a check for a code
 * that the endpoint cannot return is a compile error. Runs in browsers and in Node.
 */
import type {
  ResponseOf,
  BodyOf,
  CodesOf,
  Endpoint,
  Endpoints,
  ErrorEnvelope,
  FileOperation,
  Operation,
  ParamsOf,
  QueryOf,
  SignedOperation,
  StreamOperation,
} from '@svc/contract';
import { calls, type Call } from '@svc/contract/calls';
import { errorCodes } from '@svc/contract/errors';

export interface ClientOptions {
  /** The origin of the service, with or without `/api/v1`; the default is the page's own. */
  readonly baseUrl?: string;
  /** A device credential. Without it the browser's cookie is used. */
  readonly deviceToken?: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** It may throw UnexpectedAnswerError when a response is not the service's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Reads the JSON of a response; throws SyntaxError for anything else. */
  readonly readJson?: (response: Response) => Promise<unknown>;
}

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? Partial<Record<Name, undefined>>
  : { readonly [Key in Name]: Value };

/** The canonical report body, as declared. */
export type ReportBytes = Uint8Array<ArrayBuffer> | Blob | string;

type Params<E extends Endpoint> = E['path'] extends `${string}{${string}` ? ParamsOf<E> : undefined;

export type InputOf<E extends Endpoint> = Part<'params', Params<E>> &
  (E['query'] extends object ? { readonly query?: QueryOf<E> } : object) &
  (E['bodyOptional'] extends true ? { readonly body?: BodyOf<E> } : Part<'body', BodyOf<E>>) &
  (E['takesReport'] extends true ? { readonly bytes: ReportBytes } : object) &
  (E['takesSharePassword'] extends true ? ShareSecret : object) & {
    readonly signal?: AbortSignal;
  };

/** What opens a share with a password. An unlock token takes precedence. */
export interface ShareSecret {
  readonly sharePassword?: string | undefined;
  readonly shareUnlock?: string | undefined;
}

type Arguments<E extends Endpoint> = object extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>];

export interface Failure<Code extends string> {
  readonly ok: false;
  readonly status: number;
  readonly error: ErrorEnvelope<Code>['error'];
  /** From `Retry-After`. */
  readonly retryAfterMs: number | null;
}

/** The outcome of a call: a response with its status and body, or the service's rejection. */
export type CallOutcome<E extends Endpoint> = ({ readonly ok: true } & ResponseOf<E>) | Failure<CodesOf<E>>;

export type Client = {
  readonly [Name in Exclude<Operation, StreamOperation | FileOperation | SignedOperation>]: (
    ...input: Arguments<Endpoints[Name]>
  ) => Promise<CallOutcome<Endpoints[Name]>>;
};

/** The address of an event stream, for an `EventSource`. */
export function streamAddress<Name extends StreamOperation>(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
  operation: Name,
  input: Omit<InputOf<Endpoints[Name]>, 'signal'>,
): string {
  return addressOf(baseUrl === undefined ? {} : { baseUrl }, calls[operation], input as AnyInput);
}

/** The address of a file, for a download link. */
export function fileAddress<Name extends FileOperation>(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
  operation: Name,
  input: Omit<InputOf<Endpoints[Name]>, 'signal'>,
): string {
  return addressOf(baseUrl === undefined ? {} : { baseUrl }, calls[operation], input as AnyInput);
}

/** No complete response: the service is unreachable, the connection ended, or the call was aborted. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The response is not the service's, or unknown: a proxy's page, or a newer service's code. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Does not throw. A call may throw ConnectionError or UnexpectedAnswerError. */
export function createClient(options: ClientOptions = {}): Client {
  const sending = Object.entries(calls)
    .filter(([, { answers }]) => answers === 'json')
    .map(([name, call]) => [name, (input: AnyInput = {}) => send(options, call, input)]);
  return Object.fromEntries(sending) as Client;
}

interface AnyInput extends ShareSecret {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly bytes?: ReportBytes;
  readonly signal?: AbortSignal;
}

async function send(options: ClientOptions, call: Call, input: AnyInput): Promise<unknown> {
  const fetch = options.fetch ?? globalThis.fetch;
  let response: Response | undefined;
  let body: unknown;
  try {
    const sent = input.bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    response = await fetch(addressOf(options, call, input), {
      method: call.method,
      headers: headersOf(options, input),
      ...(sent === undefined ? {} : { body: sent }),
      ...(input.signal ? { signal: input.signal } : {}),
    });
    body = options.readJson ? await options.readJson(response) : JSON.parse(await response.text());
  } catch (cause) {
    if (cause instanceof UnexpectedAnswerError) throw cause;
    if (response && cause instanceof SyntaxError) throw noJson(response);
    throw new ConnectionError('The service cannot be reached.', { cause });
  }
  if (call.successes.includes(response.status)) return { ok: true, status: response.status, body };
  const error = (body as ErrorEnvelope | null)?.error;
  if (!error || !errorCodes.includes(error.code)) {
    throw new UnexpectedAnswerError(
      `The service sent a response that this client does not recognize (status ${response.status}).`,
      response.status,
    );
  }
  return { ok: false, status: response.status, error, retryAfterMs: retryAfterMs(response) };
}

function addressOf(
  { baseUrl = '' }: ClientOptions,
  { path }: Call,
  { params = {}, query = {} }: AnyInput,
): string {
  const origin = baseUrl.replace(/\/$/, '').replace(/\/api\/v1$/, '');
  // An id is one segment of the path. An empty id and dot segments would change the path. They name no record, so they are
  // sent as another id that does not exist.
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = params[name] ?? '';
    return /^\.{0,2}$/.test(id) ? '~' : encodeURIComponent(id.toWellFormed());
  });
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  return `${origin}/api/v1${filled}${search}`;
}

function headersOf(
  { deviceToken, headers }: ClientOptions,
  { body, bytes, ...secret }: AnyInput,
): Record<string, string> {
  return {
    ...headers,
    ...shareSecretHeaders(secret),
    ...(deviceToken === undefined ? {} : { authorization: `Bearer ${deviceToken}` }),
    ...(body === undefined && bytes === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** The headers that open a share with a password; none without a password or token. */
export function shareSecretHeaders({ sharePassword, shareUnlock }: ShareSecret): Record<string, string> {
  return {
    ...(sharePassword === undefined ? {} : { 'x-svc-share-password': asHeader(sharePassword) }),
    ...(shareUnlock === undefined ? {} : { 'x-svc-share-unlock': shareUnlock }),
  };
}

/** A header is bytes; each character of this text stands for one byte of the UTF-8 form. */
function asHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function noJson({ status }: Response): UnexpectedAnswerError {
  return new UnexpectedAnswerError(
    `The service sent a response that is not JSON (status ${status}).`,
    status,
  );
}

function retryAfterMs(response: Response): number | null {
  const asked = response.headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(asked) ? Number(asked) * 1000 : null;
}
