import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { onTestFinished, expect, test } from 'vitest';
import { faultKinds, findFaults } from './find-faults.ts';
import { plant } from './plant.ts';

const source = `
const larger = (one, other) => (one > other ? one : other);
const both = (one, other) => one && other;
function sum(numbers) {
  let total = 0;
  numbers.forEach((number) => { total += number; });
  return total;
}
const nameOf = (isKnown) => isKnown === true ? 'known' : 'unknown';
async function later(value) { const got = await Promise.resolve(value); return Math.pow(got, 2); }
result = [larger(2, 1), larger(1, 1), both(1, 0), sum([1, 2]), nameOf(true), typeof later(3)];
`;

/** The result of the source with one of its faults active; 0 for none. */
function resultWith(active: number): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'active'), String(active));
  const number = active === 0 ? 1 : active;
  const planted = plant(source, numbered.slice(number - 1, number), folder);
  const context = { process, console, result: null as unknown };
  try {
    runInNewContext(planted, context);
  } catch (error) {
    return String(error);
  }
  return JSON.stringify(context.result);
}

const faults = findFaults('source.ts', source);
const numbered = faults.map((fault, index) => ({ ...fault, number: index + 1 }));

test('every kind of fault is found', () => {
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
});

test('a planted source behaves as before while its fault is not active', () => {
  expect(resultWith(0)).toBe(JSON.stringify([2, 1, 0, 3, 'known', 'object']));
});

test('most faults change what the source does when they are active', () => {
  const changed = faults.map((_, index) => resultWith(index + 1)).filter((found) => found !== resultWith(0));
  // Some faults have no visible effect, such as >= for > between equal numbers.
  expect(changed.length).toBeGreaterThan(faults.length / 2);
});
