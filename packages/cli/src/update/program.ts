/** The program that runs, as a file that can be replaced. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { refused } from '../manifest/refusals.ts';

export interface Program {
  /** Where it really lies, whatever links lead there. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * Built, this module is part of a file and lies within it as if that were a folder; in the sources it lies in a real one.
 * @throws CliError when there is no file to replace, or it can not be.
 */
export async function installedProgram(moduleUrl: string = import.meta.url): Promise<Program> {
  const file = path.resolve(fileURLToPath(new URL('.', moduleUrl)));
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) {
    throw refused('UPDATE_NOT_INSTALLED', 'This svc runs from its sources, and no file is there to replace.');
  }
  try {
    await access(path.dirname(file), constants.W_OK);
  } catch (cause) {
    throw refused('UPDATE_NOT_WRITABLE', `You may not replace ${file}.`, { cause });
  }
  return { file, sha256: await digestOf(file) };
}

/** @throws CliError when it is another program by now. */
export async function refuseIfReplaced({ file, sha256 }: Program): Promise<void> {
  if ((await digestOf(file).catch(() => null)) === sha256) return;
  throw refused('UPDATE_OVERTAKEN', `${file} was replaced by somebody else meanwhile, and stays as it is.`);
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
