/**
 * What may be shown of addresses that can contain passwords. An operator may have written any part into the place of
 * another, so only what cannot contain a password is shown. For a rejected address that is the scheme, if it is a known
 * one. For an accepted address that is host, port and path, unless a password may have been split.
 */

const SCHEMES = new Set(
  'postgres postgresql mysql mariadb sqlite sqlserver mongodb mongodb+srv redis rediss s3 http https file'.split(
    ' ',
  ),
);

/** The words for a rejected value. */
export function rejectedAddressInWords(value: string): string {
  const [, scheme = ''] = /^([a-z0-9+]{1,20}):/i.exec(value) ?? [];
  const known = scheme.toLowerCase();
  return SCHEMES.has(known)
    ? `an address that begins with ${known}:, of which no more is shown`
    : 'a value that is not shown';
}

const NOT_SHOWN = 'an address that is not shown';
const PLAIN_PATH = /^[\w./-]*$/;

/** The words for an accepted address. */
export function usedAddressInWords(address: string): string {
  const url = parsed(address);
  return url === null ? NOT_SHOWN : `${url.protocol}//${url.host}${url.pathname}`;
}

/** Null for an address that may be misread: a parser takes a #, ? or / in a password for the end of the host. */
function parsed(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isPlain = PLAIN_PATH.test(url.pathname) && !`${url.search}${url.hash}`.includes('@');
  return isPlain ? url : null;
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  '28P01': 'it rejects the user or the password',
  '28000': 'it rejects the user',
  '3D000': 'it has no database with that name',
  '42501': 'the user may not do that',
  '42P01': 'it has no tables of this service',
  WRONGPASS: 'it rejects the user or the password',
  NOAUTH: 'it needs a password',
  NOPERM: 'the user may not do that',
  READONLY: 'it is a replica that takes no writes',
  OOM: 'its memory is full',
  LOADING: 'it is still loading its data',
};

/** Messages of the driver that have no code and contain nothing from the address. */
const SAID_OF_NOTHING = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'The server does not support SSL connections',
  'Connection is closed.',
]);

/**
 * Why such an address cannot be used. The server's own message is never shown, because it repeats users and settings.
 */
export function reasonInWords(error: unknown): string {
  const { message, code } = (error instanceof AggregateError ? error.errors[0] : error) as {
    message: string;
    code?: string;
  };
  if (code === undefined) return SAID_OF_NOTHING.has(message) ? message : 'its message is not shown';
  return Object.hasOwn(IN_WORDS, code) ? `${IN_WORDS[code]}, ${code}` : code;
}
