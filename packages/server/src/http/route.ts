/** What a feature gives to the HTTP layer: an endpoint of the contract, and the function that answers it. */
import type { StreamSource } from '#event-sink';
import type { Prepared } from '#prepared';
import type { ResponseOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@svc/contract';
import type { IncomingBytes } from '#http/incoming-bytes';
import type { PrincipalOf } from '#http/credentials';
import type { SessionCookie } from '#http/cookies';

/** The client of a request, as it is stored with a session. */
export interface Client {
  /** The network, such as `203.0.113.0/24` or `unknown`. */
  readonly network: string;
  /** The header as the client sent it; empty when it sent none. */
  readonly userAgent: string;
}

/** A call whose schema and credential are already checked. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly bytes: E['takesReport'] extends true ? IncomingBytes : never;
  readonly principal: PrincipalOf<E['credential']>;
  /** The header of a browser that reconnects to a stream. */
  readonly lastEventId: E['streams'] extends true ? string | undefined : never;
  /** The password for a share, as bytes that should be UTF-8; undefined when absent. */
  readonly sharePassword: E['takesSharePassword'] extends true ? Uint8Array | undefined : never;
  /** An unlock token for a share; undefined when absent. */
  readonly shareUnlock: E['takesSharePassword'] extends true ? string | undefined : never;
  /** A HEAD request. */
  readonly isHead: boolean;
  /** The network as throttles count it. */
  readonly network: string;
  readonly client: E['setsSession'] extends true ? Client : never;
  /** The request comes from this machine, without a proxy. */
  readonly isLocal: boolean;
  readonly sessionCookie: E['setsSession'] extends true ? SessionCookie : never;
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<ResponseOf<E>>;

/** What a handler returns: a body, prepared bytes, or a stream of events. */
export type Result =
  | { readonly status: number; readonly body: unknown; readonly prepared?: never; readonly source?: never }
  | { readonly status: 200; readonly prepared: Prepared; readonly source?: never }
  | { readonly status: 200; readonly source: StreamSource; readonly prepared?: never };

export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (call: Call<Endpoint>) => Promise<Result>;
}

export function route<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}

/** The route of an endpoint whose response is prepared bytes: a file, or JSON that matches its schema. */
export function preparedRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<Prepared>,
): Route {
  return { endpoint, handler: async (call) => ({ status: 200, prepared: await handler(call) }) };
}

/**
 * The route of an endpoint that answers with a stream, or with 204 when there are no further events. The source is
 * always called.
 */
export function streamRoute<E extends Endpoint & { readonly streams: true }>(
  endpoint: E,
  handler: (
    call: Call<E>,
  ) => Promise<{ readonly status: 204 } | { readonly status: 200; readonly source: StreamSource }>,
): Route {
  return {
    endpoint,
    async handler(call) {
      const result = await handler(call);
      return result.status === 204 ? { status: 204, body: null } : result;
    },
  };
}

export function ok<Body>(body: Body) {
  return { status: 200, body } as const;
}

export function created<Body>(body: Body) {
  return { status: 201, body } as const;
}
