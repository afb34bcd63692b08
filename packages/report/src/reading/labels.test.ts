import { expect, test } from 'vitest';
import { duration, labelOf } from './labels.ts';

test.each([
  ['strong_evidence', 'Strong evidence'],
  ['sql_injection', 'SQL injection'],
  ['missing_csrf_token', 'Missing CSRF token'],
  ['sqlite', 'Sqlite'],
  ['', ''],
])('the enum value %j is shown as %j', (word, label) => expect(labelOf(word)).toBe(label));

test.each([
  [1, 'less than 1 s'],
  [499, 'less than 1 s'],
  [500, '1 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [3_600_000, '1 h'],
  [3_660_000, '1 h 1 min'],
  [0, undefined],
  [-1, undefined],
])('%i ms are shown as %j', (ms, words) => {
  const from = '2026-03-04T05:06:07.000Z';
  expect(duration(from, new Date(Date.parse(from) + ms).toISOString())).toBe(words);
});

test('a time that is missing gives no duration', () => {
  expect(duration('', '2026-03-04T05:06:07Z')).toBeUndefined();
});
