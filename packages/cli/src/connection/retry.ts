/**
 * Which calls are retried, exactly as the contract's retry guidance says: `RATE_LIMITED` after the pause that the service
 * asks for, `INTERNAL` once, and a network failure if repeating the call is harmless. The budget limits the total retries of
 * a command.
 */
import { ConnectionError, UnexpectedAnswerError, type Failure } from '@svc/client';
import { errors, type ErrorCode } from '@svc/contract';
import type { Clock } from '../clock.ts';
import type { RetryBudget } from './retry-budget.ts';

export interface RetryRules {
  /** Whether a call that may have arrived can be repeated without harm. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal;
}

/** The limits for one call, by the kind of failure. */
const retriesPerCall = { lost: 3, rateLimited: 5, internal: 1 } as const;
type Cause = keyof typeof retriesPerCall;

type CallResult = { readonly ok: true } | Failure<string>;

/** @throws the error of the last attempt. An abort ends the retries before an attempt and during a pause. */
export async function withRetries<Result extends CallResult>(
  call: () => Promise<Result>,
  { repeatable, signal }: RetryRules,
  { budget, now }: { readonly budget: RetryBudget; readonly now: Clock['now'] },
): Promise<Result> {
  const retries: Record<Cause, number> = { lost: 0, rateLimited: 0, internal: 0 };
  const mayRetry = async (cause: Cause, retryAfterMs: number | null = null): Promise<boolean> => {
    retries[cause] += 1;
    const attempt = retries[cause];
    return attempt <= retriesPerCall[cause] && (await budget.pause({ attempt, retryAfterMs, signal }));
  };
  for (;;) {
    signal.throwIfAborted();
    const startedAtMs = now();
    let result: Result;
    try {
      result = await call();
    } catch (error) {
      budget.charge(now() - startedAtMs);
      const isHarmless = repeatable && isOutage(error) && !signal.aborted;
      if (isHarmless && (await mayRetry('lost'))) continue;
      throw error;
    }
    if (result.ok) return result;
    const cause = retriable(result);
    // After a conflict the caller starts again, so this attempt's time is charged too.
    if (cause !== null || result.error.code === 'CONFLICT') budget.charge(now() - startedAtMs);
    if (cause === null || !(await mayRetry(cause, result.retryAfterMs))) return result;
  }
}

function retriable({ error }: Failure<string>): Cause | null {
  switch (errors[error.code as ErrorCode].retry) {
    case 'after-backoff':
      return 'rateLimited';
    case 'once':
      return 'internal';
    default:
      return null;
  }
}

/** No response, or the response of a proxy whose service is down. */
function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof UnexpectedAnswerError && error.status >= 500);
}
