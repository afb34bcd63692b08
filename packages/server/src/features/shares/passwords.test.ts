/**
 * Which password attempts at a share cause a hash, and which succeed. The hasher is the real one at the lowest cost;
 * its calls are counted and can be held back, so that a test decides what runs at the same time. The counters are the
 * real ones, in memory and in PostgreSQL. Waiting has a generous limit for slow machines, except where the limit itself
 * is tested.
 */
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { passwordBytes } from '@svc/contract';
import { createFakeClock, createTestPostgres, postgresUrl, type FakeClock } from '@svc/testkit';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#app-error';
import type { Counters } from '#platform/counters/counters';
import { createMemoryCounters } from '#platform/counters/memory';
import { createPostgresCounters } from '#platform/counters/postgres';
import type { Database } from '#platform/database/database';
import { openPostgres } from '#platform/database/postgres';
import { createPasswordHasher, type PasswordHash } from '#platform/password-hash';
import { systemRandom } from '#platform/random';
import { createThrottles } from '#platform/throttles';
import type { Patience } from './password-line.ts';
import { createSharePasswords, type ProtectedLink, type SharePasswords } from './passwords.ts';

const MINUTE_MS = 60_000;
const RIGHT = 'Crème brûlée, 8 portions'.normalize('NFC');
const hasher = createPasswordHasher(undefined, { memoryKib: 8, passes: 1 });
const patient: Patience = { waitMsMax: 600_000, askAgainMs: 50 };
let stored: PasswordHash;
let clock: FakeClock;

beforeAll(async () => {
  stored = await hasher.hash(passwordBytes(RIGHT));
});
beforeEach(() => {
  clock = createFakeClock('2026-01-07T12:00:00Z');
});

const utf8 = (text: string) => new TextEncoder().encode(text);
const newLink = (passwordHash: PasswordHash | null = stored): ProtectedLink => ({
  id: `shr_${randomBytes(12).toString('hex')}`,
  passwordHash,
});
const times = (count: number, given: string) => Array.from({ length: count }, () => given);
const wrongOnes = (count: number, name = 'wrong') =>
  Array.from({ length: count }, (_, index) => `${name} one ${index}`);

/** A hasher that counts its calls. While it is held, calls wait. */
function countingHasher() {
  let held: Promise<void> | undefined;
  let release = () => undefined as void;
  const state = { hashes: 0, isBusy: false };
  return {
    state,
    async verify(of: PasswordHash | null, secret: Uint8Array) {
      if (state.isBusy) throw new AppError('RATE_LIMITED', { retryAfterMs: 5000 });
      state.hashes += 1;
      await held;
      return hasher.verify(of, secret);
    },
    hold() {
      held = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
  };
}

interface Replica extends SharePasswords {
  readonly hasher: ReturnType<typeof countingHasher>;
}

function replica(counters: Counters, patience = patient): Replica {
  const counting = countingHasher();
  const throttles = createThrottles({ counters, inProcess: createMemoryCounters(clock) });
  const ports = { clock, random: systemRandom, hasher: counting, throttles };
  return { ...createSharePasswords(ports, patience), hasher: counting };
}

/** The outcome of an attempt: `ok`, or the code. */
function attempt(
  passwords: SharePasswords,
  link: ProtectedLink,
  given?: string | Uint8Array,
): Promise<string> {
  const bytes = typeof given === 'string' ? utf8(given) : given;
  return passwords.require(link, bytes).then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? error.code : `thrown: ${String(error)}`),
  );
}

function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The outcomes when so many wrong passwords were checked, and one more was rejected unchecked. */
const oneRejected = (lookedAt: number) => ({ SHARE_PASSWORD_REQUIRED: lookedAt, RATE_LIMITED: 1 });

async function allOf(passwords: SharePasswords, link: ProtectedLink, given: readonly string[]) {
  return tally(await Promise.all(given.map((each) => attempt(passwords, link, each))));
}

/** Tries the passwords one after the other. */
async function eachOf(passwords: SharePasswords, link: ProtectedLink, given: readonly string[]) {
  const outcomes = [];
  for (const each of given) outcomes.push(await attempt(passwords, link, each));
  return tally(outcomes);
}

/** Waits until this many hashes have been requested, so that earlier attempts are under way. */
async function hashesAskedFor(passwords: Replica, count: number): Promise<void> {
  while (passwords.hasher.state.hashes < count) await turn();
}

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn();
}

interface Opened {
  readonly countersOf: () => Counters;
  readonly close: () => Promise<void>;
}

describe('with counters in memory', () => {
  guarding(async () => {
    const counters = new WeakMap<FakeClock, Counters>();
    const countersOf = () => {
      const known = counters.get(clock) ?? createMemoryCounters(clock);
      counters.set(clock, known);
      return known;
    };
    return { countersOf, close: async () => undefined };
  });
});

describe.skipIf(postgresUrl === undefined)('with counters in PostgreSQL (only there)', () => {
  guarding(async () => {
    const { database, close } = await openTestPostgres();
    return { countersOf: () => createPostgresCounters(database, clock), close };
  });
});

async function openTestPostgres(): Promise<{ database: Database; close: () => Promise<void> }> {
  const { url, drop } = await createTestPostgres();
  const database = await openPostgres(url, () => undefined);
  return { database, close: () => database.close().then(drop) };
}

function guarding(open: () => Promise<Opened>): void {
  let opened: Opened;
  let link: ProtectedLink;
  beforeAll(async () => {
    opened = await open();
  });
  beforeEach(() => {
    link = newLink();
  });
  afterAll(() => opened.close());
  const newReplica = (patience?: Patience) => replica(opened.countersOf(), patience);

  describe('the rate limit', () => {
    test('[T17] ten thousand simultaneous wrong passwords cost ten hashes', async () => {
      const passwords = newReplica();
      const outcomes = await allOf(passwords, link, wrongOnes(10_000));
      expect(outcomes).toEqual({ SHARE_PASSWORD_REQUIRED: 10, RATE_LIMITED: 9990 });
      expect(passwords.hasher.state.hashes).toBe(10);
    });

    test('[T17] a hundred simultaneous right passwords pass with one hash, and none of them counts', async () => {
      const passwords = newReplica();
      expect(await allOf(passwords, link, times(100, RIGHT))).toEqual({ ok: 100 });
      expect(passwords.hasher.state.hashes).toBe(1);
      expect(await eachOf(passwords, link, wrongOnes(11))).toEqual(oneRejected(10));
    });

    test('[D10] after nine wrong passwords any number of right ones pass, and one wrong attempt is left', async () => {
      const passwords = newReplica();
      await eachOf(passwords, link, wrongOnes(9));
      for (let round = 0; round < 3; round += 1) {
        expect(await allOf(passwords, link, times(50, RIGHT))).toEqual({ ok: 50 });
        clock.advance(1000);
      }
      expect(passwords.hasher.state.hashes).toBe(10);
      expect(await eachOf(passwords, link, wrongOnes(2, 'another'))).toEqual(oneRejected(1));
    });

    test('[D10] after ten wrong passwords a right one is rejected before it is hashed, with the time to wait', async () => {
      const passwords = newReplica();
      await eachOf(passwords, link, wrongOnes(1));
      clock.advance(MINUTE_MS);
      await eachOf(passwords, link, wrongOnes(9, 'later'));
      await expect(passwords.require(link, utf8(RIGHT))).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        retryAfterMs: 9 * MINUTE_MS,
      });
      expect(passwords.hasher.state.hashes).toBe(10);
    });

    test('[D10] the same wrong password again is another attempt, unless simultaneous', async () => {
      const passwords = newReplica();
      expect(await allOf(passwords, link, times(50, 'wrong'))).toEqual({ SHARE_PASSWORD_REQUIRED: 50 });
      expect(passwords.hasher.state.hashes).toBe(1);
      expect(await eachOf(passwords, link, times(10, 'wrong'))).toEqual(oneRejected(9));
    });

    test('[D10] starts its period at the first wrong password, and no later attempt, right or wrong, moves it', async () => {
      const passwords = newReplica();
      expect(await attempt(passwords, link, RIGHT)).toBe('ok');
      clock.advance(9 * MINUTE_MS);
      expect(await eachOf(passwords, link, wrongOnes(9))).toEqual({ SHARE_PASSWORD_REQUIRED: 9 });
      clock.advance(9 * MINUTE_MS);
      expect(await eachOf(passwords, link, wrongOnes(2))).toEqual(oneRejected(1));
      clock.advance(MINUTE_MS - 1);
      expect(await attempt(passwords, link, RIGHT)).toBe('RATE_LIMITED');
      clock.advance(1);
      expect(await attempt(passwords, link, RIGHT)).toBe('ok');
      expect(await eachOf(passwords, link, wrongOnes(11))).toEqual(oneRejected(10));
    });

    test('[D10] is separate for each link', async () => {
      const passwords = newReplica();
      await allOf(passwords, link, wrongOnes(20));
      expect(await attempt(passwords, newLink(), RIGHT)).toBe('ok');
    });
  });

  describe('guesses under way', () => {
    test('[D10] right passwords that arrive while ten wrong ones are being checked wait, and are rejected with the rest', async () => {
      const passwords = newReplica();
      passwords.hasher.hold();
      const wrong = allOf(passwords, link, wrongOnes(10));
      await hashesAskedFor(passwords, 10);
      const right = allOf(passwords, link, times(20, RIGHT));
      passwords.hasher.release();
      expect(await wrong).toEqual({ SHARE_PASSWORD_REQUIRED: 10 });
      expect(await right).toEqual({ RATE_LIMITED: 20 });
      expect(passwords.hasher.state.hashes).toBe(10);
    });

    test('[T17] a remembered password does not overtake guesses that came before it', async () => {
      const passwords = newReplica();
      await attempt(passwords, link, RIGHT);
      passwords.hasher.hold();
      const all = Promise.all([...wrongOnes(5000), RIGHT].map((each) => attempt(passwords, link, each)));
      await hashesAskedFor(passwords, 11);
      passwords.hasher.release();
      expect((await all).at(-1)).toBe('RATE_LIMITED');
      expect(passwords.hasher.state.hashes).toBe(11);
    });

    test('[D10] a waiting guess continues when a right password frees its place', async () => {
      const passwords = newReplica();
      passwords.hasher.hold();
      const first = Promise.all([RIGHT, ...wrongOnes(9)].map((each) => attempt(passwords, link, each)));
      await hashesAskedFor(passwords, 10);
      const behind = allOf(passwords, link, wrongOnes(50, 'behind'));
      passwords.hasher.release();
      expect(tally(await first)).toEqual({ ok: 1, SHARE_PASSWORD_REQUIRED: 9 });
      expect(await behind).toEqual({ SHARE_PASSWORD_REQUIRED: 1, RATE_LIMITED: 49 });
      expect(passwords.hasher.state.hashes).toBe(11);
    });

    test('[D10] a guess that waits too long is RATE_LIMITED', async () => {
      const passwords = newReplica({ waitMsMax: 40, askAgainMs: 5 });
      passwords.hasher.hold();
      const wrong = allOf(passwords, link, wrongOnes(10));
      await hashesAskedFor(passwords, 10);
      const late = allOf(passwords, link, [RIGHT, ...wrongOnes(100, 'behind')]);
      expect(await late).toEqual({ RATE_LIMITED: 101 });
      passwords.hasher.release();
      expect(await wrong).toEqual({ SHARE_PASSWORD_REQUIRED: 10 });
      expect(passwords.hasher.state.hashes).toBe(10);
    });

    test('[D10] a guess that cannot be checked because the service is busy does not count', async () => {
      const passwords = newReplica();
      passwords.hasher.state.isBusy = true;
      expect(await allOf(passwords, link, wrongOnes(30))).toEqual({ RATE_LIMITED: 30 });
      passwords.hasher.state.isBusy = false;
      expect(await eachOf(passwords, link, wrongOnes(11))).toEqual(oneRejected(10));
    });
  });

  describe('replicas', () => {
    test('[T17] two replicas compute ten hashes of wrong passwords in total', async () => {
      const [one, other] = [newReplica(), newReplica()];
      const outcomes = await Promise.all([
        allOf(one, link, wrongOnes(1000, 'one')),
        allOf(other, link, wrongOnes(1000, 'other')),
      ]);
      expect(one.hasher.state.hashes + other.hasher.state.hashes).toBe(10);
      const passed = outcomes.map(({ SHARE_PASSWORD_REQUIRED = 0 }) => SHARE_PASSWORD_REQUIRED);
      expect(passed).toEqual([one.hasher.state.hashes, other.hasher.state.hashes]);
    });

    test('[D10] a right password waits for guesses that another replica is checking', async () => {
      const [one, other] = [newReplica(), newReplica()];
      await eachOf(one, link, wrongOnes(9));
      one.hasher.hold();
      const there = attempt(one, link, RIGHT);
      await hashesAskedFor(one, 10);
      const here = attempt(other, link, RIGHT);
      await turns(20);
      expect(other.hasher.state.hashes).toBe(0);
      one.hasher.release();
      expect([await there, await here]).toEqual(['ok', 'ok']);
    });

    test('[T17] a remembered password is rejected once another replica has counted ten wrong ones', async () => {
      const [one, other] = [newReplica(), newReplica()];
      expect(await attempt(one, link, RIGHT)).toBe('ok');
      await eachOf(other, link, wrongOnes(10));
      expect(await attempt(one, link, RIGHT)).toBe('RATE_LIMITED');
      clock.advance(10 * MINUTE_MS);
      expect(await attempt(one, link, RIGHT)).toBe('ok');
    });
  });
}

describe('an unreachable store', () => {
  const gone = () => Promise.reject(new Error('out of reach'));

  test.each(['take', 'peek', 'giveBack', 'confirm'] as const)('[T17] fails closed: %s', async (failing) => {
    const counters = createMemoryCounters(clock);
    let isGone = false;
    const failingCounters: Counters = {
      ...counters,
      [failing]: (...args: never[]) =>
        isGone ? gone() : (counters[failing] as (...of: never[]) => Promise<unknown>)(...args),
    };
    const passwords = replica(failingCounters);
    const remembering = newLink();
    expect(await attempt(passwords, remembering, RIGHT)).toBe('ok');
    isGone = true;
    const link = newLink();
    const outcomes = {
      take: [['thrown: Error: out of reach', 'thrown: Error: out of reach', 'ok'], 1],
      peek: [['ok', 'SHARE_PASSWORD_REQUIRED', 'thrown: Error: out of reach'], 3],
      giveBack: [['thrown: Error: out of reach', 'SHARE_PASSWORD_REQUIRED', 'ok'], 3],
      confirm: [['ok', 'thrown: Error: out of reach', 'ok'], 3],
    } as const;
    expect([
      [
        await attempt(passwords, link, RIGHT),
        await attempt(passwords, link, 'wrong'),
        await attempt(passwords, remembering, RIGHT),
      ],
      passwords.hasher.state.hashes,
    ]).toEqual(outcomes[failing]);
  });

  test.skipIf(postgresUrl === undefined)(
    '[T17] while PostgreSQL is unreachable nobody passes, and nothing is hashed',
    async () => {
      const { database, close } = await openTestPostgres();
      const passwords = replica(createPostgresCounters(database, clock));
      const link = newLink();
      expect(await attempt(passwords, link, RIGHT)).toBe('ok');
      await close();
      const outcomes = await Promise.all(
        [RIGHT, 'wrong'].flatMap((given) => [
          attempt(passwords, link, given),
          attempt(passwords, newLink(), given),
        ]),
      );
      for (const outcome of outcomes) expect(outcome).toMatch(/^thrown: /);
      expect(passwords.hasher.state.hashes).toBe(1);
    },
  );
});

describe('an attempt', () => {
  test('[D10] without a password, or with an empty or too long one, is rejected before anything is hashed', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const link = newLink();
    for (let round = 0; round < 20; round += 1) {
      for (const given of [undefined, '', 'x'.repeat(1025), 'ü'.repeat(513)]) {
        expect(await attempt(passwords, link, given)).toBe('SHARE_PASSWORD_REQUIRED');
      }
    }
    expect(passwords.hasher.state.hashes).toBe(0);
    expect(await attempt(passwords, link, RIGHT)).toBe('ok');
  });

  test('[D10] with any other password counts, however short or long', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const link = newLink();
    const given = ['x', ' ', '\0', 'x'.repeat(1024), 'ü'.repeat(512), '\u{1f989}', '1', '2', '3', '4'];
    expect(await eachOf(passwords, link, [...given, '5'])).toEqual(oneRejected(10));
    expect(passwords.hasher.state.hashes).toBe(10);
  });

  test('[D10] at a link without a password passes, whatever is given, and is not counted', async () => {
    const passwords = replica({} as Counters);
    for (const given of [undefined, '', 'x', 'x'.repeat(2000)]) {
      expect(await attempt(passwords, newLink(null), given)).toBe('ok');
    }
    expect(passwords.hasher.state.hashes).toBe(0);
  });
});

describe('comparing passwords', () => {
  test('[D2] normalizes Unicode, so that every keyboard works, also for guesses in flight', async () => {
    const passwords = replica(createMemoryCounters(clock));
    expect(await allOf(passwords, newLink(), [RIGHT, RIGHT.normalize('NFD')])).toEqual({ ok: 2 });
    expect(passwords.hasher.state.hashes).toBe(1);
  });

  test('[D2] distinguishes everything else', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const link = newLink();
    const around = [`${RIGHT} `, ` ${RIGHT}`, `\ufeff${RIGHT}`, `${RIGHT}\0`];
    const others = [...around, RIGHT.toUpperCase(), RIGHT.slice(1)];
    expect(await eachOf(passwords, link, others)).toEqual({ SHARE_PASSWORD_REQUIRED: others.length });
  });

  test('[D2] keeps a byte order mark at the beginning', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const marked = newLink(await hasher.hash(passwordBytes('\ufeffportions')));
    expect(await attempt(passwords, marked, '\ufeffportions')).toBe('ok');
    expect(await attempt(passwords, marked, 'portions')).toBe('SHARE_PASSWORD_REQUIRED');
  });

  test('[D10] treats invalid UTF-8 as wrong, not as the password with replacement characters', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const replaced = newLink(await hasher.hash(passwordBytes('portions \ufffd')));
    const broken = Buffer.concat([utf8('portions '), Buffer.of(0xff)]);
    expect(await attempt(passwords, replaced, broken)).toBe('SHARE_PASSWORD_REQUIRED');
    expect(await attempt(passwords, newLink(), Buffer.from(RIGHT, 'latin1'))).toBe('SHARE_PASSWORD_REQUIRED');
    expect(passwords.hasher.state.hashes).toBe(2);
  });
});

describe('remembered passwords', () => {
  test('[D10] are right for five minutes from their check, which reading does not prolong', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const link = newLink();
    const hashesAfter = async (ms: number) => {
      clock.advance(ms);
      expect(await attempt(passwords, link, RIGHT)).toBe('ok');
      return passwords.hasher.state.hashes;
    };
    expect(await hashesAfter(0)).toBe(1);
    expect(await hashesAfter(3 * MINUTE_MS)).toBe(1);
    expect(await hashesAfter(2 * MINUTE_MS - 1)).toBe(1);
    expect(await hashesAfter(1)).toBe(2);
    expect(await hashesAfter(5 * MINUTE_MS - 1)).toBe(2);
  });

  test('[D10] are forgotten when a clock that was ahead is set back', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const link = newLink();
    clock.advance(86_400_000);
    await attempt(passwords, link, RIGHT);
    clock.advance(-86_400_000);
    expect(await attempt(passwords, link, RIGHT)).toBe('ok');
    expect(passwords.hasher.state.hashes).toBe(2);
  });

  test('[D10] never include a wrong one', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const link = newLink();
    await eachOf(passwords, link, ['wrong', 'wrong', 'wrong']);
    expect(passwords.hasher.state.hashes).toBe(3);
  });

  test('[D10] do not apply after a change, nor to another link with the same password', async () => {
    const passwords = replica(createMemoryCounters(clock));
    const link = newLink();
    await attempt(passwords, link, RIGHT);
    const changed = { ...link, passwordHash: await hasher.hash(passwordBytes('another password')) };
    expect(await attempt(passwords, changed, RIGHT)).toBe('SHARE_PASSWORD_REQUIRED');
    expect(await attempt(passwords, changed, 'another password')).toBe('ok');
    const again = { ...link, passwordHash: await hasher.hash(passwordBytes(RIGHT)) };
    expect(await attempt(passwords, again, RIGHT)).toBe('ok');
    expect(await attempt(passwords, { ...link, id: newLink().id }, RIGHT)).toBe('ok');
    expect(passwords.hasher.state.hashes).toBe(5);
  });
});

describe('attempts in any order', () => {
  /** Replaces argon2id where thousands of hashes are needed; `slowness` is the number of ticks that one hash takes. */
  const quick = (slowness: number) => {
    const state = { wrong: 0 };
    return {
      state,
      async verify(_: PasswordHash | null, secret: Uint8Array) {
        const right = Buffer.compare(secret, passwordBytes(RIGHT)) === 0;
        if (!right) state.wrong += 1;
        await turns(slowness);
        return right;
      },
    };
  };

  test('[T17] in any number and on any replica cost at most ten hashes of wrong passwords, and right ones pass below that limit', async () => {
    const guess = fc.record({
      at: fc.nat(1),
      given: fc.oneof(
        { weight: 1, arbitrary: fc.constant(RIGHT) },
        fc.integer({ max: 30, min: 0 }).map(String),
      ),
      later: fc.nat(6),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(guess, { maxLength: 40 }), fc.nat(5), async (guesses, slowness) => {
        const counters = createMemoryCounters(clock);
        const throttles = createThrottles({ counters, inProcess: createMemoryCounters(clock) });
        const hashers = [quick(slowness), quick(slowness + 1)] as const;
        const replicas = hashers.map((each) =>
          createSharePasswords(
            { clock, random: systemRandom, hasher: each, throttles },
            { ...patient, askAgainMs: 1 },
          ),
        );
        const link = newLink();
        const outcomes = await Promise.all(
          guesses.map(async ({ at, given, later }) => {
            await turns(later);
            return [given, await attempt(replicas[at] as SharePasswords, link, given)] as const;
          }),
        );
        const wrong = hashers[0].state.wrong + hashers[1].state.wrong;
        expect(wrong).toBeLessThanOrEqual(10);
        const of = (right: boolean) =>
          outcomes.filter(([given]) => (given === RIGHT) === right).map(([, outcome]) => outcome);
        expect(of(false)).not.toContain('ok');
        expect(of(true)).not.toContain('SHARE_PASSWORD_REQUIRED');
        const rejections = outcomes.filter(([, outcome]) => outcome === 'RATE_LIMITED').length;
        expect(wrong === 10 || rejections === 0).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
