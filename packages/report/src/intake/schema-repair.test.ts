import { Finding } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingOf } from '../../test/samples.ts';
import { repaired, repairsSentence } from './schema-repair.ts';

const repairedFinding = (changes: Record<string, unknown>) =>
  repaired<Finding>(Finding, { ...findingOf(), ...changes });

describe('a finding', () => {
  test('that is valid stays the same object', () => {
    const finding = findingOf();
    expect(repaired(Finding, finding)).toEqual({ value: finding, repairs: [] });
    expect(repaired(Finding, finding).value).toBe(finding);
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
    ['an optional field of the wrong type', { tags: 'a' }, { tags: undefined }, ['/tags dropped']],
    ['an item of a list', { tags: ['a', 7] }, { tags: ['a'] }, ['/tags/1 dropped']],
    ['an unknown field', { note: 1 }, {}, ['/ dropped']],
    ['a long text', { title: 'x'.repeat(241) }, { title: `${'x'.repeat(239)}…` }, ['/title shortened']],
    [
      'a long text of wide characters',
      { title: '\u{1f511}'.repeat(241) },
      { title: `${'\u{1f511}'.repeat(239)}…` },
      ['/title shortened'],
    ],
    ['a short text', { title: 'x' }, { title: 'x (no further description)' }, ['/title completed']],
    ['no text', { summary: '' }, { summary: '(no further description)' }, ['/summary completed']],
    ['a category', { category: 'Not Snake' }, { category: 'not_snake' }, ['/category renamed']],
    ['a category of no letters', { category: '!!' }, { category: 'other' }, ['/category renamed']],
    ['a time', { fixedAt: 'now' }, { fixedAt: undefined }, ['/fixedAt dropped']],
  ])('with an invalid value is repaired: %s', (_name, changes, expected, expectedRepairs) => {
    const { value, repairs } = repairedFinding(changes);
    expect(value).toEqual(JSON.parse(JSON.stringify({ ...findingOf(), ...expected })));
    expect(repairs.map(({ path, kind }) => `${path} ${kind}`)).toEqual(expectedRepairs);
  });

  test.each([{ severity: 'fatal' }, { evidence: [] }, { id: 'x' }, { affected: null }])(
    'with an invalid required field is dropped: %j',
    (changes) => {
      expect(repairedFinding(changes).value).toBeUndefined();
    },
  );

  test('of any values becomes valid or undefined, and every change is reported', () => {
    const names = Object.keys(Finding.properties);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, 'other'), fc.jsonValue()), (changes) => {
        const given = { ...findingOf(), ...changes };
        const { value, repairs } = repaired<Finding>(Finding, given);
        const isValid = value === undefined || validatorOf(Finding).Check(value);
        const isReported = value === undefined || repairs.length > 0 || isDeepStrictEqual(value, given);
        expect({ isValid, isReported }).toEqual({ isValid: true, isReported: true });
      }),
    );
  });
});

test('the sentence about repairs states their number and the repaired fields', () => {
  expect(repairsSentence([])).toBe('');
  expect(
    repairsSentence([
      { path: '/findings/0/tags/3', kind: 'dropped' },
      { path: '/findings/0/evidence/1/snippet', kind: 'shortened' },
      { path: '/findings/2/', kind: 'dropped' },
    ]),
  ).toBe(
    '3 fields were not valid in a report: 2 dropped (tags, unknown field), 1 shortened (evidence snippet).',
  );
  expect(repairsSentence([{ path: '/title', kind: 'completed' }])).toBe(
    '1 field was not valid in a report: 1 completed (title).',
  );
});
