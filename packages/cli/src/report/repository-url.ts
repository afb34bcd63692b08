/** The address of a repository as others may see it: no credentials, no query, and nothing of this machine. */

/** Git's short form for SSH: `git@host:path`. A drive letter is not a host. */
const SCP_FORM = /^(?:[^@/:]*@)?([A-Za-z0-9.-]{2,}|\[[0-9A-Fa-f:]+\]):(?!\/\/|:)(.+)$/s;
const TRAVELLING_PROTOCOLS: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'ssh:',
  'git:',
  'ftp:',
  'ftps:',
]);
const LENGTH_MAX = 500;

/** Undefined for a path on this machine, and for an address that is unreadable, too long or of another protocol. */
export function travellingUrl(given: string): string | undefined {
  const scp = SCP_FORM.exec(given);
  const address = scp === null ? given : `ssh://${scp[1]}/${scp[2]?.replace(/^\/+/, '')}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!TRAVELLING_PROTOCOLS.has(url.protocol) || url.hostname === '') return undefined;
  url.username = '';
  url.password = '';
  url.search = '';
  url.hash = '';
  return url.href.length > LENGTH_MAX ? undefined : url.href;
}
