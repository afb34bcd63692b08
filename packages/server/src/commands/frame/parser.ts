/** Parses the arguments and options of one command, as its description names them. */
import { Argument, Command as Parser, CommanderError, Option } from 'commander';
import { StartError } from '#start-error';
import type { Command, Invocation } from './command.ts';
import { globalOptions } from './global-options.ts';
import { usageOf } from './help.ts';

export type Parsed = Pick<Invocation, 'arguments' | 'options'>;

/**
 * @param words what follows the name of the command.
 * @throws StartError that says how to call the command.
 */
export function parse(command: Command, words: readonly string[]): Parsed {
  const parser = new Parser(command.name)
    .helpOption(false)
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .allowExcessArguments(false)
    .action(() => undefined);
  for (const { form } of command.arguments ?? []) parser.addArgument(new Argument(form));
  for (const { form } of [...(command.options ?? []), ...globalOptions]) parser.addOption(new Option(form));
  try {
    parser.parse([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw wrongArguments(command, error);
    throw error;
  }
  return { arguments: parser.processedArgs as Parsed['arguments'], options: parser.opts() };
}

function wrongArguments(command: Command, cause: CommanderError): StartError {
  const said = cause.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return new StartError(
    [
      `Wrong arguments for ${JSON.stringify(command.name)}. ${said.charAt(0).toUpperCase()}${said.slice(1)}`,
      `Usage: ${usageOf(command)}`,
    ],
    { cause },
  );
}
