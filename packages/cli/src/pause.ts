/** A wait that Ctrl+C ends. */
import type { Clock } from './clock.ts';
import { CliError } from './errors.ts';

/** @throws CliError `interrupted` */
export async function pause(
  ms: number,
  { clock, signal }: { readonly clock: Pick<Clock, 'wait'>; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await clock.wait(ms, signal);
  } catch (cause) {
    throw new CliError('interrupted', 'Interrupted.', { cause });
  }
}
