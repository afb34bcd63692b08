/** By the interface's table "Retry guidance": every code, once as it is and in the order that a service may answer. */
import { ConnectionError, UnexpectedAnswerError, type Failure } from '@svc/client';
import { errorCodes, type ErrorCode } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withRetries, type RetryRules } from './retry.ts';

type Step = 'ok' | ErrorCode | 'lost' | 'proxy';

/** What the interface says may be sent again without a person: nothing else may. */
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
  const run = (rules: Partial<RetryRules> = {}, random = 0.5) =>
    withRetries(
      call,
      { repeatable: true, signal: new AbortController().signal, ...rules },
      {
        wait: (ms) => {
          waits.push(ms);
          return Promise.resolve();
        },
        random: () => random,
      },
    );
  return { run, waits, calls: () => calls };
}

const finalCodes = errorCodes.filter((code) => !(code in again));

test.each(finalCodes)('%s is not sent again', async (code) => {
  const script = scripted([code, 'ok']);
  expect(await script.run()).toMatchObject({ ok: false, error: { code } });
  expect(script.calls()).toBe(1);
});

test('INTERNAL is sent again once, after a pause, also where the call may have arrived', async () => {
  const once = scripted(['INTERNAL', 'ok']);
  expect(await once.run({ repeatable: false })).toEqual({ ok: true });
  expect(once.waits).toHaveLength(1);
  const twice = scripted(['INTERNAL', 'INTERNAL', 'ok']);
  expect(await twice.run()).toMatchObject({ error: { code: 'INTERNAL' } });
  expect(twice.calls()).toBe(2);
});

test('RATE_LIMITED is sent again after the time that the service asks for, and no sooner', async () => {
  const script = scripted(['RATE_LIMITED', 'RATE_LIMITED', 'ok'], 3000);
  expect(await script.run()).toEqual({ ok: true });
  expect(script.waits.every((ms) => ms > 3000)).toBe(true);
});

test('RATE_LIMITED for longer than anybody would sit and wait is given back at once', async () => {
  const script = scripted(['RATE_LIMITED', 'ok'], 600_000);
  expect(await script.run()).toMatchObject({ ok: false, retryAfterMs: 600_000 });
  expect(script.waits).toEqual([]);
});

test.each(['lost', 'proxy'] as const)(
  'a %s answer is asked for again only where that does no harm',
  async (step) => {
    const harmless = scripted([step, step, 'ok']);
    expect(await harmless.run({ repeatable: true })).toEqual({ ok: true });
    expect(harmless.waits).toEqual([375, 750]);
    const harmful = scripted([step, 'ok']);
    await expect(harmful.run({ repeatable: false })).rejects.toThrow(/lost|a page/);
    expect(harmful.calls()).toBe(1);
  },
);

test('an abort in a pause ends it, and no call follows', async () => {
  const controller = new AbortController();
  const script = scripted(['lost', 'ok']);
  const waiting = script.run({
    signal: controller.signal,
    onWait: () => controller.abort(new Error('stop')),
  });
  await expect(waiting).rejects.toThrow('stop');
  expect(script.calls()).toBe(1);
});

describe('whatever a service answers', () => {
  const anything = fc.array(fc.constantFrom<Step>('ok', 'lost', 'proxy', ...errorCodes), { minLength: 1 });

  test('the calls come to an end, soon, and no pause is longer than two minutes', async () => {
    await fc.assert(
      fc.asyncProperty(
        anything,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 1_000_000 })),
        async (steps, random, retryAfterMs) => {
          const script = scripted(steps, retryAfterMs);
          await script.run({}, random).catch(() => undefined);
          expect(script.calls()).toBeLessThanOrEqual(12);
          expect(Math.max(0, ...script.waits)).toBeLessThanOrEqual(120_000);
        },
      ),
    );
  });
});
