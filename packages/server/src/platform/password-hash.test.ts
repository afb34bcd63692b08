import { argon2Sync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createPasswordHasher, type PasswordHash } from './password-hash.ts';

const WAITING_MAX = 256;
/** The queue does not depend on the cost of a hash. */
const quick = { memoryKib: 8, passes: 1 };
const bytes = (text: string) => new TextEncoder().encode(text);

function outcomesOf(calls: readonly Promise<unknown>[]) {
  return Promise.all(
    calls.map((call) =>
      call.then(
        () => 'done',
        (error: unknown) => (error as { code?: string }).code ?? 'unknown error',
      ),
    ),
  );
}

const count = (outcomes: readonly string[], wanted: string) =>
  outcomes.filter((outcome) => outcome === wanted).length;

describe('hashing', () => {
  test('[D1] is argon2id with 19 MiB, two passes and one lane, and its own salt', async () => {
    const hasher = createPasswordHasher();
    const [one, other] = [await hasher.hash(bytes('secret')), await hasher.hash(bytes('secret'))];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/);
    expect(other).not.toBe(one);
  });

  test.skipIf(typeof argon2Sync !== 'function')(
    '[D1] is the same as another implementation computes (if Node has one)',
    async () => {
      const secret = bytes('pässwörd');
      const [, , , , salt = '', tag = ''] = (await createPasswordHasher().hash(secret)).split('$');
      const own = argon2Sync('argon2id', {
        message: secret,
        nonce: Buffer.from(salt, 'base64'),
        parallelism: 1,
        tagLength: 32,
        memory: 19 * 1024,
        passes: 2,
      });
      expect(own.toString('base64').replace(/=+$/, '')).toBe(tag);
    },
  );

  test('[T4] has the configured cost, with a hash and without one', async () => {
    const hasher = createPasswordHasher(1, quick);
    const hash = await hasher.hash(bytes('secret'));
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    expect(await hasher.verify(hash, bytes('secret'))).toBe(true);
    expect(await hasher.verify(null, bytes('secret'))).toBe(false);
  });

  test('[D2] accepts any text, and distinguishes it from any other', async () => {
    const hasher = createPasswordHasher();
    for (const secret of ['', ' ', 'a\u0000b', '🦉'.repeat(1000), '\ud7ff\ue000']) {
      const hash = await hasher.hash(bytes(secret));
      expect(await hasher.verify(hash, bytes(secret))).toBe(true);
      expect(await hasher.verify(hash, bytes(`${secret}\u0000`))).toBe(false);
    }
  });
});

describe('verifying without a hash', () => {
  test('[T4] is false for every secret', async () => {
    const hasher = createPasswordHasher();
    const outcomes = await Promise.all(
      ['', 'secret', '0'.repeat(43)].map((text) => hasher.verify(null, bytes(text))),
    );
    expect(outcomes).toEqual([false, false, false]);
  });

  test('[T4] takes as long as with a hash', { tags: 'thorough' }, async () => {
    const hasher = createPasswordHasher(1);
    const hash = await hasher.hash(bytes('secret'));
    const times = { hash: [] as number[], nothing: [] as number[] };
    const inTurn = [['hash', hash] as const, ['nothing', null] as const];
    for (let round = 0; round < 40; round += 1) {
      for (const [which, stored] of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
        const began = process.cpuUsage();
        await hasher.verify(stored, bytes('wrong'));
        const { user, system } = process.cpuUsage(began);
        times[which].push(user + system);
      }
    }
    // Processor time, of the fastest runs, which nothing disturbed.
    const [one, other] = [Math.min(...times.hash), Math.min(...times.nothing)];
    expect(Math.max(one, other) / Math.min(one, other)).toBeLessThan(1.25);
  });
});

describe('the queue', () => {
  test('[D3] accepts at least 200 waiting hashes, and rejects more with the time to wait', async () => {
    const hasher = createPasswordHasher(1, quick);
    const calls = Array.from({ length: WAITING_MAX + 20 }, () => hasher.verify(null, bytes('x')));
    await expect(calls.at(-1)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      status: 429,
      retryAfterMs: 5000,
    });
    const outcomes = await outcomesOf(calls);
    expect(count(outcomes, 'done') + count(outcomes, 'RATE_LIMITED')).toBe(calls.length);
    expect(count(outcomes, 'done')).toBeGreaterThanOrEqual(200);
    expect(count(outcomes, 'done')).toBeLessThanOrEqual(WAITING_MAX + 2);
    expect(outcomes.slice(0, 200)).toEqual(Array.from({ length: 200 }, () => 'done'));
  });

  test('[D3] accepts hashes again once some have been computed', async () => {
    const hasher = createPasswordHasher(1, quick);
    await outcomesOf(Array.from({ length: WAITING_MAX + 10 }, () => hasher.verify(null, bytes('x'))));
    expect(await hasher.verify(await hasher.hash(bytes('y')), bytes('y'))).toBe(true);
  });

  test('[D3] does not count a hash that failed', async () => {
    const hasher = createPasswordHasher(1, quick);
    const broken = 'no hash at all' as PasswordHash;
    const outcomes = await outcomesOf(Array.from({ length: 20 }, () => hasher.verify(broken, bytes('x'))));
    expect(count(outcomes, 'done')).toBe(0);
    const more = await outcomesOf(Array.from({ length: 100 }, () => hasher.verify(null, bytes('x'))));
    expect(count(more, 'done')).toBe(100);
  });
});
