/**
 * When a call is made again, by the interface's retry guidance and nothing more: `RATE_LIMITED` after the pause that the
 * service asks for, `INTERNAL` once, and a network failure where the call may be repeated without harm. Each pause has
 * jitter, so that many clients do not come back in the same moment. Clock and randomness are given.
 */
import { ConnectionError, UnexpectedAnswerError, type Failure } from '@svc/client';
import { errors, type ErrorCode } from '@svc/contract';

export interface RetryPorts {
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
}

export interface RetryRules {
  /** Whether a call that may have arrived can be made again without harm. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal;
  /** Told before each pause. */
  readonly onWait?: (ms: number) => void;
}

const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 8000;
const NETWORK_TRIES = 4;
const RATE_LIMITED_TRIES = 6;
/** A service that asks for more than this gets an answer from a person. */
const RETRY_AFTER_MAX_MS = 90_000;

type Outcome = { readonly ok: true } | Failure<string>;

/** @throws whatever the last call threw; an abort ends it between calls and within a pause. */
export async function withRetries<Result extends Outcome>(
  call: () => Promise<Result>,
  { repeatable, signal, onWait }: RetryRules,
  ports: RetryPorts,
): Promise<Result> {
  let [lost, limited, failed] = [0, 0, 0];
  const pause = async (ms: number) => {
    onWait?.(ms);
    await ports.wait(ms, signal);
  };
  for (;;) {
    signal.throwIfAborted();
    let result: Result;
    try {
      result = await call();
    } catch (error) {
      lost += 1;
      if (!repeatable || !isOutage(error) || signal.aborted || lost >= NETWORK_TRIES) throw error;
      await pause(backOff(lost, ports));
      continue;
    }
    if (result.ok) return result;
    const advice = errors[result.error.code as ErrorCode].retry;
    const asked = result.retryAfterMs ?? 0;
    if (asked > RETRY_AFTER_MAX_MS) return result;
    if (advice === 'after-backoff') {
      limited += 1;
      if (limited >= RATE_LIMITED_TRIES) return result;
      await pause(asked + backOff(limited, ports));
    } else if (advice === 'once') {
      failed += 1;
      if (failed > 1) return result;
      await pause(Math.max(asked, backOff(1, ports)));
    } else {
      return result;
    }
  }
}

/** No answer, or that of a proxy whose service is away. */
function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof UnexpectedAnswerError && error.status >= 500);
}

/** Doubles each time, and lies anywhere in the upper half of its range. */
function backOff(attempt: number, { random }: RetryPorts): number {
  const full = Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random() / 2));
}
