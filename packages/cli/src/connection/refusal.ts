/** What the service's refusals and silences mean for a command: a sentence, the next step, an exit code. */
import { ConnectionError, UnexpectedAnswerError, type Failure } from '@svc/client';
import type { ErrorCode, Issue } from '@svc/contract';
import { CliError, type CliErrorOptions } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { LOGIN } from './link-hint.ts';

/** @param origin where the service is, for people. @param hint what to do about a credential that is refused. */
export function refusal(
  { error, retryAfterMs }: Failure<string>,
  origin: string,
  hint: string = LOGIN,
): CliError {
  const code = error.code as ErrorCode;
  const given: CliErrorOptions = { code, requestId: safeLine(error.requestId) };
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
        hint: 'Update svc, and try again: svc update check',
      });
    case 'RATE_LIMITED':
      return new CliError('unavailable', 'The service asks for fewer calls.', {
        ...given,
        hint: `Try again ${retryAfterMs === null ? 'later' : `in ${inWords(retryAfterMs)}`}.`,
      });
    case 'INTERNAL':
      return new CliError('unavailable', message, given);
    default:
      return new CliError('failed', message, { ...given, details: issuesOf(error.details) });
  }
}

/** What a call threw, as a CliError; anything that is no failure of the connection comes back as it is. */
export function silence(error: unknown, origin: string, signal: AbortSignal): Error {
  if (error instanceof CliError) return error;
  if (signal.aborted) return new CliError('interrupted', 'Interrupted.', { cause: error });
  if (error instanceof ConnectionError) {
    return new CliError('unavailable', `${origin} can not be reached${reasonOf(error)}.`, {
      hint: isDistrusted(error)
        ? 'Its certificate is of an authority that svc does not know. When it is your own, name its file: NODE_EXTRA_CA_CERTS=/path/to/ca.pem'
        : 'Look at the network and at SVC_API_BASE_URL.',
      cause: error,
    });
  }
  if (error instanceof UnexpectedAnswerError) return unexpectedAnswer(error, origin);
  return error instanceof Error ? error : new Error(String(error));
}

function unexpectedAnswer(error: UnexpectedAnswerError, origin: string): CliError {
  const { status } = error;
  if (status >= 500) {
    return new CliError('unavailable', `${origin} is not ready (status ${status}).`, { cause: error });
  }
  if (status >= 300 && status < 400) {
    return new CliError('failed', `${origin} sends its callers elsewhere.`, {
      hint: 'Set SVC_API_BASE_URL to the address it names.',
      cause: error,
    });
  }
  return new CliError('failed', `${origin} does not answer as the service does (status ${status}).`, {
    hint: 'Is SVC_API_BASE_URL the address of the service?',
    cause: error,
  });
}

function quotaReached(code: ErrorCode, details: Readonly<Record<string, unknown>>, given: CliErrorOptions) {
  const name = code === 'SYNC_DAILY_LIMIT_REACHED' ? 'daily' : 'weekly';
  const window = details[name] as { limit?: number; resetsAt?: string } | undefined;
  const number = typeof window?.limit === 'number' ? ` of ${window.limit}` : '';
  return new CliError('quotaReached', `The ${name} number${number} of cloud reports is used up.`, {
    ...given,
    ...(typeof window?.resetsAt === 'string'
      ? { hint: `It starts anew at ${safeLine(window.resetsAt)}.` }
      : {}),
  });
}

function issuesOf(details: Readonly<Record<string, unknown>> | undefined): string[] {
  const issues = details?.['issues'];
  if (!Array.isArray(issues)) return [];
  return (issues as Partial<Issue>[]).map(({ path, message }) => safeLine(`${path || '/'}: ${message}`));
}

/** The system's word for it, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === 'string') return ` (${code})`;
    if (cause.name === 'TimeoutError') return ' (no answer in time)';
  }
  return '';
}

/** What the system says of a certificate whose chain ends nowhere, or in an authority that it does not have. */
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
