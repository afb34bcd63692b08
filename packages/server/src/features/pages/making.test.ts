import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#app-error';
import { describe, expect, test } from 'vitest';
import { createMaking } from './making.ts';

const small = Buffer.from('{"name":"shop"}');
const large = Buffer.from(JSON.stringify({ name: 'shop', text: 'x'.repeat(100 * 1024) }));
const nameOf = (said: unknown) => (said as { readonly name: string }).name;

describe('making pages', () => {
  test('[T23] others get their turn between two pages', async () => {
    const made: number[] = [];
    const make = createMaking();
    const pages = Array.from({ length: 20 }, () => make(large, (said) => made.push(nameOf(said).length)));
    await nextTurn();
    expect(made.length).toBeLessThan(5);
    expect(await Promise.all(pages)).toHaveLength(20);
  });

  test('[T23] of large reports so many wait, and small ones are still made', async () => {
    const make = createMaking();
    const pages = Array.from({ length: 40 }, () =>
      make(large, nameOf).catch((error: unknown) => (error instanceof AppError ? error.code : 'unexpected')),
    );
    expect(await make(small, nameOf)).toBe('shop');
    const outcomes = await Promise.all(pages);
    expect(outcomes.filter((outcome) => outcome === 'RATE_LIMITED')).toHaveLength(8);
    expect(await make(large, nameOf)).toBe('shop');
  });

  test('a page that can not be made holds up no other', async () => {
    const make = createMaking();
    const failing = make(small, () => {
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await make(small, nameOf)).toBe('shop');
  });
});
