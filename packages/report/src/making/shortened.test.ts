import { redactText } from '../secrets/redact.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MeasuredText, shortened, shortenedSize } from './shortened.ts';

test('a text is cut to a number of whole characters, and ends with a mark', () => {
  expect(shortened('a'.repeat(100), 100)).toBe('a'.repeat(100));
  expect(shortened('a'.repeat(101), 100)).toBe(`${'a'.repeat(87)}… [shortened]`);
  expect(shortened('😀'.repeat(100), 100)).toBe('😀'.repeat(100));
  expect(shortened('😀'.repeat(101), 100)).toBe(`${'😀'.repeat(87)}… [shortened]`);
  expect(shortened('\n'.repeat(101), 100)).toHaveLength(100);
});

test('a text that was cut before has only one mark', () => {
  const once = shortened('word '.repeat(200), 500);
  const twice = shortened(once, 100);
  expect(twice).toHaveLength(100);
  expect(twice.split('[shortened]')).toHaveLength(2);
});

test('characters that look like a secret only after the cut are removed', () => {
  const key = ['AKIA', 'QPZRY7XGFTVDWSJN'].join('');
  const text = `${'x'.repeat(66)} ${key}${'QPZRY7'.repeat(40)}`;
  expect(redactText(text).count).toBe(0);
  const cut = shortened(text, 100);
  expect(cut).not.toContain(key);
  expect(redactText(cut).count).toBe(0);
  expect(cut.endsWith('… [shortened]')).toBe(true);
});

test('the measured size of a text equals the size of the shortened text', () => {
  const unit = fc.constantFrom('a', ' ', '"', '\\', '\n', '\u007f', 'é', '😀');
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit, maxLength: 300 }), fc.constant('plain '.repeat(40))),
      fc.integer({ min: 100, max: 310 }),
      (text, lengthMax) => {
        expect(new MeasuredText(text).sizeWithin(lengthMax)).toBe(shortenedSize(text, lengthMax));
      },
    ),
  );
});
