/** Words that could not be written, such as on a full disk: a command whose result is lost has not done what it was called for. */
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
  EDQUOT: 'the space that you may use is used up',
  EFBIG: 'the file may not become any larger',
  EIO: 'the device fails',
};

function unwrittenError(name: string, error: NodeJS.ErrnoException): CliError {
  const reason = reasons[error.code ?? ''] ?? `the system says ${error.code ?? 'nothing more'}`;
  return new CliError('failed', `The ${name} could not be written: ${reason}.`, {
    hint: 'Make room, or choose another place for it. What the command has done besides stands.',
    cause: error,
  });
}
