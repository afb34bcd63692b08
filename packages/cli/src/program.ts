/**
 * From what was typed to the command that runs. Help comes from the descriptions alone (help.ts); the parser, and what a
 * command does, load when one is run.
 */
import type { Happening } from './analytics/happened.ts';
import { commands } from './commands/index.ts';
import type { Command } from './command.ts';
import { answered, noteAnswer } from './connection/answered.ts';
import { CliError } from './errors.ts';
import { globalOptions } from './global-options.ts';
import { commandHelp, groupHelp, rootHelp } from './help.ts';
import type { Process } from './process.ts';
import type { Terminal } from './terminal/terminal.ts';
import { version } from './version.ts';

/** @throws CliError */
export async function runProgram(process: Process, terminal: Terminal): Promise<void> {
  const { words } = process;
  const help = helpFor(words, terminal);
  if (help !== null) return terminal.result({ help: help.join('\n') }, () => help);
  if (asksForVersion(words)) return terminal.result({ version }, () => [`svc ${version}`]);
  const { parse } = await import('./parser.ts');
  const happenings: Happening[] = [];
  noteAnswer(null);
  const { command, invocation } = await parse(commands, process, (name, about = {}) => {
    happenings.push({ name, at: new Date(), about });
  });
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

/** What a line asks to be explained: everything, a group of commands, or one. Null when it asks for none. */
function helpFor(words: readonly string[], { colours }: Terminal): readonly string[] | null {
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

function helpOn(topic: readonly string[], colours: Terminal['colours']): readonly string[] {
  const [first] = topic;
  if (first === undefined) return rootHelp(commands, colours);
  // The longest name that the words begin with: what follows are its arguments.
  const command = exact(topic.slice(0, 2)) ?? exact(topic.slice(0, 1));
  if (command) return commandHelp(command, colours);
  const members = membersOf(first);
  if (members.length > 0) return groupHelp(first, members, colours);
  throw new CliError('usage', `There is no command \`${first}\`.`, { hint: 'svc --help lists them.' });
}

function exact(words: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name === words.join(' '));
}

function membersOf(group: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `));
}

function isGlobal(word: string): boolean {
  return globalOptions.some(({ form }) => form === word);
}

function asksForVersion(words: readonly string[]): boolean {
  return words.includes('--version') && words.every((word) => word.startsWith('-'));
}
