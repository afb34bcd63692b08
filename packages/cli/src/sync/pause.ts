/** A wait that Ctrl+C ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../errors.ts';

/** @throws CliError `interrupted` */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (cause) {
    throw new CliError('interrupted', 'Interrupted.', { cause });
  }
}
