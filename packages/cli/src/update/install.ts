/**
 * Puts a new program in the place of the old one. At every moment, and wherever a power cut or a kill strikes, the place holds
 * one of the two, whole: the new one is written beside it, synced, and run for its version before one rename puts it there;
 * a second name keeps the old one, which goes back by a rename too when the new one does not run in its place.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { refused } from '../manifest/refusals.ts';
import { syncFolder } from '../files/private-file.ts';
import { environmentOfProgram } from '../programs/environment.ts';
import { runProgram } from '../programs/run-program.ts';
import { safeSearchPath } from '../programs/search-path.ts';

const PERMISSIONS = 0o777;
const SELF_TEST_MS = 20_000;
/** Of what it says; a sentence is enough. */
const SAID_BYTES_MAX = 4096;
/** What is written beside a program until it is in its place. */
const MARK = '.svc-update-';

export interface Installation {
  /** The program in its place. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** What it must say of itself. */
  readonly version: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** How long it may take to say so. */
  readonly selfTestMs?: number;
}

/**
 * The caller sees to it that nobody else installs there meanwhile.
 * @returns where the old program is kept.
 * @throws CliError; the old program is then in its place.
 */
export async function install(installation: Installation): Promise<string> {
  const { file, version } = installation;
  const previous = `${file}.previous`;
  try {
    await removeLeftovers(file);
    const candidate = await writeBeside(installation);
    try {
      await selfTest(candidate, installation);
      await placeAlso(file, previous);
      refuseIfInterrupted(installation.signal);
      await rename(candidate, file);
    } finally {
      await rm(candidate, { force: true });
    }
    await syncFolder(path.dirname(file));
    await selfTest(file, installation).catch((error: unknown) => putBack(installation, previous, error));
    return previous;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    throw new CliError('failed', `svc ${version} can not be put in the place of ${file} (${code}).`, {
      hint: 'The program that was there is in its place. Look at the disk and at the permissions of its folder.',
      cause: error,
    });
  }
}

/** Under a name of the same ending, by which Node tells what it is. */
async function writeBeside({ file, bytes }: Installation): Promise<string> {
  const { mode, uid, gid } = await stat(file);
  const candidate = besideOf(file);
  const handle = await open(candidate, 'wx', mode & PERMISSIONS);
  try {
    await handle.writeFile(bytes);
    // Neither the umask nor whoever installs it changes whose program it is and who may run it.
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

/** It runs here, ends in time and is what was signed for. */
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
  refuseIfInterrupted(signal);
  if (end.ended !== 'exited' || end.code !== 0) {
    throw refused('ARTIFACT_BROKEN', `svc ${version} does not run on this machine.`);
  }
  const said = end.output.toString();
  if (said === `svc ${version}\n`) return;
  throw refused(
    'ARTIFACT_BROKEN',
    `The program that was signed as svc ${version} says that it is another one.`,
  );
}

function refuseIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new CliError('interrupted', 'Interrupted. The program that was there is in its place.');
}

/** Gives a program a second name, and takes that from whatever had it; a copy where the file system knows no such names. */
async function placeAlso(program: string, name: string): Promise<void> {
  const second = besideOf(name);
  try {
    await link(program, second).catch(() => copyFile(program, second));
    await rename(second, name);
  } finally {
    await rm(second, { force: true });
  }
}

/** @throws always: why it had to be. */
async function putBack({ file, version }: Installation, previous: string, why: unknown): Promise<never> {
  try {
    await placeAlso(previous, file);
    await syncFolder(path.dirname(file));
  } catch (cause) {
    throw new CliError('failed', `svc ${version} does not run, and the old one can not be put back.`, {
      hint: `mv ${previous} ${file}`,
      cause,
    });
  }
  throw why;
}

function besideOf(file: string): string {
  return path.join(path.dirname(file), `${MARK}${randomUUID()}-${path.basename(file)}`);
}

/** Of an update that was killed. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = path.dirname(file);
  const left = (await readdir(folder)).filter((name) => name.startsWith(MARK));
  for (const name of left) await rm(path.join(folder, name), { force: true });
}
