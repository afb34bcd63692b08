/** Calls to the service, as queries and commands. */
import { ConnectionError, createClient, UnexpectedAnswerError, type Client, type Failure } from '@svc/client';
import type { ErrorCode } from '@svc/contract';

export const client = createClient();

/** What the service refused, with what it said of the reason. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly status: number;
  readonly requestId: string;
  readonly details: unknown;
  readonly retryAfterMs: number | null;
  constructor({ error, status, retryAfterMs }: Failure<string>) {
    super(error.message);
    this.code = error.code as ErrorCode;
    this.status = status;
    this.requestId = error.requestId;
    this.details = error.details;
    this.retryAfterMs = retryAfterMs;
  }
}

export type Called = keyof Client;
export type InputFor<Name extends Called> = Parameters<Client[Name]>[0];
type Success<Name extends Called> = Extract<Awaited<ReturnType<Client[Name]>>, { ok: true }>;
export type BodyFor<Name extends Called> = Success<Name>['body'];

/**
 * One call, to its answer's body.
 * @throws Refusal, ConnectionError, UnexpectedAnswerError
 */
export async function ask<Name extends Called>(
  name: Name,
  input?: InputFor<Name>,
  signal?: AbortSignal,
): Promise<BodyFor<Name>> {
  const call = client[name] as (input: unknown) => Promise<Success<Name> | Failure<string>>;
  const outcome = await call({ ...input, ...(signal && { signal }) });
  if (!outcome.ok) throw new Refusal(outcome);
  return outcome.body;
}

/** For what only reads: its key names the call and all that it was given. */
export function query<Name extends Called>(name: Name, input?: InputFor<Name>) {
  return {
    queryKey: queryKey(name, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(name, input, signal),
  };
}

export function queryKey<Name extends Called>(name: Name, input?: InputFor<Name>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

export function isRefusal(error: unknown, ...codes: readonly ErrorCode[]): error is Refusal {
  return error instanceof Refusal && (codes.length === 0 || codes.includes(error.code));
}

/** True for what may go better in a moment, without anything being done. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof UnexpectedAnswerError ||
    (error instanceof Refusal && error.status >= 500)
  );
}
