/** What git reports about a repository. Empty, without an error, outside of a repository or without git. */
import type { Environment } from '../environment.ts';
import { gitText, remoteOf } from '../programs/git.ts';
import { travellingUrl } from './repository-url.ts';
import { definedOnly } from '@svc/report/making/texts';

export interface RepositoryFacts {
  readonly commit?: string;
  readonly branch?: string;
  readonly defaultBranch?: string;
  /** The URL without credentials. */
  readonly repositoryUrl?: string;
}

export interface Repository {
  readonly facts: RepositoryFacts;
  /** The address of the remote as git has it, possibly with credentials; undefined without one. */
  readonly remote: string | undefined;
}

/** @param folder an existing one, anywhere in the repository. */
export async function readRepository(folder: string, environment: Environment): Promise<Repository> {
  const [heads, remote] = await Promise.all([headsOf(folder, environment), remoteOf(folder, environment)]);
  const repositoryUrl = remote === undefined ? undefined : travellingUrl(remote);
  // A default branch that was removed still says that a report of another branch is not of the default branch.
  const defaultBranch =
    heads.defaultBranch ??
    (remote === undefined ? undefined : await removedDefaultBranch(folder, environment));
  return { facts: definedOnly({ ...heads, defaultBranch, repositoryUrl }), remote };
}

type Heads = { [Name in 'commit' | 'branch' | 'defaultBranch']?: string | undefined };

const BRANCHES = 'refs/heads/';
const REMOTE_BRANCHES = 'refs/remotes/origin/';

/** Asks git once for all three: starting programs takes much of the time of a small scan. */
async function headsOf(folder: string, environment: Environment): Promise<Heads> {
  // `--revs-only` leaves out what does not exist, and all that follows it.
  const words = ['rev-parse', '--revs-only', 'HEAD^{commit}', '--symbolic-full-name', 'HEAD'];
  const found = await gitText({ folder, environment, arguments: [...words, `${REMOTE_BRANCHES}HEAD`] });
  const [commit, head, remoteHead] = found?.split('\n') ?? [];
  const defaultBranch = withoutPrefix(remoteHead, REMOTE_BRANCHES);
  if (head === 'HEAD') return { commit, defaultBranch };
  const branch = withoutPrefix(head, BRANCHES);
  if (branch !== undefined) return { commit, branch, defaultBranch };
  // Before the first commit, or with a branch or tag that is called HEAD.
  return {
    commit,
    branch: await gitText({ folder, environment, arguments: ['symbolic-ref', '--quiet', '--short', 'HEAD'] }),
  };
}

async function removedDefaultBranch(folder: string, environment: Environment): Promise<string | undefined> {
  const words = ['symbolic-ref', '--quiet', `${REMOTE_BRANCHES}HEAD`];
  return withoutPrefix(await gitText({ folder, environment, arguments: words }), REMOTE_BRANCHES);
}

function withoutPrefix(name: string | undefined, prefix: string): string | undefined {
  return name?.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
