/**
 * One connection to Redis, which reconnects automatically. Every wait is limited, and no command waits for a connection
 * or is sent twice: while Redis is unreachable, commands fail immediately.
 */
import { isIP } from 'node:net';
import { Redis } from 'ioredis';
import { UnavailableError } from '../unavailable.ts';
import type { RedisAddress } from './redis-address.ts';
import { isOfSelect, isTimeout, replyCode } from './redis-errors.ts';
import { redisScripts } from './redis-scripts.ts';

/** How long to wait for Redis. */
export interface RedisPatience {
  readonly connectMs: number;
  readonly replyMs: number;
  /**
   * A connection on which nothing arrives for this long is ended. Shorter than the limit for a reply, because the client counts a
   * handshake as successful even if its commands time out.
   */
  readonly silenceMs: number;
}

const defaultPatience: RedisPatience = { connectMs: 2000, replyMs: 1000, silenceMs: 900 };
const RECONNECT_AFTER_MS_MAX = 1000;
const RECONNECT_STEP_MS = 200;
/** How long a connection that is given up may take to close properly. */
const CLOSE_MS_MAX = 100;

export interface RedisConnection {
  /** @throws UnavailableError when Redis is unreachable, too slow, or rejects the command because of its own state. */
  run<Reply>(command: (redis: Redis) => Promise<Reply>): Promise<Reply>;
  close(): void;
}

/**
 * @param onLost called once for each outage, with the first reason.
 * @throws Error the reason why the first attempt failed.
 */
export async function connectRedis(
  { host, port, tls, user, password, database }: RedisAddress,
  onLost: (error: Error) => void,
  { connectMs, replyMs, silenceMs }: RedisPatience = defaultPatience,
): Promise<RedisConnection> {
  const redis = new Redis({
    host,
    port,
    username: user ?? undefined,
    password: password ?? undefined,
    db: database,
    ...(tls ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {}),
    protocol: 2,
    // Setting the name is also the round trip that proves that Redis answers.
    connectionName: 'svc',
    disableClientInfo: true,
    enableReadyCheck: false,
    lazyConnect: true,
    scripts: redisScripts,
    connectTimeout: connectMs,
    commandTimeout: replyMs,
    socketTimeout: silenceMs,
    disconnectTimeout: CLOSE_MS_MAX,
    retryStrategy: (attempt) => Math.min(attempt * RECONNECT_STEP_MS, RECONNECT_AFTER_MS_MAX),
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  });

  function reconnect(): void {
    if (redis.status === 'ready') redis.disconnect(true);
  }

  await firstConnection(redis);
  let isClosing = false;
  /** Why there is no connection. */
  let lost: Error | undefined;
  function lose(error: Error): void {
    if (lost === undefined) onLost(error);
    lost = error;
  }
  redis.on('ready', () => {
    lost = undefined;
  });
  redis.on('close', () => {
    if (!isClosing) lose(lost ?? new Error('Connection is closed.'));
  });
  redis.on('error', (error: Error) => {
    lose(error);
    // The client would continue in database 0.
    if (isOfSelect(error)) redis.once('ready', reconnect);
  });
  return {
    async run(command) {
      try {
        return await command(redis);
      } catch (error) {
        if (!(error instanceof Error) || replyCode(error) === 'ERR') throw error;
        // Replies that follow a late one are late too. After a failover, the address leads to the new primary.
        if (isTimeout(error) || replyCode(error) === 'READONLY') reconnect();
        const cause = lost ?? error;
        throw new UnavailableError(`Redis cannot be used: ${cause.message}`, { cause });
      }
    },
    close() {
      isClosing = true;
      redis.disconnect();
    },
  };
}

async function firstConnection(redis: Redis): Promise<void> {
  const failed = new Promise<never>((_, reject) => void redis.on('error', reject));
  try {
    await Promise.race([failed, redis.connect()]);
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}
