/**
 * How each operation is called, and nothing of what it takes and answers: clients that trust the types do not load the
 * schema library. Generated from the endpoints.
 */
import table from '../schemas/calls.json' with { type: 'json' };
import type { Credential, Method } from './endpoint.ts';
import type { Operation } from './endpoints.ts';

export interface Call {
  readonly method: Method;
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly credential: Credential;
  /** The statuses of success. */
  readonly successes: readonly number[];
  /** What its 200 is. */
  readonly answers: 'json' | 'events' | 'file';
}

export const calls = table as Readonly<Record<Operation, Call>>;
