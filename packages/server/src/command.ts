/** The commands of the program besides running the service, and their exit codes. */
import { StartError } from './start-error.ts';

export interface CommandResult {
  /** 0 when everything is in order, 1 when faults were found, 2 when the command failed. */
  readonly exitCode: 0 | 1 | 2;
  readonly lines: readonly string[];
}

export const usage = [
  'Usage: svc-server audit verify [--file <copy of svc.db>] [--expect <sequence>:<hash>]',
  '       svc-server backup <new folder> [--even-with-faults]',
  '       svc-server backup verify <folder>',
  'Without a command, the service starts.',
];

/** First words of commands. After one of these, the error is in the arguments. */
const COMMANDS = new Set(['audit', 'audit verify', 'backup', 'backup verify']);

export function unknownCommand(given: readonly string[]): StartError {
  const known = [given.slice(0, 2), given.slice(0, 1)].map((words) => words.join(' '));
  const begun = known.find((words) => COMMANDS.has(words));
  const said =
    begun === undefined
      ? `There is no command ${JSON.stringify(given.join(' '))}.`
      : `Wrong arguments for ${JSON.stringify(begun)}.`;
  return new StartError([said, ...usage]);
}
