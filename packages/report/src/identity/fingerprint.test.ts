import { severities } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { submissionOf } from '../../test/samples.ts';
import { fingerprintOf, rootCauseOfSubmission } from './fingerprint.ts';

const submitted = (changes: Parameters<typeof submissionOf>[0], repositoryRoot?: string) => {
  const submission = submissionOf(changes);
  return fingerprintOf({ ...submission, rootCause: rootCauseOfSubmission(submission) }, repositoryRoot);
};
const affected = submissionOf().affected;
const original = submitted({});

const word = fc.stringMatching(/^[a-z]{3,9}$/);

describe('the fingerprint of a submitted finding', () => {
  test('[D8] is 64 hexadecimal characters', () => {
    expect(original).toMatch(/^[0-9a-f]{64}$/);
  });

  test('[D12] equals a recorded value, so that decisions about known findings are kept', () => {
    expect(original).toBe('dd7e8c114e9bd7290cac81b99bfefc7d2b632a3fab491a75272a5b1fa8231fea');
  });

  test('[D12] stays the same when lines shift', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (lineStart, lineEnd) => {
        expect(submitted({ affected: { ...affected, lineStart, lineEnd } })).toBe(original);
        expect(submitted({ title: `${submissionOf().title} (${lineStart}:${lineEnd})` })).toBe(original);
      }),
    );
  });

  test('[D12] stays the same when the repository moves', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (folders) => {
        const root = `/${folders.join('/')}`;
        const file = `${root}/${affected.file}`;
        expect(submitted({ affected: { ...affected, file } }, root)).toBe(original);
      }),
    );
  });

  test('[D12] ignores quoted values, numbers, case and punctuation in the title', () => {
    const title = (value: string) => submitted({ title: `Order lookup in ${value} trusts the id` });
    const values = ["'userId'", '"order-17"', '`a b`', '“x”', '17', '…', "'don’t'"];
    expect(new Set(values.map(title)).size).toBe(1);
    expect(submitted({ title: 'order LOOKUP - trusts the id, it is given!' })).toBe(original);
  });

  test('[D12] differs for each advisory that a title names', () => {
    const title = (advisory: string) => submitted({ title: `lodash 4.17.15 has ${advisory}` });
    const advisories = ['CVE-2020-8203', 'CVE-2021-23337', 'GHSA-35jh-r3h4-6jhm', 'GHSA-35jh-r3h4-6jhn'];
    expect(new Set(advisories.map(title)).size).toBe(advisories.length);
    expect(title('cve-2020-8203')).toBe(title('CVE-2020-8203'));
  });

  test('[D12] changes with the category, the file, the component and any word of the title', () => {
    fc.assert(
      fc.property(word, (other) => {
        const others = [
          submitted({ category: `${submissionOf().category}_${other}` }),
          submitted({ affected: { ...affected, file: `${other}/${affected.file}` } }),
          submitted({ affected: { ...affected, component: `${affected.component} ${other}` } }),
          submitted({ title: `${submissionOf().title} ${other}` }),
        ];
        expect(new Set([original, ...others]).size).toBe(others.length + 1);
      }),
    );
  });

  test('[D12] uses the file as location, otherwise the route, otherwise the origin', () => {
    const { component } = affected;
    const file = 'src/a.ts';
    const route = '/orders/1';
    const origin = 'https://shop.test';
    const at = (location: object) => submitted({ affected: { component, ...location } });
    expect(at({ file, route: '/other', origin })).toBe(at({ file }));
    expect(at({ file: '', route, origin })).toBe(at({ route: '/orders/{id}' }));
    expect(at({ origin: 'https://Shop.test/' })).toBe(at({ origin }));
    expect(new Set([at({ file }), at({ route: file }), at({ origin: file }), at({})]).size).toBe(4);
  });

  test('[D12] does not depend on severity, summary, impact or remediation', () => {
    fc.assert(
      fc.property(fc.constantFrom(...severities), fc.string({ minLength: 20 }), (severity, prose) => {
        expect(submitted({ severity, summary: prose, impact: prose, remediation: prose })).toBe(original);
      }),
    );
  });

  test('[D12] differs for different titles without letters outside of quotes', () => {
    expect(submitted({ title: '2024' })).not.toBe(submitted({ title: '2025' }));
    expect(submitted({ title: '"a" "b"' })).not.toBe(submitted({ title: '"a" "c"' }));
  });
});
