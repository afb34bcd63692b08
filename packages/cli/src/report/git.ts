/** What git reports about a repository. Empty, without an error, outside of a repository or without git. */
import type { Environment } from '../environment.ts';
import { gitLine, remoteOf } from '../programs/git.ts';
import { travellingUrl } from './repository-url.ts';
import { definedOnly } from '@svc/report/making/texts';

export interface RepositoryFacts {
  readonly commit?: string;
  readonly branch?: string;
  readonly defaultBranch?: string;
  /** The URL without credentials. */
  readonly repositoryUrl?: string;
}

/** @param folder an existing one, anywhere in the repository. */
export async function repositoryFacts(folder: string, environment: Environment): Promise<RepositoryFacts> {
  const git = (...args: readonly string[]) => gitLine({ folder, environment, arguments: args });
  const [commit, branch, remoteHead, url] = await Promise.all([
    git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    git('symbolic-ref', '--quiet', '--short', 'HEAD'),
    git('symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD'),
    remoteOf(folder, environment),
  ]);
  return definedOnly({
    commit,
    branch,
    defaultBranch: remoteHead?.replace(/^origin\//, ''),
    repositoryUrl: url === undefined ? undefined : travellingUrl(url),
  });
}
