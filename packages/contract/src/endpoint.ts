/** The type of each entry of endpoints.ts, and what is derived from an entry. */
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call: anyone; a signed-in browser; a linked device; either of the two; or anyone, using the session if there
 * is one.
 */
export type Credential = 'none' | 'session' | 'device' | 'sessionOrDevice' | 'optionalSession';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly credential: Credential;
  /** The response sets or clears the session cookie. */
  readonly setsSession?: true;
  /** Answers under every host name; all other endpoints return FORBIDDEN under an unknown one. */
  readonly anyHost?: true;
  readonly summary: string;
  readonly tag: string;
  /** The path parameters that are not ids; a value that violates the schema is VALIDATION_FAILED. */
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** A missing body counts as an empty object. */
  readonly bodyOptional?: true;
  /**
   * The feature reads the body itself, as JSON bytes up to the size of a report; the HTTP layer does not parse it.
   */
  readonly takesReport?: true;
  /**
   * The body comes from the payment provider, and is valid only with a signature over its bytes in
   * `stripe-signature`. Without a configured secret the route does not exist.
   */
  readonly signed?: true;
  /**
   * A body that violates the schema may contain text that must not be stored, so the code is UNSAFE_PAYLOAD_REJECTED.
   */
  readonly rejectsAsUnsafe?: true;
  /** The 200 response is a stream of server-sent events, not JSON. */
  readonly streams?: true;
  /** The 200 response is a file in the format that the path names, not JSON with a schema. */
  readonly sendsFile?: true;
  /**
   * The endpoint accepts an unlock token in a header, and the share's password in a header or, if the query defines it,
   * in `password`. An unlock token takes precedence.
   */
  readonly takesSharePassword?: true;
  /** The response statuses and the schema of each body, except for error envelopes. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 204 | 503, TSchema>>>;
  /**
   * The error codes that the endpoint can return in addition to those that follow from its definition (see `codesOf`).
   */
  readonly codes: readonly ErrorCode[];
  /** Only for sessions of platform administrators; for every other session the route does not exist. */
  readonly administratorOnly?: true;
  /** The endpoint is not part of the API that clients were promised. */
  readonly extension?: true;
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

type StaticOrNone<Schema> = Schema extends TObject ? Static<Schema> : unknown;

export type ParamsOf<E extends Endpoint> = Readonly<
  Record<Exclude<ParameterNames<E['path']>, keyof StaticOrNone<E['params']>>, string>
> &
  Readonly<StaticOrNone<E['params']>>;
export type QueryOf<E extends Endpoint> = E['query'] extends TObject ? Static<E['query']> : undefined;
export type BodyOf<E extends Endpoint> = E['body'] extends TObject ? Static<E['body']> : undefined;

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : never;

/** The success responses of an endpoint as a union of `{ status, body }`. */
export type ResponseOf<E extends Endpoint> = {
  [Status in keyof E['answers'] & number]: {
    readonly status: Status;
    readonly body: StaticOf<E['answers'][Status]>;
  };
}[keyof E['answers'] & number];

type Always = 'BAD_REQUEST' | 'VALIDATION_FAILED' | 'INTERNAL';
type OfCredential<E extends Endpoint> = E['credential'] extends 'none' | 'optionalSession'
  ? never
  : 'UNAUTHENTICATED' | 'DEVICE_REVOKED';
type OfHost<E extends Endpoint> = E['anyHost'] extends true ? never : 'FORBIDDEN';
type OfPath<E extends Endpoint> = E['path'] extends `${string}{${string}`
  ? 'NOT_FOUND'
  : E['administratorOnly'] extends true
    ? 'NOT_FOUND'
    : never;

/** Every error code that an endpoint can return. */
export type CodesOf<E extends Endpoint> =
  | Always
  | OfCredential<E>
  | OfHost<E>
  | OfPath<E>
  | E['codes'][number];

/** True if requests must come from our own pages or from outside a browser; all others are denied. */
export function checksOrigin(definition: Endpoint): boolean {
  if (definition.method === 'GET') return false;
  return definition.setsSession === true || takesSession(definition);
}

export function takesSession({ credential }: Endpoint): boolean {
  return credential === 'session' || credential === 'sessionOrDevice' || credential === 'optionalSession';
}

export function requiresCredential({ credential }: Endpoint): boolean {
  return credential !== 'none' && credential !== 'optionalSession';
}

/** The names in the path's braces, in order. */
export function parameterNames({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{([A-Za-z]+)\}/g)].map((match) => match[1] ?? '');
}

/** The same set as the type `CodesOf`, for documents and for the server's own check. */
export function codesOf(definition: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(['BAD_REQUEST', 'VALIDATION_FAILED', 'INTERNAL']);
  if (requiresCredential(definition)) codes.add('UNAUTHENTICATED').add('DEVICE_REVOKED');
  if (!definition.anyHost) codes.add('FORBIDDEN');
  if (parameterNames(definition).length > 0 || definition.administratorOnly) codes.add('NOT_FOUND');
  for (const code of definition.codes) codes.add(code);
  return [...codes];
}
