import { describe, expect, test } from 'vitest';
import { createInFlight, type RenderingSubjects } from './rendering-budgets.ts';

const budgets = { ownerMs: 10_000, linkMs: 5000, networkMs: 20_000 };
const subjects: RenderingSubjects = { ownerId: 'usr_1', shareId: 'shr_1', network: '192.0.2.1' };

function rejectionOf(work: () => unknown): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error;
  }
}

describe('[T28] rendering in flight', () => {
  test.each([
    ['owner', { shareId: 'shr_2', network: '192.0.2.2' }, 8000],
    ['link', { ownerId: 'usr_2', network: '192.0.2.2' }, 4000],
    ['network', { ownerId: 'usr_2', shareId: 'shr_2' }, 16_000],
  ] as const)('of one %s has its own budget', (_, others, budgetMs) => {
    const generous = { ownerMs: 1e6, linkMs: 1e6, networkMs: 1e6 };
    const { enter } = createInFlight({ ...generous, [`${_}Ms`]: budgets[`${_}Ms`] });
    enter({ ...subjects, ...others }, budgetMs - 1000);
    const leave = enter(subjects, 1000);
    expect(rejectionOf(() => enter({ ...subjects, ...others }, 1000))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterMs: 1000,
    });
    expect(rejectionOf(() => enter({ ownerId: 'usr_3', shareId: 'shr_3', network: '::' }, 9000))).toBe(null);
    leave();
    leave();
    expect(rejectionOf(() => enter(subjects, 1000))).toBe(null);
    expect(rejectionOf(() => enter(subjects, 1000))).not.toBe(null);
  });

  test('that is rejected counts against no budget', () => {
    const { enter } = createInFlight(budgets);
    enter({ ...subjects, ownerId: 'usr_2' }, 4000);
    for (let count = 0; count < 10; count += 1)
      expect(rejectionOf(() => enter(subjects, 4000))).not.toBe(null);
    expect(rejectionOf(() => enter({ ...subjects, shareId: 'shr_2' }, 8000))).toBe(null);
  });

  test('is admitted beyond the budget when it is alone, so that any report can be exported', () => {
    const { enter } = createInFlight(budgets);
    expect(rejectionOf(() => enter(subjects, 100_000))).toBe(null);
    expect(rejectionOf(() => enter(subjects, 1))).not.toBe(null);
  });

  test('through share links leaves the owner’s budget untouched', () => {
    const { enter } = createInFlight(budgets);
    const through = (index: number) => ({
      ...subjects,
      shareId: `shr_${index}`,
      network: `192.0.2.${index}`,
    });
    enter(through(1), 4000);
    enter(through(2), 4000);
    expect(rejectionOf(() => enter(through(3), 4000))).not.toBe(null);
    const own = { ...subjects, shareId: null, network: '198.51.100.1' };
    expect(rejectionOf(() => enter(own, 4000))).toBe(null);
    expect(rejectionOf(() => enter(own, 8000))).not.toBe(null);
  });

  test('that is cheap is admitted when costly renderings have used their part', () => {
    const { enter } = createInFlight(budgets);
    const inOneNetwork = (index: number) => ({
      ownerId: `usr_${index}`,
      shareId: null,
      network: '192.0.2.1',
    });
    for (let index = 0; index < 10; index += 1) rejectionOf(() => enter(inOneNetwork(index), 7000));
    expect(rejectionOf(() => enter(inOneNetwork(20), 7000))).not.toBe(null);
    expect(rejectionOf(() => enter(inOneNetwork(20), 120))).toBe(null);
  });
});
