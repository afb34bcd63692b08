/** The earlier report that another one is held against, which a first run does not have. */
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { sideNamed, type Side } from './side.ts';

/** That `--baseline` names. */
export async function baselineNamed(name: string, invocation: Invocation): Promise<Side | undefined> {
  return orMissing(await sideNamed(name, invocation), invocation);
}

/** @throws CliError when it is not there and `--allow-missing-baseline` was not given. */
export function orMissing(baseline: Side | undefined, { options }: Invocation): Side | undefined {
  if (baseline !== undefined || options['allowMissingBaseline'] === true) return baseline;
  const name = options['baseline'];
  const message =
    typeof name === 'string'
      ? `There is no file and no local report ${safeLine(name)} to compare with.`
      : 'There is no earlier finished report of this repository on this machine.';
  throw new CliError('failed', message, {
    hint: 'Where there may be none yet, as at the first run of a pipeline: --allow-missing-baseline',
  });
}
