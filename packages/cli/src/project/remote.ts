/**
 * The normalized address of a git remote, and the digest of it that a binding contains.
 *
 * The form is `host[:port]/path`: no scheme, user, query or fragment, the host in lower case, no default port, no `.git`,
 * and no slash at either end of the path. `git@host:owner/name.git` and `https://host/owner/name` are equal. The path keeps
 * its case, since most servers distinguish it. A folder of this machine is its absolute path.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';

const SCP_FORM = /^(?:[^@/:]*@)?([\w.-]{2,}|\[[0-9A-Fa-f:]+\]):(?!\/\/|:)(.+)$/s;
const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ssh:': '22',
  'git+ssh:': '22',
  'ssh+git:': '22',
  'git:': '9418',
  'ftp:': '21',
  'ftps:': '990',
};

/**
 * Null for an empty address.
 * @param root the base of a relative path.
 */
export function normalizedRemote(given: string, root: string): string | null {
  const address = given.trim();
  if (address === '') return null;
  if (URL_FORM.test(address)) return ofUrl(address, root);
  const [, host, place] = SCP_FORM.exec(address) ?? [];
  if (host !== undefined && place !== undefined) return `${hostOf(host)}/${pathOf(place)}`;
  // `helper::address` has a meaning only for a helper program on the same machine.
  return /^[\w-]+::/.test(address) ? address : ofFolder(address, root);
}

/**
 * A plain SHA-256. Those who can read the repository know its address anyway. The digest keeps the address of a private
 * server out of a copy that is published elsewhere, unless someone guesses it. A key would have to be in the same file, so
 * that every clone has it.
 */
export function remoteDigest(given: string | undefined, root: string): string | null {
  const normalized = given === undefined ? null : normalizedRemote(given, root);
  return normalized === null ? null : createHash('sha256').update(normalized).digest('hex');
}

function ofUrl(address: string, root: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  if (url.protocol === 'file:') return ofFolder(decoded(url.pathname), root);
  const port = url.port === '' || url.port === defaultPorts[url.protocol] ? '' : `:${url.port}`;
  return `${hostOf(url.hostname)}${port}/${pathOf(decoded(url.pathname))}`;
}

function ofFolder(place: string, root: string): string {
  return `/${pathOf(path.resolve(root, place).replaceAll(path.sep, '/'))}`;
}

function hostOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

function pathOf(place: string): string {
  const withoutSlashes = (text: string) => text.replaceAll(/^\/|\/$/g, '');
  const normal = withoutSlashes(path.posix.normalize(`/${place}`));
  return withoutSlashes(normal.replace(/\.git$/, ''));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
