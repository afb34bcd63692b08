import { createFakeClock } from '@svc/testkit/clock';
import { describe, expect, test } from 'vitest';
import type { Budget, Counters } from './counters/counters.ts';
import { throttleTable } from './throttle-budgets.ts';
import { createThrottles } from './throttles.ts';
import { UnavailableError } from './unavailable.ts';

const clock = createFakeClock();

/** Counters that are full for some keys, and record the keys they were asked for. */
function recording(full: (key: string) => boolean) {
  const asked: { key: string; budget: Budget }[] = [];
  const givenBack: string[] = [];
  const confirmed: string[] = [];
  const slid: { key: string; weight: number; budget: Budget }[] = [];
  const counters: Counters = {
    async take(key, budget) {
      asked.push({ key, budget });
      if (full(key)) return { ok: false, retryAfterMs: 5000, undecided: false };
      return { ok: true, take: { key, windowEndsAt: clock.now() } };
    },
    async peek(key) {
      asked.push({ key, budget: { limit: 0, windowMs: 0 } });
      return full(key) ? { ok: false, retryAfterMs: 5000, undecided: false } : { ok: true };
    },
    async confirm({ key }) {
      confirmed.push(key);
    },
    async giveBack({ key }) {
      givenBack.push(key);
    },
    async takeSliding(key, weight, budget) {
      slid.push({ key, weight, budget });
      return full(key) ? { ok: false, retryAfterMs: 7000 } : { ok: true };
    },
    async check() {},
    async sweep() {},
  };
  return { counters, asked, givenBack, confirmed, slid };
}

function recordingThrottles(full: (key: string) => boolean) {
  const store = recording(full);
  const inProcess = recording(() => false);
  const { counters } = store;
  return { ...store, inProcess, throttles: createThrottles({ counters, inProcess: inProcess.counters }) };
}

describe('throttles', () => {
  test('[D7] a weighted charge names its subject only by a hash, and is rejected with the time to wait', async () => {
    const budget = { limit: 600, windowMs: 60_000 };
    const { throttles, slid } = recordingThrottles(() => false);
    await throttles.chargeSliding('progress', 'dev_1 rep_1', 25);
    expect(slid).toMatchObject([{ key: expect.stringMatching(/^progress:[\w-]{22}$/), weight: 25, budget }]);
    const rejecting = recordingThrottles(() => true).throttles;
    await expect(rejecting.chargeSliding('progress', 'dev_1 rep_1', 25)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 7000,
    });
  });

  const charges = [
    ['loginNetwork', '192.0.2.1'],
    ['loginAccount', 'a@b.test'],
  ] as const;

  test('[D3] a guess is charged with the published limits before it is checked', async () => {
    const { throttles, asked } = recordingThrottles(() => false);
    await throttles.guess(charges, async () => {
      expect(asked.map(({ budget }) => budget)).toMatchObject([
        { limit: 50, windowMs: 900_000 },
        { limit: 10, windowMs: 900_000 },
      ]);
      return null;
    });
  });

  test('[D3] a wrong guess stays charged, and a right one is refunded', async () => {
    const { throttles, asked, givenBack } = recordingThrottles(() => false);
    expect(await throttles.guess(charges, async () => null)).toBeNull();
    expect(givenBack).toEqual([]);
    expect(await throttles.guess(charges, async () => 'right')).toBe('right');
    expect(givenBack).toEqual(asked.slice(2).map(({ key }) => key));
  });

  test('a guess that could not be checked is refunded', async () => {
    const { throttles, asked, givenBack } = recordingThrottles(() => false);
    const guess = throttles.guess(charges, async () => {
      throw new Error('busy');
    });
    await expect(guess).rejects.toThrow('busy');
    expect(givenBack).toEqual(asked.map(({ key }) => key));
  });

  test('[T17] a guess that is rejected is not checked', async () => {
    const { throttles } = recordingThrottles(() => true);
    let checked = false;
    const guess = throttles.guess(charges, async () => {
      checked = true;
      return null;
    });
    await expect(guess).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(checked).toBe(false);
  });

  test('[D3] a charge beyond its limit is rejected, and those before it in the same call are refunded', async () => {
    const { throttles, asked, givenBack } = recordingThrottles((key) => key.startsWith('loginAccount'));
    const charging = throttles.charge(['loginNetwork', '192.0.2.1'], ['loginAccount', 'a@b.test']);
    await expect(charging).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 5000 });
    expect(givenBack).toEqual([asked[0]?.key]);
  });

  test('[D10] guesses of one secret are counted under a hash of its subject, whatever their outcome', async () => {
    const { throttles, asked, givenBack, confirmed } = recordingThrottles(() => false);
    const guesses = throttles.guesses('sharePassword');
    const taken = [await guesses.take('shr_1'), await guesses.take('shr_1')].flatMap((result) =>
      result.ok ? [result.take] : [],
    );
    await guesses.peek('shr_1');
    for (const [index, take] of taken.entries())
      await (index === 0 ? guesses.confirm(take) : guesses.giveBack(take));
    const key = expect.stringMatching(/^sharePassword:[\w-]{22}$/);
    expect(asked.map((each) => each.key)).toEqual([key, key, key]);
    expect(new Set(asked.map((each) => each.key)).size).toBe(1);
    expect([confirmed, givenBack]).toEqual([[key], [key]]);
  });

  const outOfReach = () => {
    throw new UnavailableError('out of reach');
  };
  const names = Object.keys(throttleTable) as (keyof typeof throttleTable)[];
  const guards = names.filter((name) => throttleTable[name].guardsSecret);

  test('[D15] the throttles that guard a secret are these', () => {
    expect(guards).toEqual([
      'loginAccount',
      'loginNetwork',
      'confirmAccount',
      'recoverAccount',
      'recoverNetwork',
      'signupNetwork',
      'sharePassword',
    ]);
  });

  test.each(guards)('[T4] while the store is gone, %s denies access and counts nowhere', async (name) => {
    const { throttles, inProcess } = recordingThrottles(outOfReach);
    await expect(throttles.charge([name, 'a'])).rejects.toThrow('out of reach');
    await expect(throttles.chargeSliding(name, 'a', 1)).rejects.toThrow('out of reach');
    expect([inProcess.asked, inProcess.slid]).toEqual([[], []]);
  });

  test('[T4] while the store fails, access is denied', async () => {
    const { throttles } = recordingThrottles(outOfReach);
    const unreachable = () => Promise.reject(new Error('checked'));
    await expect(throttles.guess(charges, unreachable)).rejects.toThrow('out of reach');
    await expect(throttles.guesses('sharePassword').take('shr_1')).rejects.toThrow('out of reach');
    await expect(throttles.guesses('sharePassword').peek('shr_1')).rejects.toThrow('out of reach');
  });

  const others = names.filter((name) => !throttleTable[name].guardsSecret);

  test.each(others)('[D15] while the store is gone, %s counts in the process', async (name) => {
    const { throttles, inProcess } = recordingThrottles(outOfReach);
    await throttles.charge([name, 'a']);
    await throttles.chargeSliding(name, 'a', 7);
    const { limit, windowMs } = throttleTable[name];
    expect(inProcess.asked).toMatchObject([{ budget: { limit, windowMs } }]);
    expect(inProcess.slid).toMatchObject([{ weight: 7, budget: { limit, windowMs } }]);
  });

  test('[D24] an account creates and deletes 600 records in an hour', () => {
    expect(throttleTable.recordsAccount).toMatchObject({ limit: 600, windowMs: 3_600_000 });
  });

  const records = ['recordsAccount', 'usr_1'] as const;

  test('[D24] a call that is charged if due is charged before it, and refunded unless it was due', async () => {
    const { throttles, asked, givenBack } = recordingThrottles(() => false);
    const changed = throttles.chargeIfDue(records, async (due) => {
      expect(asked).toHaveLength(1);
      due();
      return 'changed';
    });
    expect([await changed, givenBack]).toEqual(['changed', []]);
    expect(await throttles.chargeIfDue(records, async () => 'unchanged')).toBe('unchanged');
    expect(givenBack).toHaveLength(1);
    const failing = throttles.chargeIfDue(records, async (due) => {
      due();
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(givenBack).toHaveLength(2);
  });

  test('[D24] beyond the limit, a call fails once it is due, and succeeds if it never is', async () => {
    const { throttles, givenBack } = recordingThrottles(() => true);
    const changing = throttles.chargeIfDue(records, async (due) => due());
    await expect(changing).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 5000 });
    expect(await throttles.chargeIfDue(records, async () => 'unchanged')).toBe('unchanged');
    expect(givenBack).toEqual([]);
  });

  test('[T22] no key contains a network address or an email address', async () => {
    const { throttles, asked } = recordingThrottles(() => false);
    await throttles.charge(['loginNetwork', '192.0.2.1'], ['loginAccount', 'someone@example.test']);
    await throttles.charge(['deviceLinkPoll', 'an-id 192.0.2.1']);
    for (const { key } of asked) {
      expect(key).toMatch(/^[A-Za-z]+:[A-Za-z0-9_-]{22}$/);
      expect(key).not.toMatch(/192|someone|example/);
    }
  });
});
