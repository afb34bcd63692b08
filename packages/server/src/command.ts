/** What the program can be asked for besides running the service, and how such a command ends. */
import { StartError } from './start-error.ts';

export interface CommandResult {
  /** 0 when all is as it should be, 1 when it is not, 2 when it could not be done. */
  readonly exitCode: 0 | 1 | 2;
  readonly lines: readonly string[];
}

export const usage = [
  'Usage: audit verify [--file <copy of svc.db>] [--expect <sequence>:<hash>]',
  '       backup <new folder> [--even-with-faults]',
  '       backup verify <folder>',
  'Without a command the service is started.',
];

export function unknownCommand(given: readonly string[]): StartError {
  return new StartError([`There is no command ${JSON.stringify(given.join(' '))}.`, ...usage]);
}
