/** What a repository is called when nobody says: as its remote is, or else as its folder. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { limits } from '@svc/contract';

const GIT_PATIENCE_MS = 5000;

export async function nameOfRepository(root: string): Promise<string> {
  const name = nameInRemote(await remoteOf(root)) ?? path.basename(root);
  return [...name].slice(0, limits.projectNameLengthMax).join('') || 'repository';
}

/**
 * The last part of an address such as `https://host/owner/name.git` or `git@host:owner/name`. What follows the path of an
 * http address can be a credential.
 */
export function nameInRemote(remote: string | null): string | null {
  const last = remote
    ?.trim()
    .replace(/^(https?:\/\/[^?#]*)[?#].*$/is, '$1')
    .split(/[/\\:]/)
    .findLast((part) => part !== '');
  const name = last?.replace(/\.git$/, '').replaceAll(/\p{C}/gu, '');
  return name ? name : null;
}

async function remoteOf(root: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['config', '--get', 'remote.origin.url'], {
      cwd: root,
      timeout: GIT_PATIENCE_MS,
    });
    return stdout;
  } catch {
    // No git, no repository or no remote: the folder's name will do.
    return null;
  }
}
