/** Calls to the API, as queries and commands. */
import { ConnectionError, createClient, UnexpectedAnswerError, type Client, type Failure } from '@svc/client';
import type { ErrorCode } from '@svc/contract';
import { calls } from '@svc/contract/calls';
import { readJson } from './read-json.ts';

export const client = createClient({ readJson });

/** An error response of the API. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
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

/** Resolves to true once the same user is signed in again. */
type SigningInAgain = (cause: 'reading' | 'changing') => Promise<boolean>;
let signInAgain: SigningInAgain = () => Promise.resolve(false);
/** How many times the user has signed in again. */
let returns = 0;

/** Sets the handler for a session that ends while a page is in use. */
export function onSessionEnded(handler: SigningInAgain): void {
  signInAgain = handler;
}

/** Resolves to true once the user has confirmed the password. */
let confirmAgain: () => Promise<boolean> = () => Promise.resolve(false);

/** Sets the handler for actions that require the password again. */
export function onConfirmationWanted(handler: () => Promise<boolean>): void {
  confirmAgain = handler;
}

/**
 * Calls the API and returns the response body. If the session has ended or the API requires the password again, the
 * user is asked. The call is repeated after the user has signed in or confirmed.
 * @throws ApiError, ConnectionError, UnexpectedAnswerError
 */
export async function ask<Name extends Called>(
  name: Name,
  input?: InputFor<Name>,
  signal?: AbortSignal,
): Promise<BodyFor<Name>> {
  const returnsBefore = returns;
  try {
    return await send(name, input, signal);
  } catch (error) {
    if (wantsConfirmation(error) && (await confirmAgain())) return send(name, input, signal);
    if (!isApiError(error, 'UNAUTHENTICATED') || !needsSession(name)) throw error;
    // All concurrent calls fail; an error that arrives after a new sign-in belongs to the previous session.
    if (returns === returnsBefore && !(await isBack(name))) throw error;
    return send(name, input, signal);
  }
}

function wantsConfirmation(error: unknown): boolean {
  return isApiError(error, 'FORBIDDEN') && reasonOf(error) === 'confirm';
}

/** Distinguishes errors with the same code. */
export function reasonOf({ details }: ApiError): unknown {
  return (details as { readonly reason?: unknown } | undefined)?.reason;
}

async function isBack(name: Called): Promise<boolean> {
  const { method } = calls[name];
  if (!(await signInAgain(method === 'GET' ? 'reading' : 'changing'))) return false;
  returns += 1;
  return true;
}

/** getSession never opens the sign-in dialog: anyone may ask who is signed in. */
function needsSession(name: Called): boolean {
  const { credential } = calls[name];
  return name !== 'getSession' && (credential === 'session' || credential === 'sessionOrDevice');
}

async function send<Name extends Called>(
  name: Name,
  input: InputFor<Name> | undefined,
  signal: AbortSignal | undefined,
): Promise<BodyFor<Name>> {
  const call = client[name] as (input: unknown) => Promise<Success<Name> | Failure<string>>;
  const outcome = await call({ ...input, ...(signal && { signal }) });
  if (!outcome.ok) throw new ApiError(outcome);
  return outcome.body;
}

/** Options of a read query. Its key is the operation and its input. */
export function query<Name extends Called>(name: Name, input?: InputFor<Name>) {
  return {
    queryKey: queryKey(name, input),
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(name, input, signal),
  };
}

export function queryKey<Name extends Called>(name: Name, input?: InputFor<Name>): readonly unknown[] {
  return input === undefined ? [name] : [name, input];
}

/** The key of a list that is loaded page by page; the first page has no cursor. */
export function pagesKey(key: readonly unknown[]): readonly unknown[] {
  return [...key, 'pages'];
}

export function isApiError(error: unknown, ...codes: readonly ErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/** True for an error that a retry may solve. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof UnexpectedAnswerError ||
    (error instanceof ApiError && error.status >= 500)
  );
}
