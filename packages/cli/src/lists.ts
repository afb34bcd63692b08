/** Options with several values, which may also be given as one word with commas: `--only secrets,bandit`. */
import path from 'node:path';
import type { OptionDescription } from './command.ts';
import { CliError } from './errors.ts';
import { isThere } from './files/paths.ts';

/**
 * @param given the words of the option, as typed.
 * @param folder for relative file names.
 * @throws CliError `usage` when only commas were given.
 */
export function listOf(
  { form, list }: Pick<OptionDescription, 'form' | 'list'>,
  given: readonly string[],
  folder: string,
): readonly string[] {
  const values = given.flatMap((word) =>
    list === 'files' && namesFile(path.resolve(folder, word))
      ? [word]
      : word
          .split(',')
          .map((value) => value.trim())
          .filter((value) => value !== ''),
  );
  if (values.length > 0) return values;
  throw new CliError('usage', `Option \`${form}\` has no value.`);
}

/** A list of names may be longer than the limit of a file name. */
function namesFile(place: string): boolean {
  try {
    return isThere(place);
  } catch {
    return false;
  }
}
