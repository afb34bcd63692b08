import { outgoingBudgets } from '#platform/outgoing-budgets';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHeldBytes, type HeldAnswer, type HeldBytes, type HeldFor } from '#http/held-bytes';

/** A thousandth of a real MiB, since the test only compares sizes. */
const MIB = 1024;
const budgets = outgoingBudgets({ totalBytes: 100 * MIB, ownerBytes: 60 * MIB, linkBytes: 50 * MIB });

let now: number;
let held: HeldBytes;
let cut: string[];

beforeEach(() => {
  now = 1_000_000;
  cut = [];
  held = createHeldBytes({ ...budgets, networkBytes: 60 * MIB }, () => now);
});

interface Given extends Partial<HeldFor> {
  readonly name: string;
  readonly mib: number;
  readonly takenMib?: number;
  readonly shared?: ArrayBuffer;
}

function add({ name, mib, takenMib = 0, shared, ...heldFor }: Given): HeldAnswer {
  const answer: HeldAnswer = {
    buffer: shared ?? new ArrayBuffer(mib * MIB),
    heldFor: { owner: name, link: name, network: name, ...heldFor },
    beganAt: now,
    takenBytes: takenMib * MIB,
    cut: () => void cut.push(name),
  };
  held.add(answer);
  return answer;
}

test('by default a response of any allowed size fits, and no owner, share link or network can fill the total', () => {
  const { totalBytes, ownerBytes, linkBytes, networkBytes } = outgoingBudgets();
  for (const bytes of [ownerBytes, linkBytes, networkBytes]) {
    expect(bytes).toBeGreaterThanOrEqual(64 * 1024 * 1024);
    expect(totalBytes).toBeGreaterThan(bytes);
  }
});

describe('over the total limit', () => {
  test('[T28] the slowest response of the heaviest group is cut, and never the new one', () => {
    for (const [name, takenMib] of [
      ['slow', 1],
      ['slowest', 0],
      ['less slow', 2],
    ] as const)
      add({ name, mib: 15, takenMib, network: 'attacker' });
    add({ name: 'other', mib: 40 });
    now += 20_000;
    add({ name: 'newcomer', mib: 30 });
    expect(cut).toEqual(['slowest']);
    expect(held.total()).toBe(100 * MIB);
  });

  test('[T28] a large response that has just begun weighs less than small ones that are held for long', () => {
    for (let at = 0; at < 8; at += 1) add({ name: `attacker ${at}`, mib: 5 });
    now += 30_000;
    add({ name: 'quick', mib: 50 });
    now += 500;
    add({ name: 'newcomer', mib: 20 });
    expect(cut).toEqual(['attacker 0', 'attacker 1']);
  });

  test('[T28] in any order of events, the total limit is only exceeded by a new response that alone exceeds it', () => {
    for (let at = 0; at < 500; at += 1) {
      now += (at * 7919) % 3000;
      const mib = 1 + ((at * 104_729) % 70);
      add({ name: `reader ${at}`, mib, owner: `owner ${at % 5}`, network: `network ${at % 7}` });
      expect(held.total()).toBeLessThanOrEqual(100 * MIB);
    }
    add({ name: 'huge', mib: 300 });
    expect(held.total()).toBe(300 * MIB);
  });
});

describe('over the budget of a group', () => {
  test.each([
    ['owner', 'owner 1', 20],
    ['link', 'link 1', 17],
    ['network', 'network 1', 20],
  ] as const)('[T28] the slowest response of the same %s is cut, and no other', (kind, group, mib) => {
    add({ name: 'elsewhere', mib: 30 });
    for (const name of ['first', 'second', 'third']) {
      now += 1000;
      add({ name, mib, [kind]: group });
    }
    expect(cut).toEqual(kind === 'link' ? ['first'] : []);
    now += 1000;
    add({ name: 'fourth', mib, [kind]: group });
    expect(cut).toEqual(kind === 'link' ? ['first', 'second'] : ['first']);
  });
});

test('[T28] one network with many responses of a link does not displace a slower reader of the link', () => {
  const of = { link: 'link 1', owner: 'owner 1' };
  const reader = add({ name: 'slower reader', mib: 12, ...of });
  const others = Array.from({ length: 3 }, (_, at) =>
    add({ name: `attacker ${at}`, mib: 12, ...of, network: 'attacker' }),
  );
  now += 10_000;
  reader.takenBytes = 3 * MIB;
  for (const other of others) other.takenBytes = 9 * MIB;
  add({ name: 'one more', mib: 12, ...of, network: 'attacker' });
  expect(cut).toEqual(['attacker 0']);
});

describe('bytes shared by several responses', () => {
  test('[T28] are held once, and count for each reader in equal parts', () => {
    const shared = new ArrayBuffer(40 * MIB);
    for (let at = 0; at < 40; at += 1)
      add({ name: `reader ${at}`, mib: 40, shared, owner: 'owner', link: 'link' });
    expect(held.total()).toBe(40 * MIB);
    // Each reader's network weighs one MiB, and the owner of the responses weighs 40.
    add({ name: 'other', mib: 30 });
    expect(cut).toEqual([]);
    add({ name: 'newcomer', mib: 31 });
    expect(cut).toHaveLength(40);
    expect(cut).not.toContain('other');
  });

  test('[T28] are held until the last of the responses ends', () => {
    const shared = new ArrayBuffer(10 * MIB);
    const [one, two] = [add({ name: 'one', mib: 10, shared }), add({ name: 'two', mib: 10, shared })];
    held.remove(one);
    held.remove(one);
    expect(held.total()).toBe(10 * MIB);
    held.remove(two);
    expect(held.total()).toBe(0);
  });
});
