import { describe, expect, test } from 'vitest';
import { createFairQueue, type FairQueueBounds } from './fair-queue.ts';

/** A queue whose pieces of work end when the test says so, in the order in which they began. */
function open(bounds: Partial<FairQueueBounds> = {}) {
  const queue = createFairQueue(
    { underWayMax: 1, waitingMax: 100, waitingOfOneMax: 100, ...bounds },
    () => new Error('full'),
  );
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (whose: string, cost = 1): Promise<string> =>
    queue(whose, cost, () => {
      begun.push(whose);
      return new Promise<void>((resolve) => void ends.push(resolve));
    }).then(
      () => 'done',
      (error: unknown) => (error as Error).message,
    );
  async function endAll(): Promise<void> {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
  return { add, begun, endAll };
}

describe('[T28] a queue', () => {
  test('gives a newcomer the next place, whatever others have waiting', async () => {
    const { add, begun, endAll } = open();
    for (let count = 0; count < 20; count += 1) void add('greedy', 7000);
    void add('newcomer', 100);
    await endAll();
    expect(begun.slice(0, 3)).toEqual(['greedy', 'newcomer', 'greedy']);
    expect(begun).toHaveLength(21);
  });

  test('counts cost: ten short pieces go before the second long one', async () => {
    const { add, begun, endAll } = open();
    for (let count = 0; count < 3; count += 1) void add('long', 1000);
    for (let count = 0; count < 10; count += 1) void add('short', 100);
    await endAll();
    expect(begun.slice(0, 11)).toEqual(['long', ...Array.from({ length: 10 }, () => 'short')]);
  });

  test('gives nobody credit for the time in which they had no work', async () => {
    const { add, begun, endAll } = open();
    for (let count = 0; count < 4; count += 1) void add('one');
    await endAll();
    for (const whose of ['one', 'one', 'one', 'other', 'other', 'other']) void add(whose);
    await endAll();
    expect(begun.slice(4)).toEqual(['one', 'other', 'one', 'other', 'one', 'other']);
  });

  test('that is full rejects the last piece of the one who has the most waiting, and not a newcomer', async () => {
    const { add, begun, endAll } = open({ waitingMax: 3 });
    const greedy = Array.from({ length: 4 }, () => add('greedy'));
    const others = [add('newcomer'), add('other')];
    const late = add('greedy');
    await endAll();
    expect(await Promise.all(greedy)).toEqual(['done', 'done', 'full', 'full']);
    expect(await Promise.all(others)).toEqual(['done', 'done']);
    expect(await late).toBe('full');
    expect(begun).toHaveLength(4);
  });
});
