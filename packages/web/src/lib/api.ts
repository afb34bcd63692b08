/** Calls to the service, as queries and commands. */
import { ConnectionError, createClient, UnexpectedAnswerError, type Client, type Failure } from '@svc/client';
import type { ErrorCode } from '@svc/contract';
import { calls } from '@svc/contract/calls';
import { readJson } from './read-json.ts';

export const client = createClient({ readJson });

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

/** Resolves to whether the person who used the page is signed in again. */
type SigningInAgain = (cause: 'reading' | 'changing') => Promise<boolean>;
let signInAgain: SigningInAgain = () => Promise.resolve(false);
/** How many times somebody has. */
let returns = 0;

/** Says what is to be done when the session of a page that is in use has ended. */
export function onSessionEnded(handler: SigningInAgain): void {
  signInAgain = handler;
}

/** Resolves to whether the password was given again. */
let confirmAgain: () => Promise<boolean> = () => Promise.resolve(false);

/** Says what is to be done when the service wants the password again before it does something. */
export function onConfirmationWanted(handler: () => Promise<boolean>): void {
  confirmAgain = handler;
}

/**
 * One call, to its answer's body. When the session has ended, it is sent again once there is another one; when the service
 * wants the password again, it is sent again once that was given.
 * @throws Refusal, ConnectionError, UnexpectedAnswerError
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
    if (!isRefusal(error, 'UNAUTHENTICATED') || !needsSession(name)) throw error;
    // Of calls that go on together each is refused; a refusal that comes late is of the session before.
    if (returns === returnsBefore && !(await isBack(name))) throw error;
    return send(name, input, signal);
  }
}

function wantsConfirmation(error: unknown): boolean {
  if (!isRefusal(error, 'FORBIDDEN')) return false;
  return (error.details as { readonly reason?: unknown } | undefined)?.reason === 'confirm';
}

async function isBack(name: Called): Promise<boolean> {
  const { method } = calls[name];
  if (!(await signInAgain(method === 'GET' ? 'reading' : 'changing'))) return false;
  returns += 1;
  return true;
}

/** Whether somebody is signed in may be asked by anyone. */
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
