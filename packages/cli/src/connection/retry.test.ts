/** The contract's retry guidance: every code alone, and in any sequence that a service may return. */
import { ConnectionError, UnexpectedAnswerError, type Failure } from '@svc/client';
import { errorCodes, type ErrorCode } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RETRIES_MAX, RETRY_TIME_MS_MAX, RetryBudget, noRetries } from './retry-budget.ts';
import { withRetries, type RetryRules } from './retry.ts';

type Step = 'ok' | ErrorCode | 'lost' | 'proxy';

/** The only codes that may be retried without a person. */
const again = { RATE_LIMITED: 'always', INTERNAL: 'once' } as const;

function scripted(steps: readonly Step[], retryAfterMs: number | null = null) {
  const waits: number[] = [];
  let calls = 0;
  const call = (): Promise<{ ok: true } | Failure<string>> => {
    const step = steps[Math.min(calls, steps.length - 1)] ?? 'ok';
    calls += 1;
    if (step === 'ok') return Promise.resolve({ ok: true });
    if (step === 'lost') return Promise.reject(new ConnectionError('lost'));
    if (step === 'proxy') return Promise.reject(new UnexpectedAnswerError('a page', 502));
    const error = { code: step, message: '', requestId: '' };
    return Promise.resolve({ ok: false, status: 400, error, retryAfterMs });
  };
  const run = (
    {
      onWait,
      budget,
      ...rules
    }: Partial<RetryRules> & { readonly onWait?: () => void; readonly budget?: RetryBudget } = {},
    random = 0.5,
  ) =>
    withRetries(
      call,
      { repeatable: true, signal: new AbortController().signal, ...rules },
      { budget: budget ?? budgetNoting(waits, { random: () => random, onWait }), now: () => 0 },
    );
  return { run, waits, calls: () => calls };
}

function budgetNoting(
  waits: number[],
  {
    random = () => 0.5,
    onWait,
  }: { readonly random?: () => number; readonly onWait?: (() => void) | undefined } = {},
): RetryBudget {
  const wait = (ms: number) => {
    onWait?.();
    waits.push(ms);
    return Promise.resolve();
  };
  return new RetryBudget({ wait }, { random });
}

const finalCodes = errorCodes.filter((code) => !(code in again));

test.each(finalCodes)('%s is not retried', async (code) => {
  const script = scripted([code, 'ok']);
  expect(await script.run()).toMatchObject({ ok: false, error: { code } });
  expect(script.calls()).toBe(1);
});

test('INTERNAL is retried once, after a pause, even if repeating the call is not harmless', async () => {
  const once = scripted(['INTERNAL', 'ok']);
  expect(await once.run({ repeatable: false })).toEqual({ ok: true });
  expect(once.waits).toHaveLength(1);
  const twice = scripted(['INTERNAL', 'INTERNAL', 'ok']);
  expect(await twice.run()).toMatchObject({ error: { code: 'INTERNAL' } });
  expect(twice.calls()).toBe(2);
});

test('RATE_LIMITED is retried after the time that the service asks for, and no sooner', async () => {
  const script = scripted(['RATE_LIMITED', 'RATE_LIMITED', 'ok'], 3000);
  expect(await script.run()).toEqual({ ok: true });
  expect(script.waits.every((ms) => ms > 3000)).toBe(true);
});

test('RATE_LIMITED for longer than anyone would wait is returned immediately', async () => {
  const script = scripted(['RATE_LIMITED', 'ok'], 600_000);
  expect(await script.run()).toMatchObject({ ok: false, retryAfterMs: 600_000 });
  expect(script.waits).toEqual([]);
});

test.each(['lost', 'proxy'] as const)(
  'a %s response is retried only when repeating the call is harmless',
  async (step) => {
    const harmless = scripted([step, step, 'ok']);
    expect(await harmless.run({ repeatable: true })).toEqual({ ok: true });
    expect(harmless.waits).toEqual([375, 750]);
    const harmful = scripted([step, 'ok']);
    await expect(harmful.run({ repeatable: false })).rejects.toThrow(/lost|a page/);
    expect(harmful.calls()).toBe(1);
  },
);

test('an abort during a pause ends it, and no call follows', async () => {
  const controller = new AbortController();
  const script = scripted(['lost', 'ok']);
  const waiting = script.run({
    signal: controller.signal,
    onWait: () => controller.abort(new Error('stop')),
  });
  await expect(waiting).rejects.toThrow('stop');
  expect(script.calls()).toBe(1);
});

describe('any sequence of responses', () => {
  const anything = fc.array(fc.constantFrom<Step>('ok', 'lost', 'proxy', ...errorCodes), { minLength: 1 });

  test('ends after at most ten calls, and no pause is longer than two minutes', async () => {
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 1_000_000 })),
        async (steps, random, retryAfterMs) => {
          const script = scripted(steps, retryAfterMs);
          await script.run({}, random).catch(() => undefined);
          expect(script.calls()).toBeLessThanOrEqual(10);
          expect(Math.max(0, ...script.waits)).toBeLessThanOrEqual(120_000);
        },
      ),
    );
  });
});

describe('the retry budget of a command', () => {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

  test('is shared by all calls, which are retried RETRIES_MAX times in total', async () => {
    const waits: number[] = [];
    const budget = budgetNoting(waits);
    const scripts = Array.from({ length: 10 }, () => scripted(['lost']));
    for (const script of scripts) await script.run({ budget }).catch(() => undefined);
    expect(waits).toHaveLength(RETRIES_MAX);
    expect(sum(scripts.map(({ calls }) => calls()))).toBe(scripts.length + RETRIES_MAX);
  });

  test('allows pauses of three minutes in total, whatever the service asks for', async () => {
    const waits: number[] = [];
    const budget = budgetNoting(waits);
    for (let call = 0; call < 5; call += 1) await scripted(['RATE_LIMITED'], 80_000).run({ budget });
    expect(waits).toHaveLength(2);
    expect(sum(waits)).toBeLessThanOrEqual(RETRY_TIME_MS_MAX);
  });

  test('is charged for failed attempts, and allows no retry after three minutes of them', async () => {
    const budget = budgetNoting([]);
    let nowMs = 0;
    const call = () => {
      nowMs += 100_000;
      return Promise.reject(new ConnectionError('lost'));
    };
    const { signal } = new AbortController();
    await expect(
      withRetries(call, { repeatable: true, signal }, { budget, now: () => nowMs }),
    ).rejects.toThrow('lost');
    expect(nowMs).toBe(200_000);
  });

  test('allows no retry in a loop with its own deadline', async () => {
    const script = scripted(['lost', 'ok']);
    const budget = noRetries({ wait: () => Promise.reject(new Error('waited')) });
    await expect(script.run({ budget })).rejects.toThrow('lost');
    expect(script.calls()).toBe(1);
  });

  test('ends a pause as interrupted when the signal is aborted', async () => {
    const wait = (_ms: number, signal: AbortSignal) => Promise.reject(signal.reason as Error);
    const pausing = new RetryBudget({ wait }).pause({ attempt: 1, signal: AbortSignal.abort() });
    await expect(pausing).rejects.toMatchObject({ reason: 'interrupted' });
  });
});
