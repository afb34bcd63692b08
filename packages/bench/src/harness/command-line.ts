/** The command line of the programs of this package. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

/**
 * The values of the given options. With `--help`, prints the usage and ends the process with code 0. An unknown option,
 * one without its value, and other arguments end it with code 2.
 */
export function optionsIn<const Options extends OptionsConfig>(usage: string, options: Options) {
  if (process.argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    // These programs have no positional arguments.
    const problem = (error as Error).message.replace(/ To specify a positional argument .*/s, '');
    return refuse(`${problem.replace(/\.$/, '')}. Use --help to list all options.`);
  }
}

/** Text that is not a whole number ends the process with code 2. */
export function wholeNumber(name: string, value: string): number {
  if (/^\d{1,12}$/.test(value)) return Number(value);
  return refuse(`--${name} must be a whole number, not ${JSON.stringify(value)}.`);
}

/** Says what is wrong with the command line, and ends the process with code 2. */
export function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}
