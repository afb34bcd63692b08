import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CanonicalReport } from '../model/canonical.ts';
import { jsonBytes } from './report-json.ts';

test('the bytes of a report equal those of its JSON as a whole, for any texts and fields', () => {
  const character = fc.constantFrom('a', '"', '\n', '\u0001', 'é', '漢', '😀', '\ud800', '\udc00');
  const text = fc.string({ unit: character, maxLength: 30 });
  const longText = fc
    .tuple(text, fc.integer({ min: 1, max: 400 }))
    .map(([part, times]) => part.repeat(times));
  const finding = fc.record(
    { title: longText, tags: fc.array(text, { maxLength: 2 }) },
    { requiredKeys: [] },
  );
  const given = fc.record(
    {
      schemaVersion: text,
      project: fc.record({ name: text, branch: fc.constant(undefined) }),
      findings: fc.array(finding, { maxLength: 5 }),
      redactionNotice: fc.option(text, { nil: undefined }),
    },
    { requiredKeys: ['findings'] },
  );
  fc.assert(
    fc.property(given, (report) => {
      const whole = new TextEncoder().encode(JSON.stringify(report));
      const bytes = jsonBytes(report as unknown as CanonicalReport);
      expect(Buffer.compare(bytes, whole)).toBe(0);
    }),
  );
});
