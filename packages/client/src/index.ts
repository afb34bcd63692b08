/**
 * Typed calls to the service, made from the contract's endpoints. A field too many, a wrong type or a branch on a code that
 * the endpoint can not answer is a compile error. Runs in browsers and in Node.
 */
import type {
  AnswerOf,
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
  /** A device credential. Without it the browser's cookie counts. */
  readonly deviceToken?: string;
  /** Sent with every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** May throw UnexpectedAnswerError where it sees that an answer is not the service's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Reads the JSON of an answer; throws SyntaxError where it is none. */
  readonly readJson?: (response: Response) => Promise<unknown>;
}

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? Partial<Record<Name, undefined>>
  : { readonly [Key in Name]: Value };

/** A report in the canonical form, as it was declared. */
export type ReportBytes = Uint8Array<ArrayBuffer> | string;

type Params<E extends Endpoint> = E['path'] extends `${string}{${string}` ? ParamsOf<E> : undefined;

export type InputOf<E extends Endpoint> = Part<'params', Params<E>> &
  (E['query'] extends object ? { readonly query?: QueryOf<E> } : object) &
  (E['bodyOptional'] extends true ? { readonly body?: BodyOf<E> } : Part<'body', BodyOf<E>>) &
  (E['takesReport'] extends true ? { readonly bytes: ReportBytes } : object) &
  (E['takesSharePassword'] extends true ? { readonly sharePassword?: string } : object) & {
    readonly signal?: AbortSignal;
  };

type Arguments<E extends Endpoint> = object extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>];

export interface Failure<Code extends string> {
  readonly ok: false;
  readonly status: number;
  readonly error: ErrorEnvelope<Code>['error'];
  /** What `Retry-After` asks for. */
  readonly retryAfterMs: number | null;
}

/** What a call came to: an answer with its status and body, or the service's refusal. */
export type Outcome<E extends Endpoint> = ({ readonly ok: true } & AnswerOf<E>) | Failure<CodesOf<E>>;

export type Client = {
  readonly [Name in Exclude<Operation, StreamOperation | FileOperation | SignedOperation>]: (
    ...input: Arguments<Endpoints[Name]>
  ) => Promise<Outcome<Endpoints[Name]>>;
};

/** Where a stream of events is, for an `EventSource`. */
export function streamAddress<Name extends StreamOperation>(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
  operation: Name,
  input: Omit<InputOf<Endpoints[Name]>, 'signal'>,
): string {
  return addressOf(baseUrl === undefined ? {} : { baseUrl }, calls[operation], input as AnyInput);
}

/** Where a file is, for a link that saves it. */
export function fileAddress<Name extends FileOperation>(
  { baseUrl }: Pick<ClientOptions, 'baseUrl'>,
  operation: Name,
  input: Omit<InputOf<Endpoints[Name]>, 'signal'>,
): string {
  return addressOf(baseUrl === undefined ? {} : { baseUrl }, calls[operation], input as AnyInput);
}

/** No answer came: the service can not be reached, or the call was aborted. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** An answer came that is not the service's: a proxy's page, or a newer service's code. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** @throws nothing by itself; each call throws ConnectionError or UnexpectedAnswerError. */
export function createClient(options: ClientOptions = {}): Client {
  const sending = Object.entries(calls)
    .filter(([, { answers }]) => answers === 'json')
    .map(([name, call]) => [name, (input: AnyInput = {}) => send(options, call, input)]);
  return Object.fromEntries(sending) as Client;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly bytes?: ReportBytes;
  readonly sharePassword?: string;
  readonly signal?: AbortSignal;
}

async function send(options: ClientOptions, call: Call, input: AnyInput): Promise<unknown> {
  const fetch = options.fetch ?? globalThis.fetch;
  const readJson = options.readJson ?? readWhole;
  let response: Response | undefined;
  let body: unknown;
  try {
    response = await fetch(addressOf(options, call, input), {
      method: call.method,
      headers: headersOf(options, input),
      ...bodyOf(input),
      ...(input.signal ? { signal: input.signal } : {}),
    });
    body = await readJson(response);
  } catch (cause) {
    if (cause instanceof UnexpectedAnswerError) throw cause;
    if (response && cause instanceof SyntaxError) throw noJson(response);
    throw new ConnectionError('The service can not be reached.', { cause });
  }
  if (call.successes.includes(response.status)) return { ok: true, status: response.status, body };
  const error = (body as ErrorEnvelope | null)?.error;
  if (!error || !errorCodes.includes(error.code)) {
    throw new UnexpectedAnswerError(
      `The service answered ${response.status} in a way this client does not know.`,
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
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(params[name] ?? ''));
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : '';
  return `${origin}/api/v1${filled}${search}`;
}

/**
 * An id as one part of a path. What would make another path of it (nothing, and the dots that mean steps) names nothing,
 * and is sent as an id of which that is true as well.
 */
function pathPart(id: string): string {
  return /^\.{0,2}$/.test(id) ? '~' : encodeURIComponent(id.toWellFormed());
}

function bodyOf({ body, bytes }: AnyInput): { body?: ReportBytes } {
  if (bytes !== undefined) return { body: bytes };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

function headersOf(
  { deviceToken, headers }: ClientOptions,
  { body, bytes, sharePassword }: AnyInput,
): Record<string, string> {
  return {
    ...headers,
    ...sharePasswordHeader(sharePassword),
    ...(deviceToken === undefined ? {} : { authorization: `Bearer ${deviceToken}` }),
    ...(body === undefined && bytes === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** How a request says the password of a link; nothing where there is none. */
export function sharePasswordHeader(password: string | undefined): Record<string, string> {
  return password === undefined ? {} : { 'x-svc-share-password': asHeader(password) };
}

/** Headers carry bytes; each unit of this text stands for one byte of the UTF-8 form. */
function asHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

async function readWhole(response: Response): Promise<unknown> {
  return JSON.parse(await response.text()) as unknown;
}

function noJson({ status }: Response): UnexpectedAnswerError {
  return new UnexpectedAnswerError(`The service answered ${status} with something that is not JSON.`, status);
}

function retryAfterMs(response: Response): number | null {
  const asked = response.headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(asked) ? Number(asked) * 1000 : null;
}
