import { DIGEST_BYTES } from '@svc/report';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findersIn, packedFinders, type Finder } from './finders-policy.ts';

const digestOf = (byte: number) => new Uint8Array(DIGEST_BYTES).fill(byte);
const digests = fc.integer({ min: 1, max: 255 }).map(digestOf);
const finders = fc.record({ tool: digests, areas: fc.array(digests, { minLength: 1, maxLength: 3 }) });
const namesOf = (given: readonly Finder[]) =>
  given.map(({ tool, areas }) => ({ tool: tool[0], areas: [...new Set(areas.map(([byte]) => byte))] }));

test('[D26] one finder is stored as its tool and areas', () => {
  fc.assert(
    fc.property(finders, (finder) => {
      const { tool, areas } = finder;
      expect(packedFinders([finder])).toEqual({ tool, areas: Buffer.concat(areas) });
    }),
  );
});

test('[D26] finders are read as they were stored, one for each tool, the first one first', () => {
  fc.assert(
    fc.property(finders, fc.array(finders, { maxLength: 4 }), (first, others) => {
      const byTool = Map.groupBy([first, ...others], ({ tool: [byte] }) => byte);
      const expected = [...byTool.values()].map((same) => ({
        tool: same[0]?.tool ?? digestOf(0),
        areas: same.flatMap(({ areas }) => areas),
      }));
      expect(namesOf(findersIn(packedFinders([first, ...others])))).toEqual(namesOf(expected));
    }),
  );
});

test('[D26] a finding that was never present has no finder', () => {
  expect(findersIn({ tool: null, areas: null })).toEqual([]);
});
