/** Finds the baseline of a comparison. On the first run there is none yet. */
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { sideNamed, type ComparisonSide } from './side.ts';

/** The baseline that `--baseline` names. */
export async function baselineNamed(
  name: string,
  invocation: Invocation,
): Promise<ComparisonSide | undefined> {
  return orMissing(await sideNamed(name, invocation), invocation);
}

/** @throws CliError when the baseline does not exist and `--allow-missing-baseline` was not given. */
export function orMissing(
  baseline: ComparisonSide | undefined,
  { options }: Invocation,
): ComparisonSide | undefined {
  if (baseline !== undefined || options['allowMissingBaseline'] === true) return baseline;
  const name = options['baseline'];
  const message =
    typeof name === 'string'
      ? `There is no file and no local report ${safeLine(name)} to compare with.`
      : 'There is no earlier finished report of this repository on this machine.';
  throw new CliError('failed', message, {
    hint: 'If no earlier report exists yet, as in the first run of a pipeline, give --allow-missing-baseline.',
  });
}
