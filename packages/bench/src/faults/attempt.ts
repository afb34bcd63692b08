/** Calls to a service that may fail or die under them. */
import { ConnectionError } from '@svc/client';

/** Longer than the service lets any of these calls wait. */
const ANSWERED_WITHIN_MS = 40_000;

interface Outcome {
  readonly ok: boolean;
  readonly status: number;
}

type BodyOf<Given extends Outcome> =
  Extract<Given, { ok: true }> extends { readonly body: infer Body } ? Body : unknown;

/** Done, refused with a code, or lost: the connection broke before an answer was there. */
export type Attempt<Body = unknown> =
  | { readonly kind: 'done'; readonly body: Body }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'lost' };

/**
 * Makes one call.
 * @throws Error when no answer comes and the connection stays, which no fault excuses.
 */
export async function attempt<Given extends Outcome>(
  call: (signal: AbortSignal) => Promise<Given>,
): Promise<Attempt<BodyOf<Given>>> {
  const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
  try {
    const outcome = await call(signal);
    if (outcome.ok) return { kind: 'done', body: (outcome as unknown as { body: BodyOf<Given> }).body };
    const { status, error, retryAfterMs } = outcome as unknown as {
      status: number;
      error: { code: string };
      retryAfterMs: number | null;
    };
    return { kind: 'refused', status, code: error.code, retryAfterMs };
  } catch (error) {
    if (signal.aborted) throw new Error(`no answer within ${ANSWERED_WITHIN_MS} ms`, { cause: error });
    if (error instanceof ConnectionError) return { kind: 'lost' };
    throw error;
  }
}

/** What a call came to, in a word or two. */
export function inWords(given: Attempt): string {
  return given.kind === 'refused' ? `${given.status} ${given.code}` : given.kind;
}
