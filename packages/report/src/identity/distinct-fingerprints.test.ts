import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findingOf } from '../../test/samples.ts';
import { distinctFingerprints } from './distinct-fingerprints.ts';

const few = fc.array(
  fc.record({
    fingerprint: fc.option(fc.constantFrom('aa'.repeat(32), 'bb'.repeat(32)), { nil: undefined }),
    title: fc.constantFrom('The first finding', 'The second finding'),
  }),
);
const made = (list: readonly { fingerprint: string | undefined; title: string }[]) =>
  list.map(({ fingerprint, title }) =>
    findingOf({ title, ...(fingerprint !== undefined && { fingerprint }) }),
  );

test('[D8] the fingerprints of a report are all different, and the first with a given one keeps it', () => {
  fc.assert(
    fc.property(few, (list) => {
      const fingerprints = distinctFingerprints(made(list));
      expect(new Set(fingerprints).size).toBe(list.length);
      const given = list.map(({ fingerprint }) => fingerprint);
      const firsts = given.flatMap((fingerprint, index) =>
        fingerprint !== undefined && given.indexOf(fingerprint) === index ? [{ fingerprint, index }] : [],
      );
      expect(firsts.map(({ index }) => fingerprints[index])).toEqual(firsts.map((each) => each.fingerprint));
    }),
  );
});

test('[D8] a finding that is added last changes no fingerprint before it', () => {
  fc.assert(
    fc.property(few, fc.constantFrom('The first finding', 'Another finding'), (list, title) => {
      const before = distinctFingerprints(made(list));
      expect(distinctFingerprints([...made(list), findingOf({ title })]).slice(0, -1)).toEqual(before);
    }),
  );
});
