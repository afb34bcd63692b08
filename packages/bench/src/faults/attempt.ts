/** Calls to a service that may fail or crash during a call. */
import { ConnectionError, UnexpectedAnswerError } from '@svc/client';

/** Longer than the longest wait of any of these calls. */
const ANSWERED_WITHIN_MS = 40_000;

interface CallOutcome {
  readonly ok: boolean;
  readonly status: number;
}

type BodyOf<Given extends CallOutcome> =
  Extract<Given, { ok: true }> extends { readonly body: infer Body } ? Body : unknown;

/** Done, rejected with a code, or lost: no response of the service arrived. */
export type Attempt<Body = unknown> =
  | { readonly kind: 'done'; readonly body: Body }
  | {
      readonly kind: 'rejected';
      readonly status: number;
      readonly code: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'lost'; readonly why: string };

/**
 * Sends one call.
 * @throws Error if no response arrives on an open connection, which no fault excuses.
 */
export async function attempt<Given extends CallOutcome>(
  call: (signal: AbortSignal) => Promise<Given>,
  withinMs = ANSWERED_WITHIN_MS,
): Promise<Attempt<BodyOf<Given>>> {
  const signal = AbortSignal.timeout(withinMs);
  try {
    const outcome = await call(signal);
    if (outcome.ok) return { kind: 'done', body: (outcome as unknown as { body: BodyOf<Given> }).body };
    const { status, error, retryAfterMs } = outcome as unknown as {
      status: number;
      error: { code: string };
      retryAfterMs: number | null;
    };
    return { kind: 'rejected', status, code: error.code, retryAfterMs };
  } catch (error) {
    if (signal.aborted) throw new Error(`no response within ${withinMs} ms`, { cause: error });
    if (error instanceof ConnectionError || isOfBalancer(error))
      return { kind: 'lost', why: reasonOf(error) };
    throw error;
  }
}

/** The load balancer lost the connection, or has no replica that is ready. */
function isOfBalancer(error: unknown): error is UnexpectedAnswerError {
  return error instanceof UnexpectedAnswerError && (error.status === 502 || error.status === 503);
}

function reasonOf(error: Error): string {
  const { cause } = error;
  return cause instanceof Error ? reasonOf(cause) : error.message;
}

/** The result of a call in a few words. */
export function inWords(given: Attempt): string {
  if (given.kind === 'rejected') return `${given.status} ${given.code}`;
  return given.kind === 'lost' ? `lost: ${given.why}` : given.kind;
}
