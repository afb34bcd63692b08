/** The default name of a project: from the remote, else from the folder. */
import path from 'node:path';
import { limits } from '@svc/contract';
import type { Environment } from '../environment.ts';
import { remoteOf } from '../programs/git.ts';

export async function nameOfRepository(root: string, environment: Environment): Promise<string> {
  const name = nameInRemote((await remoteOf(root, environment)) ?? null) ?? path.basename(root);
  return [...name].slice(0, limits.projectNameLengthMax).join('') || 'repository';
}

/**
 * The last part of an address such as `https://host/owner/name.git` or `git@host:owner/name`. What follows the path of an
 * http address can be a credential, so it is removed.
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
