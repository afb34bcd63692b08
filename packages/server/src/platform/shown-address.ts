/**
 * What may be told of addresses in which passwords stand. Whatever was meant for one place of an address may have been
 * written into another, so only that is told which can hold none: of one that is refused the scheme, where it is a known
 * word; of one that is used its host, port and path, as long as nothing hints at a password that was cut in two.
 */

const SCHEMES = new Set(
  'postgres postgresql mysql mariadb sqlite sqlserver mongodb mongodb+srv redis rediss s3 http https file'.split(
    ' ',
  ),
);

/** Of a value that is refused. */
export function refusedAddressInWords(value: string): string {
  const [, scheme = ''] = /^([a-z0-9+]{1,20}):/i.exec(value) ?? [];
  const known = scheme.toLowerCase();
  return SCHEMES.has(known)
    ? `an address that begins with ${known}:, of which no more is shown`
    : 'a value that is not shown';
}

const NOT_SHOWN = 'an address that is not shown';
const PLAIN_PATH = /^[\w./-]*$/;

/** Of one that is used. */
export function usedAddressInWords(address: string): string {
  const url = parsed(address);
  return url === null ? NOT_SHOWN : `${url.protocol}//${url.host}${url.pathname}`;
}

/** Null for one whose parts may be others than were meant: a # or a / in a password ends what comes before the host. */
function parsed(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isPlain = PLAIN_PATH.test(url.pathname) && !`${url.search}${url.hash}`.includes('@');
  return isPlain ? url : null;
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  '28P01': 'it refuses the user or the password',
  '28000': 'it refuses the user',
  '3D000': 'it has no database of that name',
  '42501': 'the user may not do that',
  '42P01': 'it has no tables of this service',
};

/** What the driver says without a code, and of nothing that it was given. */
const SAID_OF_NOTHING = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'The server does not support SSL connections',
]);

/** Why such an address can not be used. Never as the other side said it, which tells users and settings again. */
export function reasonInWords(error: unknown): string {
  const { message, code } = (error instanceof AggregateError ? error.errors[0] : error) as {
    message: string;
    code?: string;
  };
  if (code === undefined) return SAID_OF_NOTHING.has(message) ? message : 'what it says is not shown';
  return Object.hasOwn(IN_WORDS, code) ? `${IN_WORDS[code]}, ${code}` : code;
}
