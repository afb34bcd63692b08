/** What an operator wants to know about a Redis server before relying on it. */
import type { RedisAddress } from './redis-address.ts';
import { connectRedis } from './redis-connection.ts';

/** A value is null when this user may not read it. The service itself needs none of them. */
export interface RedisExamination {
  readonly version: string | null;
  /** The time of the server's clock. */
  readonly nowMs: number | null;
  readonly evictionPolicy: string | null;
}

export async function examineRedis(address: RedisAddress): Promise<RedisExamination> {
  const connection = await connectRedis(address, () => undefined);
  try {
    const info = await connection.run((redis) => redis.info()).catch(() => '');
    const time = await connection.run((redis) => redis.time()).catch(() => null);
    const lines = info.split(/\r?\n/);
    const named = (name: string) =>
      lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1) ?? null;
    return {
      version: named('redis_version'),
      nowMs: time === null ? null : Number(time[0]) * 1000 + Number(time[1]) / 1000,
      evictionPolicy: named('maxmemory_policy'),
    };
  } finally {
    connection.close();
  }
}
