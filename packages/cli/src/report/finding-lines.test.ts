import { expect, test } from 'vitest';
import { createColours } from '../terminal/colours.ts';
import { findingLines, type ShownFinding } from './finding-lines.ts';

const plain = createColours(false);

function finding(changes: Partial<ShownFinding> = {}): ShownFinding {
  return {
    id: 'F-1234',
    severity: 'medium',
    title: 'A formatted string is taken as input of a call that runs programs of the system',
    affected: {
      component: 'shop',
      file: 'src/main/java/org/example/shop/checkout/Basket02660.java',
      lineStart: 59,
    },
    ...changes,
  };
}

test.each([60, 80, 120])('a line fits a terminal of %i columns, and keeps the end of the path', (columns) => {
  for (const line of findingLines([finding(), finding({ id: 'F-1' })], plain, columns)) {
    // Commands indent lists by two.
    expect(line.length).toBeLessThanOrEqual(columns - 2);
    expect(line).toMatch(/02660\.java:59$/);
  }
});

test('outside of a terminal, a title and a location of ordinary length are not cut', () => {
  const affected = { component: 'shop', file: 'src/main/java/org/example/shop/Basket.java', lineStart: 59 };
  const [line] = findingLines([finding({ title: 'Runs programs', affected })], plain);
  expect(line).toBe(`F-1234  medium    open  Runs programs  ${affected.file}:59`);
});
