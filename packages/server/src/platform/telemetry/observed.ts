/** Ports whose calls are measured and traced. Used only when the operator wants either. */
import type { Blobs } from '../blobs/blobs.ts';
import type { Counters } from '../counters/counters.ts';
import type { Database } from '../database/database.ts';
import type { ObserveStatement } from '../database/observed-dialect.ts';
import type { Log } from '../log.ts';
import type { PasswordHasher } from '../password-hash.ts';
import type { Dependency } from '../metrics/metrics.ts';
import type { SpanFields, Tracing } from '../tracing/tracing.ts';
import { isUnavailable } from '../unavailable.ts';
import type { Telemetry } from './telemetry.ts';

interface ObservedCall {
  readonly dependency: Dependency;
  readonly operation: string;
  readonly spanName: string;
  readonly fields: SpanFields;
  /** Whether an error means that the dependency did not work. */
  readonly isFailure: (error: unknown) => boolean;
}

async function observed<Result>(
  { metrics, tracing }: Telemetry,
  { dependency, operation, spanName, fields, isFailure }: ObservedCall,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  let isOk = true;
  try {
    return await tracing.span(spanName, fields, work);
  } catch (error) {
    isOk = !isFailure(error);
    throw error;
  } finally {
    metrics.call(dependency, operation, isOk, (performance.now() - began) / 1000);
  }
}

function observerOf(dependency: Dependency, telemetry: Telemetry) {
  return <Result>(operation: string, work: () => Promise<Result>): Promise<Result> =>
    observed(
      telemetry,
      { dependency, operation, spanName: `${dependency} ${operation}`, fields: {}, isFailure: () => true },
      work,
    );
}

export function observedBlobs(blobs: Blobs, telemetry: Telemetry): Blobs {
  const observe = observerOf('blobs', telemetry);
  return {
    async put(name, parts) {
      const stored = blobs.put(name, parts);
      // Its failure is reported below, even if it came first.
      stored.catch(() => undefined);
      // A put takes from when its parts were made, and parts that cannot be made are no failure of the store.
      const [made] = await Promise.allSettled([parts]);
      return made.status === 'fulfilled' ? observe('put', () => stored) : stored;
    },
    get: (name) => observe('get', () => blobs.get(name)),
    delete: (name) => observe('delete', () => blobs.delete(name)),
    list: (writtenBefore) => blobs.list(writtenBefore),
    check: () => observe('check', () => blobs.check()),
  };
}

export function observedCounters(counters: Counters, telemetry: Telemetry): Counters {
  const observe = observerOf('counters', telemetry);
  return {
    take: (key, budget) => observe('take', () => counters.take(key, budget)),
    peek: (key, budget) => observe('peek', () => counters.peek(key, budget)),
    giveBack: (take) => observe('giveBack', () => counters.giveBack(take)),
    confirm: (take) => observe('confirm', () => counters.confirm(take)),
    takeSliding: (key, weight, budget) =>
      observe('takeSliding', () => counters.takeSliding(key, weight, budget)),
    check: () => observe('check', () => counters.check()),
    sweep: () => observe('sweep', () => counters.sweep()),
  };
}

/** A violated constraint is a normal result, so only an unavailable database counts as a failed call. */
export function statementObserver(system: 'sqlite' | 'postgresql', telemetry: Telemetry): ObserveStatement {
  return ({ operation, table }, work) => {
    // SQLite has one connection, which is always available.
    if (operation === 'CONNECT' && system === 'sqlite') return work();
    return observed(
      telemetry,
      {
        dependency: 'database',
        operation,
        spanName: table === undefined ? operation : `${operation} ${table}`,
        fields: {
          'db.system.name': system,
          'db.operation.name': operation,
          ...(table === undefined ? {} : { 'db.collection.name': table }),
        },
        isFailure: isUnavailable,
      },
      work,
    );
  };
}

export function tracedDatabase(database: Database, tracing: Tracing): Database {
  return {
    ...database,
    transaction: (work) => tracing.span('transaction', {}, () => database.transaction(work)),
  };
}

export function tracedHasher(hasher: PasswordHasher, tracing: Tracing): PasswordHasher {
  return {
    hash: (secret) => tracing.span('password hash', {}, () => hasher.hash(secret)),
    verify: (stored, secret) => tracing.span('password verify', {}, () => hasher.verify(stored, secret)),
  };
}

/** Adds the trace of the request or job to each log line. */
export function tracedLog(log: Log, { traceId }: Tracing): Log {
  const traced = () => {
    const id = traceId();
    return id === undefined ? {} : { traceId: id };
  };
  return {
    debug: (message, fields) => log.debug(message, { ...traced(), ...fields }),
    info: (message, fields) => log.info(message, { ...traced(), ...fields }),
    warn: (message, fields) => log.warn(message, { ...traced(), ...fields }),
    error: (message, fields) => log.error(message, { ...traced(), ...fields }),
  };
}
