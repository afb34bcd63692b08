/**
 * The scripts of the counters, which Redis runs atomically. Redis's own clock decides nothing but when a key is
 * deleted, so each script gets the service's time. Every key has an expiry, so none stays forever.
 */
import type { ClientContext, Result } from 'ioredis';

/** Reads a window: its `used` and `confirmed` takes, and when it ends. */
const WINDOW = `
local used, confirmed, endsAt = unpack(redis.call('HMGET', KEYS[1], 'used', 'confirmed', 'endsAt'))
used, confirmed, endsAt = tonumber(used or 0), tonumber(confirmed or 0), tonumber(endsAt or 0)
`;

/** ARGV: now, the end of a window that begins now, the limit, the milliseconds until the key is deleted. */
const REJECTION = `
if endsAt > tonumber(ARGV[2]) then
  endsAt = ARGV[2]
  redis.call('HSET', KEYS[1], 'endsAt', endsAt)
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return {0, tonumber(endsAt), confirmed}
`;

const TAKE = `${WINDOW}
if endsAt <= tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'used', 1, 'confirmed', 0, 'endsAt', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return {1, tonumber(ARGV[2]), 0}
end
if used < tonumber(ARGV[3]) then
  redis.call('HINCRBY', KEYS[1], 'used', 1)
  return {1, endsAt, confirmed}
end
${REJECTION}`;

const PEEK = `${WINDOW}
if endsAt <= tonumber(ARGV[1]) or used < tonumber(ARGV[3]) then return {1, endsAt, confirmed} end
${REJECTION}`;

/** ARGV: the end of the window that the take belongs to. */
const GIVE_BACK = `${WINDOW}
if endsAt ~= tonumber(ARGV[1]) then return end
if used > 1 then redis.call('HINCRBY', KEYS[1], 'used', -1) else redis.call('DEL', KEYS[1]) end
`;

const CONFIRM = `${WINDOW}
if endsAt == tonumber(ARGV[1]) then redis.call('HINCRBY', KEYS[1], 'confirmed', 1) end
`;

/**
 * The arithmetic of sliding-window.ts. Returns -1 when the weight fitted, else the milliseconds until it would.
 *
 * ARGV: now, the window's milliseconds, the limit, the milliseconds until the key is deleted, the weight.
 */
const TAKE_SLIDING = `
local now, windowMs, limit, weight = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local stored = redis.call('GET', KEYS[1])
local takes, excess, steppedBack = {}, weight - limit, false
for _, take in ipairs(stored and cjson.decode(stored) or {}) do
  if take[1] > now then
    take[1] = now
    steppedBack = true
  end
  if take[1] > now - windowMs then
    table.insert(takes, take)
    excess = excess + take[2]
  end
end
local fits = excess <= 0
if fits then
  local last = takes[#takes]
  if last and last[1] == now then last[2] = last[2] + weight else table.insert(takes, {now, weight}) end
end
if fits or steppedBack then redis.call('SET', KEYS[1], cjson.encode(takes), 'PX', ARGV[4]) end
if fits then return -1 end
for _, take in ipairs(takes) do
  excess = excess - take[2]
  if excess <= 0 then return take[1] + windowMs - now end
end
return windowMs
`;

export const redisScripts = {
  takeOfWindow: { lua: TAKE, numberOfKeys: 1 },
  peekAtWindow: { lua: PEEK, numberOfKeys: 1 },
  giveBackToWindow: { lua: GIVE_BACK, numberOfKeys: 1 },
  confirmInWindow: { lua: CONFIRM, numberOfKeys: 1 },
  takeOfSlidingWindow: { lua: TAKE_SLIDING, numberOfKeys: 1 },
};

/** Whether the limit allowed the take, the end of the window, and its confirmed takes. */
export type WindowReply = [room: 0 | 1, endsAt: number, confirmed: number];
type WindowArguments = [now: number, endsAt: number, limit: number, keptMs: number];

declare module 'ioredis' {
  // The type parameter must have the same name as in the library.
  interface RedisCommander<Context extends ClientContext> {
    takeOfWindow(key: string, ...given: WindowArguments): Result<WindowReply, Context>;
    peekAtWindow(key: string, ...given: WindowArguments): Result<WindowReply, Context>;
    giveBackToWindow(key: string, endsAt: number): Result<null, Context>;
    confirmInWindow(key: string, endsAt: number): Result<null, Context>;
    takeOfSlidingWindow(
      key: string,
      now: number,
      windowMs: number,
      limit: number,
      keptMs: number,
      weight: number,
    ): Result<number, Context>;
  }
}
