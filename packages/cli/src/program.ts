/**
 * Finds and runs the typed command. Help needs only the descriptions (help.ts); the parser, and the code of a command, are
 * loaded when a command runs.
 */
import type { UsageEvent } from './analytics/usage-event.ts';
import { commands } from './commands/index.ts';
import type { Command } from './command.ts';
import { answered, noteAnswer } from './connection/reached-service.ts';
import { CliError } from './errors.ts';
import { globalOptions } from './global-options.ts';
import { commandHelp, groupHelp, rootHelp } from './help.ts';
import type { Process } from './process.ts';
import type { Terminal } from './terminal/terminal.ts';
import { version } from './version.ts';

/** @throws CliError */
export async function runProgram(process: Process, terminal: Terminal): Promise<void> {
  const { words } = process;
  const help = await helpFor(words, terminal);
  if (help !== null) return terminal.result({ help: help.join('\n') }, () => help);
  if (asksForVersion(words)) return terminal.result({ version }, () => [`svc ${version}`]);
  const { parse } = await import('./parser.ts');
  const { hiddenCommands } = await import('./commands/hidden.ts');
  const happenings: UsageEvent[] = [];
  noteAnswer(null);
  const { command, invocation } = await parse(
    [...commands, ...hiddenCommands],
    process,
    (name, about = {}) => {
      happenings.push({ name, at: new Date(), about });
    },
  );
  const { run } = await command.load();
  try {
    await run(invocation, terminal);
  } finally {
    if (happenings.length > 0 || answered() !== null) {
      const { countUsage } = await import('./analytics/usage.ts');
      await countUsage(invocation, happenings, command.isQuick === true);
    }
  }
}

/**
 * What the typed line asks for help about: everything, a group of commands, or one command. Null when it does not ask
 * for help.
 */
async function helpFor(words: readonly string[], { colours }: Terminal): Promise<readonly string[] | null> {
  const end = words.indexOf('--');
  const before = end === -1 ? words : words.slice(0, end);
  const names = before.filter((word) => !word.startsWith('-'));
  const [first] = names;
  if (first === 'help') return helpOn(names.slice(1), colours);
  if (before.includes('--help') || before.includes('-h')) return helpOn(names, colours);
  if (first === undefined) return before.every(isGlobal) ? helpOn([], colours) : null;
  const isGroupAlone = names.length === 1 && !exact(names) && membersOf(first).length > 0;
  return isGroupAlone && before.every((word) => word === first || isGlobal(word))
    ? helpOn(names, colours)
    : null;
}

async function helpOn(topic: readonly string[], colours: Terminal['colours']): Promise<readonly string[]> {
  const [first] = topic;
  if (first === undefined) return rootHelp(commands, colours);
  // The longest name that the words begin with; the rest are its arguments.
  const command = exact(topic.slice(0, 2)) ?? exact(topic.slice(0, 1));
  if (command) return commandHelp(command, colours);
  const members = membersOf(first);
  if (members.length > 0) return groupHelp(first, members, colours);
  const { nearest } = await import('./nearest.ts');
  const meant = nearest(first, [...new Set(everyName().map(({ name }) => name.split(' ')[0] ?? ''))]);
  throw new CliError('usage', `There is no command \`${first}\`.`, {
    hint: meant === undefined ? 'svc --help lists the commands.' : `Did you mean ${meant}?`,
  });
}

function exact(words: readonly string[]): Command | undefined {
  return everyName().find(({ name }) => name === words.join(' '))?.command;
}

/** The commands of a group, under the names that they have in the group. */
function membersOf(group: string): readonly Command[] {
  return everyName().flatMap(({ name, command }) =>
    name.startsWith(`${group} `) ? [{ ...command, name }] : [],
  );
}

/** Every name of every command. */
function everyName(): readonly { readonly name: string; readonly command: Command }[] {
  return commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  );
}

function isGlobal(word: string): boolean {
  return globalOptions.some(({ form }) => form === word);
}

function asksForVersion(words: readonly string[]): boolean {
  return (
    words.some((word) => word === '--version' || word === '-v') && words.every((word) => word.startsWith('-'))
  );
}
