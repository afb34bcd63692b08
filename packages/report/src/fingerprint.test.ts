import { severities } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { submissionOf } from '../test/samples.ts';
import { fingerprintOf, rootCauseOfSubmission, rootCausesOfImport } from './fingerprint.ts';

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

  test('[D12] stays while these stay: nobody loses what was decided about a finding', () => {
    expect(original).toBe('dd7e8c114e9bd7290cac81b99bfefc7d2b632a3fab491a75272a5b1fa8231fea');
  });

  test('[D12] stays when lines shift', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (lineStart, lineEnd) => {
        expect(submitted({ affected: { ...affected, lineStart, lineEnd } })).toBe(original);
        expect(submitted({ title: `${submissionOf().title} (${lineStart}:${lineEnd})` })).toBe(original);
      }),
    );
  });

  test('[D12] stays when the repository moves', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (folders) => {
        const root = `/${folders.join('/')}`;
        const file = `${root}/${affected.file}`;
        expect(submitted({ affected: { ...affected, file } }, root)).toBe(original);
      }),
    );
  });

  test('[D12] stays when a title quotes another value, or says the same in other signs', () => {
    const title = (value: string) => submitted({ title: `Order lookup in ${value} trusts the id` });
    const values = ["'userId'", '"order-17"', '`a b`', '“x”', '17', '…', "'don’t'"];
    expect(new Set(values.map(title)).size).toBe(1);
    expect(submitted({ title: 'order LOOKUP - trusts the id, it is given!' })).toBe(original);
  });

  test('[D12] keeps apart the advisories that a title names', () => {
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

  test('[D12] takes the file for the place, or else the route, or else the origin', () => {
    const { component } = affected;
    const file = 'src/a.ts';
    const route = '/orders/1';
    const origin = 'https://shop.test';
    const at = (place: object) => submitted({ affected: { component, ...place } });
    expect(at({ file, route: '/other', origin })).toBe(at({ file }));
    expect(at({ file: '', route, origin })).toBe(at({ route: '/orders/{id}' }));
    expect(at({ origin: 'https://Shop.test/' })).toBe(at({ origin }));
    expect(new Set([at({ file }), at({ route: file }), at({ origin: file }), at({})]).size).toBe(4);
  });

  test('[D12] takes nothing else: severity, wording and evidence may change', () => {
    fc.assert(
      fc.property(fc.constantFrom(...severities), fc.string({ minLength: 20 }), (severity, prose) => {
        expect(submitted({ severity, summary: prose, impact: prose, remediation: prose })).toBe(original);
      }),
    );
  });

  test('[D12] tells titles apart that have no letter to keep', () => {
    expect(submitted({ title: '2024' })).not.toBe(submitted({ title: '2025' }));
    expect(submitted({ title: '"a" "b"' })).not.toBe(submitted({ title: '"a" "c"' }));
  });
});

const result = { ruleId: 'js/sql-injection', line: 'db.query(`select ${id}`)', place: 'src/a.ts' };

describe('the root cause of an imported result', () => {
  const keys = (results: Parameters<typeof rootCausesOfImport>[0]) =>
    rootCausesOfImport(results).map((cause) => JSON.stringify(cause));

  test('[D12] is the rule with the fingerprints of the tool, in any order of theirs, whatever the line', () => {
    const [one, other] = keys([
      { ...result, partialFingerprints: { a: '1', b: '2' } },
      { ...result, partialFingerprints: { b: '2', a: '1' }, line: 'moved and rewritten' },
    ]);
    expect(one).toBe(other);
    expect(keys([{ ...result, partialFingerprints: { a: '1', b: '3' } }])).not.toEqual([one]);
  });

  test('[D12] is without those the line, however it is indented', () => {
    expect(keys([{ ...result, line: `\t  ${result.line}  ` }])).toEqual(keys([result]));
    expect(keys([{ ...result, line: 'db.query(other)' }])).not.toEqual(keys([result]));
    expect(keys([{ ...result, ruleId: 'js/xss' }])).not.toEqual(keys([result]));
  });

  test('[D12] numbers equal lines of a place: fifty stay fifty, and the same fifty', () => {
    const fifty = Array.from({ length: 50 }, () => result);
    expect(new Set(keys(fifty)).size).toBe(50);
    expect(keys(fifty)).toEqual(keys(fifty));
    expect(keys([{ ...result, place: 'src/b.ts' }, result])).toEqual([...keys([result]), ...keys([result])]);
  });

  test('[D12] is one set in any order of the results', () => {
    const results = fc.array(
      fc.record({
        ruleId: fc.constantFrom('a', 'b'),
        line: fc.constantFrom('x', 'y'),
        place: fc.constantFrom('p', 'q'),
      }),
    );
    fc.assert(
      fc.property(results, (list) => {
        const inOrder = list.map(({ place }, index) => `${place} ${keys(list)[index]}`);
        const backward = list.toReversed();
        const reversed = backward.map(({ place }, index) => `${place} ${keys(backward)[index]}`);
        expect(reversed.toSorted()).toEqual(inOrder.toSorted());
      }),
    );
  });
});
