import { expect, test } from 'vitest';
import { SeenResults } from './repeated.ts';

test('a result is repeated if it equals an earlier one in everything but ids and counts', () => {
  const firsts = Array.from({ length: 20 }, (_, index) => ({
    ruleId: 'rule',
    message: { text: `message ${index}` },
  }));
  const [first] = firsts;
  const again = firsts.map((result) => ({ ...result, guid: 'another', occurrenceCount: 2 }));
  const different = [
    { ...first, level: 'error' },
    { ...first, suppressions: [] },
    { ...first, analysisTarget: { uri: 'b' } },
    { ...first, rank: 7 },
    { ruleId: 'other', message: { text: 'message 0' } },
  ];
  const differentAgain = different.map((result) => ({ ...result, correlationGuid: 'other' }));
  const results = [...firsts, ...again, ...different, ...differentAgain];
  const seen = new SeenResults({ at: (index) => results[index] });
  expect(results.map((result, index) => seen.isRepeated(result, index))).toEqual([
    ...firsts.map(() => false),
    ...again.map(() => true),
    ...different.map(() => false),
    ...differentAgain.map(() => true),
  ]);
});
