/**
 * What git says of a repository. A folder that is none, or a machine without git, is no error: then nothing is said.
 *
 * Arguments are fixed, nothing is asked and nothing written. No command here runs what a repository's own settings name:
 * none looks at the work tree's files.
 */
import { execFile } from 'node:child_process';
import { travellingUrl } from './repository-url.ts';
import { definedOnly } from './texts.ts';

export interface RepositoryFacts {
  readonly commit?: string;
  readonly branch?: string;
  readonly defaultBranch?: string;
  /** Without credentials. */
  readonly repositoryUrl?: string;
}

const TIMEOUT_MS = 10_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/** @param folder an existing one, anywhere in the repository. */
export async function repositoryFacts(folder: string): Promise<RepositoryFacts> {
  const [commit, branch, remoteHead, url] = await Promise.all([
    git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    git(folder, 'symbolic-ref', '--quiet', '--short', 'HEAD'),
    git(folder, 'symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'),
    git(folder, 'config', '--get', 'remote.origin.url'),
  ]);
  return definedOnly({
    commit,
    branch,
    defaultBranch: remoteHead?.replace(/^origin\//, ''),
    repositoryUrl: url === undefined ? undefined : travellingUrl(url),
  });
}

/** One line of its output; undefined when it fails, says nothing or takes too long. */
function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  const options = {
    cwd: folder,
    timeout: TIMEOUT_MS,
    maxBuffer: OUTPUT_BYTES_MAX,
    windowsHide: true,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
  };
  return new Promise((resolve) => {
    execFile('git', args, options, (error, stdout) => {
      const line = error ? '' : stdout.replace(/\r?\n$/, '');
      resolve(line === '' ? undefined : line);
    });
  });
}
