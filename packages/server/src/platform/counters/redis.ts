/**
 * Counters in Redis, shared by all replicas. Each call runs one script, so it is one atomic round trip. Times are the
 * service's own, so that windows are the same for every store.
 */
import { StartError } from '#start-error';
import type { Clock } from '../clock.ts';
import type { CounterNames } from '../counter-names.ts';
import type { Budget, Counters, Rejection } from './counters.ts';
import { redisAddressInWords, type RedisAddress } from './redis-address.ts';
import { connectRedis, type RedisConnection, type RedisPatience } from './redis-connection.ts';
import { redisReasonInWords } from './redis-errors.ts';
import type { WindowReply } from './redis-scripts.ts';

/**
 * How long Redis keeps a key after its window has ended. The clocks of replicas decide when a window ends, and they
 * differ by less than this.
 */
const KEPT_AFTER_MS = 60_000;

export interface RedisCounters extends Counters {
  close(): void;
}

/**
 * @param names the names of keys, which must contain nothing personal.
 * @param onLost called once for each outage, with the first error.
 * @throws StartError when Redis cannot be used now.
 */
export async function openRedisCounters(
  address: RedisAddress,
  names: CounterNames,
  clock: Clock,
  onLost: (error: Error) => void,
  patience?: RedisPatience,
): Promise<RedisCounters> {
  try {
    const connection = await connectRedis(address, onLost, patience);
    const counters = countersOn(connection, names, clock);
    try {
      await counters.check();
      return counters;
    } catch (error) {
      connection.close();
      throw (error as Error).cause ?? error;
    }
  } catch (error) {
    throw new StartError(
      `REDIS_URL: ${redisAddressInWords(address)} cannot be used (${redisReasonInWords(error as Error)}). Name a running Redis 7 or later in which this user may write and run scripts, or leave REDIS_URL unset.`,
      { cause: error },
    );
  }
}

/** Each check charges this key, so it has no limit in practice. */
const PROBE = { key: 'probe', budget: { limit: Number.MAX_SAFE_INTEGER, windowMs: 1000 } };

function countersOn(connection: RedisConnection, names: CounterNames, clock: Clock): RedisCounters {
  const windowKey = (key: string) => `svc:window:${names(key)}`;
  const slidingKey = (key: string) => `svc:sliding:${names(key)}`;

  /**
   * Runs a script that takes from a window or only reads it. Returns the end of the window if its limit allows the
   * take.
   */
  async function findRoom(
    script: 'takeOfWindow' | 'peekAtWindow',
    key: string,
    { limit, windowMs }: Budget,
  ): Promise<{ readonly ok: true; readonly endsAt: number } | Rejection> {
    const now = clock.now();
    const [room, endsAt, confirmed]: WindowReply = await connection.run((redis) =>
      redis[script](windowKey(key), now, now + windowMs, limit, windowMs + KEPT_AFTER_MS),
    );
    if (room === 1) return { ok: true, endsAt };
    return { ok: false, retryAfterMs: endsAt - now, undecided: confirmed < limit };
  }

  const take: Counters['take'] = async (key, budget) => {
    const found = await findRoom('takeOfWindow', key, budget);
    return found.ok ? { ok: true, take: { key, windowEndsAt: found.endsAt } } : found;
  };

  return {
    take,
    async peek(key, budget) {
      const found = await findRoom('peekAtWindow', key, budget);
      return found.ok ? { ok: true } : found;
    },
    async giveBack({ key, windowEndsAt }) {
      await connection.run((redis) => redis.giveBackToWindow(windowKey(key), windowEndsAt));
    },
    async confirm({ key, windowEndsAt }) {
      await connection.run((redis) => redis.confirmInWindow(windowKey(key), windowEndsAt));
    },
    async takeSliding(key, weight, { limit, windowMs }) {
      const retryAfterMs = await connection.run((redis) =>
        redis.takeOfSlidingWindow(
          slidingKey(key),
          clock.now(),
          windowMs,
          limit,
          windowMs + KEPT_AFTER_MS,
          weight,
        ),
      );
      return retryAfterMs === -1 ? { ok: true } : { ok: false, retryAfterMs };
    },
    /** Does what requests need, so it also fails while Redis accepts no writes. */
    async check() {
      await take(PROBE.key, PROBE.budget);
    },
    /** Redis deletes keys that have expired. */
    async sweep() {},
    close: () => connection.close(),
  };
}
