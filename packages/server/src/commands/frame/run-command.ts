/** Runs one command line and returns the result. Nothing here writes to a stream or ends the process. */
import { StartError } from '#start-error';
import { reasonInWords } from '#platform/shown-address';
import type { Environment } from '../../config.ts';
import { commands } from '../index.ts';
import type { Command, ExitCode, Invocation } from './command.ts';
import { commandHelp, rootHelp, usageOf } from './help.ts';

export type Around = Pick<Invocation, 'environment' | 'signal' | 'report' | 'confirm'>;

export interface CommandOutcome {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];
  /** What `--json` prints. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly toStandardOutput: boolean;
}

/** Never throws. */
export async function runCommand(words: readonly string[], around: Around): Promise<CommandOutcome> {
  const command = commandOf(words);
  try {
    const rest = words.slice(command?.name.split(' ').length ?? 0);
    if (rest.includes('--help') || rest.includes('-h')) return helpOn(command);
    if (command === undefined) {
      if (words.length === 1 && words[0] === '--version') return await versionOutcome();
      throw unknownCommand(words);
    }
    const { parse } = await import('./parser.ts');
    const parsed = parse(command, rest);
    const { run } = await command.load();
    const { exitCode, lines, value } = await run({ ...parsed, ...around });
    return {
      exitCode,
      lines,
      value: { command: command.name, exitCode, ...value },
      toStandardOutput: exitCode === 0 || command.printsFindings === true,
    };
  } catch (error) {
    return failed(command, linesOf(error, command, around));
  }
}

/** The command whose name the words begin with; of several, the one with the longest name. */
function commandOf(words: readonly string[]): Command | undefined {
  const begins = [words.slice(0, 2).join(' '), words[0]];
  return begins.map((name) => commands.find((each) => each.name === name)).find((each) => each !== undefined);
}

function helpOn(command: Command | undefined): CommandOutcome {
  const lines = command === undefined ? rootHelp(commands) : commandHelp(command);
  return { exitCode: 0, lines, value: { help: lines.join('\n') }, toStandardOutput: true };
}

async function versionOutcome(): Promise<CommandOutcome> {
  const { version } = await import('../../version.ts');
  return { exitCode: 0, lines: [version], value: { version }, toStandardOutput: true };
}

function unknownCommand(words: readonly string[]): StartError {
  const members = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (members.length > 0)
    return new StartError([
      `Wrong arguments for ${JSON.stringify(words[0])}.`,
      ...members.map((member) => `Usage: ${usageOf(member)}`),
    ]);
  const begin = words.slice(0, 2).join(' ');
  return new StartError([
    `There is no command ${JSON.stringify(begin)}.`,
    'svc-server --help lists the commands.',
  ]);
}

function linesOf(
  error: unknown,
  command: Command | undefined,
  { environment, signal }: Around,
): readonly string[] {
  if (signal.aborted) return ['Interrupted.'];
  if (error instanceof StartError) return error.lines;
  return [`${command?.failure ?? 'The command failed'} (${reasonOf(error, environment)}).`];
}

/** An error message about the database at `DATABASE_URL` can contain its password. */
function reasonOf(error: unknown, { DATABASE_URL: address }: Environment): string {
  const { errstr, message } = error as { errstr?: string; message: string };
  return errstr ?? (address?.trim() ? reasonInWords(error) : message);
}

function failed(command: Command | undefined, lines: readonly string[]): CommandOutcome {
  const value = { command: command?.name ?? null, exitCode: 2, error: lines.join('\n') };
  return { exitCode: 2, lines, value, toStandardOutput: false };
}
