/** Turns the service's rejections and missing responses into a sentence, the next step and an exit code. */
import { ConnectionError, UnexpectedAnswerError, type Failure } from '@svc/client';
import type { ErrorCode, Issue } from '@svc/contract';
import { CliError, type CliErrorOptions } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { LOGIN } from './link-hint.ts';
import { isLoopback } from './origin.ts';

/**
 * @param origin the service, as the message names it.
 * @param hint what to do about a rejected credential.
 */
export function rejection(
  { error, retryAfterMs }: Failure<string>,
  origin: string,
  hint: string = LOGIN,
): CliError {
  const code = error.code as ErrorCode;
  const given: CliErrorOptions = {
    code,
    requestId: safeLine(error.requestId),
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
  const message = safeLine(error.message);
  switch (code) {
    case 'UNAUTHENTICATED':
      return new CliError('unauthenticated', `${origin} does not know this credential.`, {
        ...given,
        hint,
      });
    case 'DEVICE_REVOKED':
      return new CliError('unauthenticated', 'This device was revoked.', { ...given, hint });
    case 'SYNC_DAILY_LIMIT_REACHED':
    case 'SYNC_WEEKLY_LIMIT_REACHED':
      return quotaReached(code, error.details ?? {}, given);
    case 'CLIENT_VERSION_REVOKED':
    case 'CLIENT_VERSION_TOO_OLD':
      return new CliError('failed', message, {
        ...given,
        hint: 'Update svc with svc update apply, and try again.',
      });
    case 'RATE_LIMITED':
      return new CliError('unavailable', 'The service rejected the request: too many requests.', {
        ...given,
        hint: `Try again ${retryAfterMs === null ? 'later' : `in ${inWords(retryAfterMs)}`}.`,
      });
    case 'INTERNAL':
      return new CliError('unavailable', message, given);
    default:
      return new CliError('failed', message, { ...given, details: issuesOf(error.details) });
  }
}

/** An error of a call as a CliError; an error that is not about the connection is returned unchanged. */
export function silence(error: unknown, origin: string, signal: AbortSignal): Error {
  if (error instanceof CliError) return error;
  if (signal.aborted) return new CliError('interrupted', 'Interrupted.', { cause: error });
  if (error instanceof ConnectionError) {
    return new CliError('unavailable', `${origin} cannot be reached${reasonOf(error)}.`, {
      hint: isDistrusted(error)
        ? 'svc does not trust the authority that issued its certificate. If the authority is your own, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem'
        : whereToLook(origin),
      cause: error,
    });
  }
  if (error instanceof UnexpectedAnswerError) return unexpectedAnswer(error, origin);
  return error instanceof Error ? error : new Error(String(error));
}

/** A loopback address may be the default, used because no other was configured. */
function whereToLook(origin: string): string {
  return isLoopback(new URL(origin).hostname)
    ? 'Start the service there, or name yours: SVC_API_BASE_URL=https://svc.example.com svc login'
    : 'Check the network, and the address in SVC_API_BASE_URL or from the last svc login.';
}

function unexpectedAnswer(error: UnexpectedAnswerError, origin: string): CliError {
  const { status } = error;
  if (status >= 500) {
    return new CliError('unavailable', `${origin} is not ready (status ${status}).`, { cause: error });
  }
  if (status >= 300 && status < 400) {
    return new CliError('failed', `${origin} redirects to another address.`, {
      hint: 'Set SVC_API_BASE_URL to that address.',
      cause: error,
    });
  }
  return new CliError('failed', `${origin} does not respond like the service (status ${status}).`, {
    hint: 'Check that SVC_API_BASE_URL is the address of the service.',
    cause: error,
  });
}

function quotaReached(code: ErrorCode, details: Readonly<Record<string, unknown>>, given: CliErrorOptions) {
  const name = code === 'SYNC_DAILY_LIMIT_REACHED' ? 'daily' : 'weekly';
  const window = details[name] as { limit?: number; resetsAt?: string } | undefined;
  const number = typeof window?.limit === 'number' ? ` (${window.limit})` : '';
  return new CliError('quotaReached', `The ${name} quota of cloud reports${number} is used up.`, {
    ...given,
    ...(typeof window?.resetsAt === 'string' ? { hint: `It resets at ${safeLine(window.resetsAt)}.` } : {}),
  });
}

function issuesOf(details: Readonly<Record<string, unknown>> | undefined): string[] {
  const issues = details?.['issues'];
  if (!Array.isArray(issues)) return [];
  return (issues as Partial<Issue>[]).map(({ path, message }) => safeLine(`${path || '/'}: ${message}`));
}

/** The system's error code in parentheses, such as ` (ECONNREFUSED)`; empty without a code. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return ` (${code})`;
    if (cause.name === 'TimeoutError') return ' (timeout)';
  }
  return '';
}

/** The system's error codes for a certificate that no trusted authority has signed. */
const DISTRUST = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function isDistrusted(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (DISTRUST.has((cause as NodeJS.ErrnoException).code ?? '')) return true;
  }
  return false;
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
