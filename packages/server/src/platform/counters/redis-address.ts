/** The address of a Redis, as `REDIS_URL` holds it. */

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Null for the default user. */
  readonly user: string | null;
  readonly password: string | null;
  readonly database: number;
}

const PORT = 6379;
/** A name or an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/**
 * Undefined for an invalid address. A query or a fragment is rejected, because it may be a setting that has no effect
 * or a part of a password.
 */
export function parseRedisAddress(value: string): RedisAddress | undefined {
  if (!/^rediss?:\/\/[^?#]+$/i.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const path = /^(?:\/(\d{1,5})?)?$/.exec(url.pathname);
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (!HOST.test(url.hostname) || path === null || user === undefined || password === undefined)
    return undefined;
  // A user name without a password is probably a password that was entered in the wrong place.
  if (user !== '' && password === '') return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? PORT : Number(url.port),
    tls: url.protocol === 'rediss:',
    user: user === '' ? null : user,
    password: password === '' ? null : password,
    database: Number(path[1] ?? 0),
  };
}

/** Without the user and the password. */
export function redisAddressInWords({ host, port, tls, database }: RedisAddress): string {
  return `${tls ? 'rediss' : 'redis'}://${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
