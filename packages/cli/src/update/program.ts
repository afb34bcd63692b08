/** The running program as a file that can be replaced. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rejected } from '../manifest/rejections.ts';

export interface Program {
  /** The real path of the program, with all links resolved. */
  readonly file: string;
  readonly sha256: string;
}

/**
 * Finds the program's file: in the built program, this module's path is below that file, as if the file were a folder.
 * In the sources, the folder is real.
 * @throws CliError when there is no file to replace, or it cannot be replaced.
 */
export async function installedProgram(moduleUrl: string = import.meta.url): Promise<Program> {
  const file = path.resolve(fileURLToPath(new URL('.', moduleUrl)));
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) {
    throw rejected('UPDATE_NOT_INSTALLED', 'This svc runs from its sources, so there is no file to replace.');
  }
  // npm's record would name a version other than the running one, and npm's next installation would restore that
  // version.
  if (file.split(path.sep).includes('node_modules')) {
    throw rejected('UPDATE_NOT_INSTALLED', 'This svc was installed by npm, so only npm can update it.');
  }
  try {
    await access(path.dirname(file), constants.W_OK);
  } catch (cause) {
    throw rejected('UPDATE_NOT_WRITABLE', `You don't have permission to replace ${file}.`, { cause });
  }
  return { file, sha256: await digestOf(file) };
}

/** @throws CliError when another process has replaced the file in the meantime. */
export async function rejectIfReplaced({ file, sha256 }: Program): Promise<void> {
  if ((await digestOf(file).catch(() => null)) === sha256) return;
  throw rejected(
    'UPDATE_OVERTAKEN',
    `Another process has replaced ${file} in the meantime, so svc did not change it.`,
  );
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
