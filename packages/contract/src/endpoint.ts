/** What an endpoint is: the shape of each entry of endpoints.ts, and what follows from one. */
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';

/**
 * Who may call: anyone; a signed-in browser; a linked device; either of the two; or anyone, with a session noticed when
 * there is one.
 */
export type Credential = 'none' | 'session' | 'device' | 'sessionOrDevice' | 'optionalSession';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly credential: Credential;
  /** The answer sets or clears the session cookie. */
  readonly setsSession?: true;
  readonly summary: string;
  readonly tag: string;
  /** Of those parameters in the path that are no ids: what is none of these words is VALIDATION_FAILED. */
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** No body at all counts as an empty object. */
  readonly bodyOptional?: true;
  /**
   * The body is read by the feature itself, as bytes of JSON up to the size of a report, instead of by the binding.
   */
  readonly takesReport?: true;
  /**
   * The body comes from the payment provider, and counts only with a signature over its bytes in `stripe-signature`. Where no
   * secret is configured there is no such route.
   */
  readonly signed?: true;
  /** What departs from the body's schema may be text that must not be stored: UNSAFE_PAYLOAD_REJECTED. */
  readonly refusesAsUnsafe?: true;
  /** 200 is a stream of server-sent events, not JSON. */
  readonly streams?: true;
  /** 200 is a file to be saved, in the format that the path names, not JSON of a schema. */
  readonly sendsFile?: true;
  /** The password of a link is taken, from the header or, where the query has it, from `password`. */
  readonly takesSharePassword?: true;
  /** Success statuses and the body of each. */
  readonly answers: Readonly<Partial<Record<200 | 201 | 204 | 503, TSchema>>>;
  /** The codes it can answer beside those that follow from its form (see `codesOf`). */
  readonly codes: readonly ErrorCode[];
  /** For a session of a platform administrator; to every other session it is no route at all. */
  readonly administratorOnly?: true;
  /** Not part of the interface's own list. */
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

/** The answers of an endpoint as a union of `{ status, body }`. */
export type AnswerOf<E extends Endpoint> = {
  [Status in keyof E['answers'] & number]: {
    readonly status: Status;
    readonly body: StaticOf<E['answers'][Status]>;
  };
}[keyof E['answers'] & number];

type Always = 'BAD_REQUEST' | 'VALIDATION_FAILED' | 'INTERNAL';
type OfCredential<E extends Endpoint> = E['credential'] extends 'none' | 'optionalSession'
  ? never
  : 'UNAUTHENTICATED' | 'DEVICE_REVOKED';
type OfCookie<E extends Endpoint> = E['method'] extends 'GET'
  ? never
  : E['credential'] extends 'session' | 'sessionOrDevice' | 'optionalSession'
    ? 'FORBIDDEN'
    : E['setsSession'] extends true
      ? 'FORBIDDEN'
      : never;
type OfPath<E extends Endpoint> = E['path'] extends `${string}{${string}`
  ? 'NOT_FOUND'
  : E['administratorOnly'] extends true
    ? 'NOT_FOUND'
    : never;

/** Every code that an endpoint can answer. */
export type CodesOf<E extends Endpoint> =
  | Always
  | OfCredential<E>
  | OfCookie<E>
  | OfPath<E>
  | E['codes'][number];

/** True when a request to it is refused unless it comes from our own pages (or from no browser at all). */
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
  if (checksOrigin(definition)) codes.add('FORBIDDEN');
  if (parameterNames(definition).length > 0 || definition.administratorOnly) codes.add('NOT_FOUND');
  for (const code of definition.codes) codes.add(code);
  return [...codes];
}
