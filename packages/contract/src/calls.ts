/**
 * How to call each operation, without its schemas, so that clients that rely on the types do not load the schema
 * library. Generated from the endpoints.
 */
import table from '../schemas/calls.json' with { type: 'json' };
import type { Credential, Method } from './endpoint.ts';
import type { Operation } from './endpoints.ts';

export interface Call {
  readonly method: Method;
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly credential: Credential;
  /** The success statuses. */
  readonly successes: readonly number[];
  /** The kind of the 200 response. */
  readonly answers: 'json' | 'events' | 'file';
}

export const calls = table as Readonly<Record<Operation, Call>>;
