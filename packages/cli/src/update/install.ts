/**
 * Replaces the old program with a new one. At every moment, even at a power cut or a kill, the path contains one of the two,
 * complete. The new one is written beside it, synced, and run for its version before one rename puts it in place. A second
 * name keeps the old one, which is put back when the new one does not run in its place.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { rejected } from '../manifest/rejections.ts';
import { syncFolder } from '../files/private-file.ts';
import { environmentOfProgram } from '../programs/environment.ts';
import { runProgram } from '../programs/run-program.ts';
import { safeSearchPath } from '../programs/search-path.ts';

const PERMISSIONS = 0o777;
const SELF_TEST_MS = 20_000;
/** The limit for the output of the new program; a sentence is enough. */
const SAID_BYTES_MAX = 4096;
/** Part of the name of a program that is written but not in place yet. */
const MARK = '.svc-update-';

export interface Installation {
  /** The path of the installed program. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The version that the new program must print. */
  readonly version: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** How long printing the version may take. */
  readonly selfTestMs?: number;
}

/**
 * The caller prevents other installations during this call.
 * @returns the path of the old program.
 * @throws CliError; the old program is then in place, or the error says that it cannot be put back.
 */
export async function install(installation: Installation): Promise<string> {
  const { file, version } = installation;
  const previous = `${file}.previous`;
  try {
    await removeTemporaryFiles(file);
    const candidate = await writeBeside(installation);
    try {
      await selfTest(candidate, installation);
      await placeAlso(file, previous);
      rejectIfInterrupted(installation.signal);
      await rename(candidate, file);
    } finally {
      await rm(candidate, { force: true });
    }
    try {
      await syncFolder(path.dirname(file));
      await selfTest(file, installation);
    } catch (error) {
      await putBack(installation, previous, error);
    }
    return previous;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    throw new CliError('failed', `svc ${version} cannot replace ${file} (${code}).`, {
      hint: 'The previous program is still installed. Check the disk and the permissions of its folder.',
      cause: error,
    });
  }
}

/** Keeps the extension, by which Node determines the kind of module. */
async function writeBeside({ file, bytes }: Installation): Promise<string> {
  const { mode, uid, gid } = await stat(file);
  const candidate = besideOf(file);
  const handle = await open(candidate, 'wx', mode & PERMISSIONS);
  try {
    await handle.writeFile(bytes);
    // Keeps the owner and the permissions, regardless of the umask and the installing user.
    if (process.getuid?.() === 0) await handle.chown(uid, gid);
    await handle.chmod(mode & PERMISSIONS);
    await handle.sync();
  } catch (error) {
    await rm(candidate, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return candidate;
}

/** Checks that the program runs here, ends in time and prints the signed version. */
async function selfTest(file: string, installation: Installation): Promise<void> {
  const { version, environment, signal, selfTestMs = SELF_TEST_MS } = installation;
  const searchPath = await safeSearchPath(environment);
  const end = await runProgram({
    file: process.execPath,
    arguments: [file, '--version'],
    folder: path.dirname(file),
    environment: await environmentOfProgram({ environment, searchPath, purpose: 'local' }),
    timeLimitMs: selfTestMs,
    outputBytesMax: SAID_BYTES_MAX,
    signal,
  });
  rejectIfInterrupted(signal);
  if (end.ended !== 'exited' || end.code !== 0) {
    throw rejected('ARTIFACT_BROKEN', `svc ${version} does not run on this machine.`);
  }
  const said = end.output.toString();
  if (said === `svc ${version}\n`) return;
  throw rejected('ARTIFACT_BROKEN', `The program that was signed as svc ${version} reports another version.`);
}

function rejectIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new CliError('interrupted', 'Interrupted. The previous program is still installed.');
}

/** Gives a program a second name, replacing an existing file. A copy on file systems without hard links. */
async function placeAlso(program: string, name: string): Promise<void> {
  const second = besideOf(name);
  try {
    await link(program, second).catch(() => copyFile(program, second));
    await rename(second, name);
  } finally {
    await rm(second, { force: true });
  }
}

/** @throws always, with the reason. */
async function putBack({ file, version }: Installation, previous: string, why: unknown): Promise<never> {
  try {
    await placeAlso(previous, file);
    await syncFolder(path.dirname(file));
  } catch (cause) {
    throw new CliError(
      'failed',
      `svc ${version} cannot be used, and the previous program cannot be restored.`,
      {
        hint: `mv ${previous} ${file}`,
        cause,
      },
    );
  }
  throw why;
}

function besideOf(file: string): string {
  return path.join(path.dirname(file), `${MARK}${randomUUID()}-${path.basename(file)}`);
}

/** Deletes the temporary files of an update that was killed. */
async function removeTemporaryFiles(file: string): Promise<void> {
  const folder = path.dirname(file);
  const left = (await readdir(folder)).filter((name) => name.startsWith(MARK));
  for (const name of left) await rm(path.join(folder, name), { force: true });
}
