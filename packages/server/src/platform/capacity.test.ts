import { describe, expect, test } from 'vitest';
import { createCapacity, type CapacityBounds } from './capacity.ts';

/** A capacity whose tasks end when the test says so. `endAll` ends them in the order in which they began. */
function open(bounds: Partial<CapacityBounds> = {}) {
  const capacity = createCapacity(
    { unitsMax: 1, waitingMax: 100, waitingOfOneMax: 100, ...bounds },
    () => new Error('full'),
  );
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (owner: string, cost = 1, units = 1): Promise<string> =>
    capacity
      .run({ owner, cost, units }, () => {
        begun.push(owner);
        return new Promise<void>((resolve) => void ends.push(resolve));
      })
      .then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
  async function endAll(): Promise<void> {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
  return { add, begun, ends, endAll };
}

describe('[T28] a capacity', () => {
  test('admits a newcomer next, however much work others have waiting', async () => {
    const { add, begun, endAll } = open();
    for (let count = 0; count < 20; count += 1) void add('greedy', 7000);
    void add('newcomer', 100);
    await endAll();
    expect(begun.slice(0, 3)).toEqual(['greedy', 'newcomer', 'greedy']);
    expect(begun).toHaveLength(21);
  });

  test('counts cost: ten short pieces are admitted before the second long one', async () => {
    const { add, begun, endAll } = open();
    for (let count = 0; count < 3; count += 1) void add('long', 1000);
    for (let count = 0; count < 10; count += 1) void add('short', 100);
    await endAll();
    expect(begun.slice(0, 11)).toEqual(['long', ...Array.from({ length: 10 }, () => 'short')]);
  });

  test('gives an owner no credit for the time without work', async () => {
    const { add, begun, endAll } = open();
    for (let count = 0; count < 4; count += 1) void add('one');
    await endAll();
    for (const whose of ['one', 'one', 'one', 'other', 'other', 'other']) void add(whose);
    await endAll();
    expect(begun.slice(4)).toEqual(['one', 'other', 'one', 'other', 'one', 'other']);
  });

  test('with too much waiting rejects the last piece of the owner who has the most, not a newcomer', async () => {
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

  test('admits pieces by the units that they need, and none ahead of a large one that waits', async () => {
    const { add, begun, ends, endAll } = open({ unitsMax: 10 });
    for (const [owner, units] of [
      ['a', 6],
      ['b', 4],
      ['c', 8],
      ['d', 1],
    ] as const)
      void add(owner, 1, units);
    expect(begun).toEqual(['a', 'b']);
    ends.pop()?.();
    await new Promise((resolve) => void setImmediate(resolve));
    expect(begun).toEqual(['a', 'b']);
    await endAll();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
  });

  test('admits at most a fixed number of pieces of one owner at a time, and lets other owners pass', async () => {
    const { add, begun, endAll } = open({ unitsMax: 10, admittedOfOneMax: 2 });
    for (const owner of ['a', 'a', 'a', 'b']) void add(owner);
    expect(begun).toEqual(['a', 'a', 'b']);
    await endAll();
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
  });

  test('rejects a piece that waited for too long, and admits those behind it', async () => {
    const { add, begun, endAll } = open({ unitsMax: 10, waitMsMax: 20 });
    void add('a', 1, 6);
    const large = add('b', 1, 8);
    const small = add('c', 1, 1);
    expect(await large).toBe('full');
    await new Promise((resolve) => void setImmediate(resolve));
    expect(begun).toEqual(['a', 'c']);
    await endAll();
    expect(await small).toBe('done');
  });

  test('frees the units of failed work, and frees the units of a piece only once if it leaves twice', async () => {
    const capacity = createCapacity(
      { unitsMax: 1, waitingMax: 9, waitingOfOneMax: 9 },
      () => new Error('full'),
    );
    const failing = capacity.run({ owner: 'a', cost: 1 }, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    const leave = await capacity.enter({ owner: 'a', cost: 1 });
    const entered: string[] = [];
    const next = ['b', 'c'].map((owner) =>
      capacity.enter({ owner, cost: 1 }).then(() => entered.push(owner)),
    );
    leave();
    leave();
    await next[0];
    await new Promise((resolve) => void setImmediate(resolve));
    expect(entered).toEqual(['b']);
  });
});
