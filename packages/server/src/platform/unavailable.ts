/** Distinguishes a dependency that is down or full (503, try again) from a bug (500). */

/** Thrown by an adapter that knows that its dependency is down. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
const STORAGE_CODES = new Set(['ENOSPC', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'EDQUOT']);
/** SQLite's primary result codes: busy, locked, read-only, input or output, full, can't open. */
const SQLITE_CODES = new Set([5, 6, 8, 10, 13, 14]);
/**
 * PostgreSQL's classes: connection exception, insufficient resources, operator intervention, system error. And the
 * state of a read-only transaction.
 */
const POSTGRES_STATES = /^(?:08|53|57|58)|^25006$/;
const POSTGRES_CLIENT_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|is not queryable/;

export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnavailableError) return true;
  if (error instanceof AggregateError) return error.errors.some(isUnavailable);
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return typeof errcode === 'number' && SQLITE_CODES.has(errcode & 0xff);
  if (typeof code === 'string') {
    return NETWORK_CODES.has(code) || STORAGE_CODES.has(code) || POSTGRES_STATES.test(code);
  }
  return POSTGRES_CLIENT_MESSAGES.test(error.message);
}
