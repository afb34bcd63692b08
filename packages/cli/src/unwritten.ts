/** Output that could not be written, for instance on a full disk. A command whose result is lost has failed. */
import { CliError } from './errors.ts';
import type { Process } from './process.ts';

export async function firstUnwritten({ output, notes }: Process): Promise<CliError | null> {
  for (const [name, stream] of [
    ['output', output],
    ['error output', notes],
  ] as const) {
    try {
      await stream.flushed?.();
    } catch (error) {
      return unwrittenError(name, error as NodeJS.ErrnoException);
    }
  }
  return null;
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'your disk quota is used up',
  EFBIG: 'the file would exceed the size limit',
  EIO: 'the device reported an error',
};

function unwrittenError(name: string, error: NodeJS.ErrnoException): CliError {
  const { code = '' } = error;
  const reason = reasons[code] ?? `the system reports ${code || 'no reason'}`;
  const next =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'Free some space, or write it elsewhere.'
      : 'Write it elsewhere.';
  return new CliError('failed', `The ${name} could not be written: ${reason}.`, {
    hint: `${next} Everything else that the command did is kept.`,
    cause: error,
  });
}
