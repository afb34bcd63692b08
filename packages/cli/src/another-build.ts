/** A file of this program that has another form than this build writes: it is neither guessed at nor overwritten. */
import { CliError, type FailureCode } from './errors.ts';

/** @param what begins the sentence, and names the file. */
export function writtenByAnotherBuild(what: string, code?: FailureCode): CliError {
  const sentence = `${what} was written by another build of svc.`;
  return new CliError('failed', `${sentence} Move it away or delete it, then run the command again.`, {
    ...(code && { code }),
  });
}
