/** The default name of a project: from the remote, else from the folder. */
import path from 'node:path';
import { limits } from '@svc/contract';

/** @param remote the address of the repository's remote; undefined without one. */
export function nameOfRepository(root: string, remote: string | undefined): string {
  const name = nameInRemote(remote ?? null) ?? path.basename(root);
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
