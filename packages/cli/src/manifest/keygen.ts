/** `svc manifest keygen` */
import { open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { generateKey, privateKeyText } from './keys.ts';
import { outputOf } from './given.ts';

export const run: Run = async (invocation, terminal) => {
  const file = path.resolve(invocation.folder, outputOf(invocation));
  const publicFile = `${file}.pub`;
  for (const place of [file, publicFile]) {
    if (await isThere(place)) throw alreadyThere(place);
  }
  const key = generateKey();
  const { line, keyId } = key.publicKey;
  await writeNew(file, privateKeyText(key), 0o600);
  try {
    await writeNew(publicFile, `${line}\n`, 0o644);
  } catch (error) {
    await rm(file);
    throw error;
  }
  terminal.result({ publicKey: line, keyId, privateKeyFile: file, publicKeyFile: publicFile }, () => [line]);
  terminal.note(`Its id is ${keyId}.`);
  terminal.note(`Keep ${safeLine(file)} away from every network, with a copy: nobody can make it again.`);
};

/** Never in place of another file, which may be a key that clients trust. */
async function writeNew(file: string, content: string, mode: number): Promise<void> {
  try {
    const handle = await open(file, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code = 'nothing more' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyThere(file);
    throw new CliError('failed', `${safeLine(file)} can not be written.`, {
      hint: `The system says ${code}.`,
      cause: error,
    });
  }
}

function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function alreadyThere(file: string): CliError {
  return new CliError('failed', `${safeLine(file)} is there already, and keys are not replaced.`, {
    hint: 'Name another file with --output.',
  });
}
