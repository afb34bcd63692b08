/** `svc manifest keygen` */
import path from 'node:path';
import type { Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { createOwn } from '../files/own-file.ts';
import { isThere } from '../files/paths.ts';
import { removeIfThere } from '../files/private-file.ts';
import { reasonOf } from '../files/reason.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { generateKey, privateKeyText } from './keys.ts';
import { outputOf } from './given.ts';

export const run: Run = async (invocation, terminal) => {
  const file = path.resolve(invocation.folder, outputOf(invocation));
  const publicFile = `${file}.pub`;
  for (const place of [file, publicFile]) {
    if (isThere(place)) throw alreadyThere(place);
  }
  const key = generateKey();
  const { line, keyId } = key.publicKey;
  await writeNew(file, privateKeyText(key), 0o600);
  try {
    await writeNew(publicFile, `${line}\n`, 0o644);
  } catch (error) {
    await removeIfThere(file);
    throw error;
  }
  terminal.result({ publicKey: line, keyId, privateKeyFile: file, publicKeyFile: publicFile }, () => [line]);
  terminal.note(`Its id is ${keyId}.`);
  terminal.note(`Keep ${safeLine(file)} offline, and make a backup: a lost key cannot be recovered.`);
};

/** Never replaces a file, because the existing file may be a key that clients trust. */
async function writeNew(file: string, content: string, mode: number): Promise<void> {
  try {
    await createOwn(file, content, mode);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyThere(file);
    const reason = code === 'ENOENT' ? 'its folder does not exist' : reasonOf(error);
    throw new CliError('failed', `${safeLine(file)} cannot be written: ${reason}.`, {
      hint: 'Name another file with --output.',
      cause: error,
    });
  }
}

function alreadyThere(file: string): CliError {
  return new CliError('failed', `${safeLine(file)} already exists, and keys are not replaced.`, {
    hint: 'Name another file with --output.',
  });
}
