import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRedisAddress, redisAddressInWords, type RedisAddress } from './redis-address.ts';

const plain: RedisAddress = {
  host: 'cache',
  port: 6379,
  tls: false,
  user: null,
  password: null,
  database: 0,
};

describe('the address of a Redis', () => {
  test.each<[value: string, parts: Partial<RedisAddress>]>([
    ['redis://cache', {}],
    ['redis://cache/', {}],
    ['REDIS://cache:6380/7', { port: 6380, database: 7 }],
    ['rediss://cache.example.com', { host: 'cache.example.com', tls: true }],
    ['redis://[::1]:6379/0', { host: '::1' }],
    ['redis://:p@cache', { password: 'p' }],
    ['redis://counting:p%40%3A%2F%C3%BC%25@cache/15', { user: 'counting', password: 'p@:/ü%', database: 15 }],
  ])('[D15] %s is valid', (value, parts) => {
    expect(parseRedisAddress(value)).toEqual({ ...plain, ...parts });
  });

  test.each([
    'cache:6379',
    'http://cache',
    'redis:cache',
    'redis://',
    'redis:///0',
    'redis://:p@',
    'redis://cache:port',
    'redis://cache:65536',
    'redis://cache/name',
    'redis://cache/0/1',
    'redis://cache/-1',
    'redis://cache/100000',
    'redis://cache?db=1',
    'redis://cache/0?tls=true',
    'redis://cache#0',
    'redis://user@cache',
    'redis://user:@cache',
    'redis://:%zz@cache',
    'redis://:pass/word@cache',
    'redis://one,redis://other',
  ])('[D15] %s is invalid', (value) => {
    expect(parseRedisAddress(value)).toBeUndefined();
  });

  test.each([
    ['redis://cache', 'redis://cache:6379/0'],
    ['rediss://user:hunter2@[::1]:7000/3', 'rediss://[::1]:7000/3'],
  ])('[D15] %s is shown as %s', (value, shown) => {
    expect(redisAddressInWords(parseRedisAddress(value) ?? plain)).toBe(shown);
  });

  test('[D15] any password is read as it was written, and not shown', () => {
    const characters = anyText({ maxLength: 20 });
    fc.assert(
      fc.property(characters, characters, (before, after) => {
        const password = `${before}hunter2${after}`;
        const address = parseRedisAddress(`redis://user:${encodeURIComponent(password)}@cache/1`);
        expect(address).toEqual({ ...plain, user: 'user', password, database: 1 });
        expect(redisAddressInWords(address ?? plain)).toBe('redis://cache:6379/1');
      }),
    );
  });
});
