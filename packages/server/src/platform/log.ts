/**
 * The log: one JSON object per line on standard output. Callers name each field, and no object is logged as a whole, so
 * that no header, body, address or secret gets in by accident.
 */
import { pino } from 'pino';

/** The fields of a line besides its message: ids, codes, counts and times. */
export interface LogFields {
  readonly requestId?: string;
  /** With traces: the trace of the request or job. */
  readonly traceId?: string | undefined;
  /** How many spans the collector did not get. */
  readonly spans?: number;
  readonly method?: string;
  /** The route's pattern; never the requested address, which can contain a secret. */
  readonly route?: string | undefined;
  readonly status?: number;
  readonly code?: string;
  readonly durationMs?: number;
  readonly job?: string;
  readonly version?: string;
  /** Where the service listens, and the origin of its pages. */
  readonly host?: string;
  readonly port?: number;
  readonly address?: string;
  readonly dataDir?: string;
  readonly next?: string;
  readonly signal?: string;
  /** The id of the payment provider's event. */
  readonly eventId?: string;
  readonly subscriptionId?: string;
  readonly workspaceId?: string;
  /**
   * The subject of a failed login, recovery or confirmation: the account, or a keyed digest of an address without one.
   */
  readonly userId?: string;
  readonly addressDigest?: string;
  /** The network as throttles count it. */
  readonly network?: string;
  /** Where the operator finds the setup token; never the token. */
  readonly setupTokenFile?: string;
  /** An enum value. */
  readonly reason?: string;
  /** The name, message and stack of an unexpected error: for the operator only. */
  readonly error?: { readonly name: string; readonly message: string; readonly stack?: string | undefined };
}

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogDestination {
  write(line: string): void;
}

export function createLog(level: LogLevel, destination?: LogDestination): Log {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = destination ? pino(options, destination) : pino(options);
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  };
}

export function describeError(error: unknown): NonNullable<LogFields['error']> {
  if (error instanceof Error) return { name: error.name, message: error.message, stack: error.stack };
  return { name: 'Thrown', message: typeof error };
}
