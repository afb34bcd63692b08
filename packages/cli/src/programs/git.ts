/** Runs git in an untrusted repository: a git from outside of it, with settings under which it starts nothing. */
import type { Environment } from '../environment.ts';
import { isInGitRepository, realFolderOf } from '../files/paths.ts';
import { environmentOfProgram } from './environment.ts';
import { runProgram } from './run-program.ts';
import { findProgram, safeSearchPath, type SearchPath } from './search-path.ts';

export interface GitCall {
  /** The folder in which git runs; absolute, with symbolic links resolved. */
  readonly folder: string;
  readonly arguments: readonly string[];
  readonly environment: Environment;
  readonly searchPath?: SearchPath;
  readonly timeLimitMs?: number;
  readonly outputBytesMax?: number;
  readonly signal?: AbortSignal;
}

const TIME_LIMIT_MS = 10_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/**
 * The output of git; undefined when git is missing, fails, takes too long or writes too much. Outside a repository git would
 * only fail, so it is not started; one command asks it up to five times.
 */
export async function gitOutput(call: GitCall): Promise<Buffer | undefined> {
  const { folder, environment } = call;
  if (!isInGitRepository(await realFolderOf(folder))) return undefined;
  const searchPath = call.searchPath ?? (await safeSearchPath(environment, folder));
  const file = await findProgram('git', searchPath);
  if (file === undefined) return undefined;
  const end = await runProgram({
    file,
    arguments: ['--no-pager', ...call.arguments],
    folder,
    environment: await environmentOfProgram({ environment, searchPath, purpose: 'local' }),
    timeLimitMs: call.timeLimitMs ?? TIME_LIMIT_MS,
    outputBytesMax: call.outputBytesMax ?? OUTPUT_BYTES_MAX,
    signal: call.signal ?? new AbortController().signal,
  });
  return end.ended === 'exited' && end.code === 0 ? end.output : undefined;
}

/** The output of git as text, without the last line break; undefined when git fails or prints nothing. */
export async function gitText(call: GitCall): Promise<string | undefined> {
  const text = (await gitOutput(call))?.toString().replace(/\r?\n$/, '');
  return text === '' ? undefined : text;
}

/** The address of a repository's remote, from its configuration. */
export function remoteOf(folder: string, environment: Environment): Promise<string | undefined> {
  return gitText({ folder, environment, arguments: ['config', '--get', 'remote.origin.url'] });
}

/** The same address, with the person's own git abbreviations expanded, such as `gh:` of `url.<base>.insteadOf`. */
export function spelledOutRemoteOf(folder: string, environment: Environment): Promise<string | undefined> {
  return gitText({ folder, environment, arguments: ['remote', 'get-url', 'origin'] });
}
