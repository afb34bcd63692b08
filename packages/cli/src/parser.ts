/** The parser, built from the descriptions of the commands. It only returns what was typed; it runs nothing. */
import { Argument, Command as Parser, CommanderError, Option } from 'commander';
import type { RecordUsage } from './analytics/usage-event.ts';
import { systemClock } from './clock.ts';
import type { ArgumentDescription, Command, Invocation, OptionDescription } from './command.ts';
import { RetryBudget } from './connection/retry-budget.ts';
import { CliError } from './errors.ts';
import { globalOptions } from './global-options.ts';
import { listOf } from './lists.ts';
import { nearest } from './nearest.ts';
import type { Process } from './process.ts';

export interface ParsedCommand {
  readonly command: Command;
  readonly invocation: Invocation;
}

/** @throws CliError `usage`, with a suggestion. */
export async function parse(
  commands: readonly Command[],
  process: Process,
  happened: RecordUsage,
): Promise<ParsedCommand> {
  let parsed: ParsedCommand | undefined;
  const clock = process.clock ?? systemClock;
  const root = quietParser('svc');
  for (const option of globalOptions) root.addOption(optionOf(option));
  const named = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  );
  for (const { name, command } of named) {
    const parser = parserAt(root, name, command.isHidden);
    for (const argument of command.arguments ?? []) parser.addArgument(argumentOf(argument));
    for (const option of command.options ?? []) parser.addOption(optionOf(option));
    parser.action(() => {
      parsed = {
        command,
        invocation: {
          arguments: parser.processedArgs as Invocation['arguments'],
          options: withLists(parser.optsWithGlobals(), command, process.folder),
          environment: process.environment,
          folder: process.folder,
          clock,
          retries: new RetryBudget(clock),
          program: process.program,
          get input() {
            return process.input;
          },
          get signal() {
            return process.signal;
          },
          happened,
        },
      };
    });
  }
  try {
    await root.parseAsync([...process.words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw usageError(error, process.words, commands);
    throw error;
  }
  if (!parsed) throw new CliError('usage', 'No command given.', { hint: 'svc --help lists them.' });
  return parsed;
}

/** Splits the values of lists. */
function withLists(options: Record<string, unknown>, { options: described = [] }: Command, folder: string) {
  const lists = described.flatMap((description) => {
    const name = optionOf(description).attributeName();
    const given = options[name];
    if (description.list === undefined || !Array.isArray(given)) return [];
    return [[name, listOf(description, given as string[], folder)]];
  });
  return { ...options, ...Object.fromEntries(lists) } as Invocation['options'];
}

function quietParser(name: string): Parser {
  return new Parser(name)
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .showSuggestionAfterError(true)
    .allowExcessArguments(false);
}

/** `finding add` is the command `add` of the group `finding`, which is created for its first command. */
function parserAt(root: Parser, name: string, hidden = false): Parser {
  let parser = root;
  for (const part of name.split(' ')) {
    const known = parser.commands.find((child) => child.name() === part);
    if (known) {
      parser = known;
    } else {
      const child = quietParser(part);
      parser.addCommand(child, { hidden });
      parser = child;
    }
  }
  return parser;
}

function argumentOf({ form, summary, choices }: ArgumentDescription): Argument {
  const argument = new Argument(form, summary);
  return choices ? argument.choices([...choices]) : argument;
}

function optionOf({ form, summary, choices }: OptionDescription): Option {
  const option = new Option(form, summary);
  return choices ? option.choices(choices) : option;
}

function usageError(error: CommanderError, words: readonly string[], commands: readonly Command[]): CliError {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replaceAll("'", '`');
  const [, meant] = (suggestion ?? '').slice(0, -')'.length).split('Did you mean ');
  return new CliError('usage', /[.?!]$/.test(sentence) ? sentence : `${sentence}.`, {
    hint: meant ? `Did you mean ${meant}` : (meantChoice(first) ?? explaining(error, words, commands)),
  });
}

/** Suggests an allowed value in place of an invalid one. The parser's message contains both. */
function meantChoice(message: string): string | undefined {
  const [said = '', choices] = message.split(' Allowed choices are ');
  if (choices === undefined) return undefined;
  // `option '--format <format>' argument 'htlm' is invalid.`, or `command-argument value 'opne' is invalid for …`
  const quotes = said.split("'");
  const given = said.startsWith('option') ? quotes[3] : quotes[1];
  const meant = nearest(given ?? '', choices.replace(/\.$/, '').split(', '));
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}

function explaining(
  { code }: CommanderError,
  words: readonly string[],
  commands: readonly Command[],
): string {
  const does = code === 'commander.unknownCommand' ? 'lists the commands.' : 'explains it.';
  return `svc ${helpful(words, commands)}--help ${does}`;
}

/** The command or group that the words begin with, followed by a space; empty when they begin with none. */
function helpful(words: readonly string[], commands: readonly Command[]): string {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  if (names.includes(`${first} ${second}`)) return `${first} ${second} `;
  return names.some((name) => name === first || name.startsWith(`${first} `)) ? `${first} ` : '';
}
