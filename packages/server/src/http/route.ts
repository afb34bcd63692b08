/** What a feature gives to the HTTP layer: an endpoint of the contract, and the function that answers it. */
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '@svc/contract';
import type { IncomingBytes } from '#http/incoming-bytes';
import type { PrincipalOf } from '#http/credentials';
import type { SessionCookie } from '#http/cookies';

/** A call whose form and credential are already checked. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly bytes: E['takesReport'] extends true ? IncomingBytes : never;
  readonly principal: PrincipalOf<E['credential']>;
  /** What throttles count as one network. */
  readonly network: string;
  readonly sessionCookie: E['setsSession'] extends true ? SessionCookie : never;
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E>>;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (call: Call<Endpoint>) => Promise<{ readonly status: number; readonly body: unknown }>;
}

export function route<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler };
}

export function ok<Body>(body: Body) {
  return { status: 200, body } as const;
}

export function created<Body>(body: Body) {
  return { status: 201, body } as const;
}
