/** The parser, made from the descriptions of the commands. It only says what was typed; nothing runs from here. */
import { Argument, Command as Parser, CommanderError, Option } from 'commander';
import type { Happened } from './analytics/happened.ts';
import { systemClock } from './clock.ts';
import type { ArgumentDescription, Command, Invocation, OptionDescription } from './command.ts';
import { CliError } from './errors.ts';
import { globalOptions } from './global-options.ts';
import type { Process } from './process.ts';

export interface Parsed {
  readonly command: Command;
  readonly invocation: Invocation;
}

/** @throws CliError with the reason `usage`, and what was probably meant. */
export async function parse(
  commands: readonly Command[],
  process: Process,
  happened: Happened,
): Promise<Parsed> {
  let parsed: Parsed | undefined;
  const root = quietParser('svc');
  for (const option of globalOptions) root.addOption(optionOf(option));
  for (const command of commands) {
    const parser = parserAt(root, command.name);
    for (const argument of command.arguments ?? []) parser.addArgument(argumentOf(argument));
    for (const option of command.options ?? []) parser.addOption(optionOf(option));
    parser.action(() => {
      parsed = {
        command,
        invocation: {
          arguments: parser.processedArgs as Invocation['arguments'],
          options: parser.optsWithGlobals(),
          environment: process.environment,
          folder: process.folder,
          clock: process.clock ?? systemClock,
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
  if (!parsed) throw new CliError('usage', 'No command was given.', { hint: 'svc --help lists them.' });
  return parsed;
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

/** `finding add` is the command `add` of the group `finding`, which is made at its first command. */
function parserAt(root: Parser, name: string): Parser {
  let parser = root;
  for (const part of name.split(' ')) {
    const known = parser.commands.find((child) => child.name() === part);
    if (known) {
      parser = known;
    } else {
      const child = quietParser(part);
      parser.addCommand(child);
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
    hint: meant ? `Did you mean ${meant}` : `svc ${helpful(words, commands)}--help explains it.`,
  });
}

/** The command, or else the group, that the words begin with; with a space after it. */
function helpful(words: readonly string[], commands: readonly Command[]): string {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  const names = commands.map(({ name }) => name);
  if (names.includes(`${first} ${second}`)) return `${first} ${second} `;
  return names.some((name) => name === first || name.startsWith(`${first} `)) ? `${first} ` : '';
}
