/** What the program can be asked for besides running the service, and how such a command ends. */
import { StartError } from './start-error.ts';

export interface CommandResult {
  /** 0 when all is as it should be, 1 when it is not, 2 when it could not be done. */
  readonly exitCode: 0 | 1 | 2;
  readonly lines: readonly string[];
}

export const usage = [
  'Usage: svc-server audit verify [--file <copy of svc.db>] [--expect <sequence>:<hash>]',
  '       svc-server backup <new folder> [--even-with-faults]',
  '       svc-server backup verify <folder>',
  'Without a command the service is started.',
];

/** Begins of commands: what is wrong with them is what they lack or have too much of. */
const COMMANDS = new Set(['audit', 'audit verify', 'backup', 'backup verify']);

export function unknownCommand(given: readonly string[]): StartError {
  const known = [given.slice(0, 2), given.slice(0, 1)].map((words) => words.join(' '));
  const begun = known.find((words) => COMMANDS.has(words));
  const said =
    begun === undefined
      ? `There is no command ${JSON.stringify(given.join(' '))}.`
      : `This is not how ${JSON.stringify(begun)} is called.`;
  return new StartError([said, ...usage]);
}
