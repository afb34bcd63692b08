import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { addressIn, searchWith, type Address } from './address.ts';
import { noFilters } from './filters.ts';
import { columns, defaultSorting } from './sorting.ts';

const values = fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 4 });
const addresses: fc.Arbitrary<Address> = fc.record({
  filters: fc.record({
    query: fc.string({ unit: 'grapheme' }),
    chosen: fc.record({
      severity: values,
      verification: values,
      status: values,
      category: values,
      tool: values,
      rule: values,
      component: values,
      folder: values,
    }),
  }),
  grouping: fc.option(fc.constantFrom('none', 'rule', 'category', 'file')),
  sorting: fc.record({ column: fc.constantFrom(...columns), isReversed: fc.boolean() }),
  chosen: fc.option(fc.integer({ min: 1 }).map((number) => `F-${number}`)),
});

it('a filter state survives the round trip through the URL', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      expect(addressIn(searchWith('', address))).toEqual(address);
    }),
  );
});

test('searchWith keeps other parameters and removes unset ones', () => {
  const plain: Address = { filters: noFilters, grouping: null, sorting: defaultSorting, chosen: null };
  expect(searchWith('?other=1&q=x&finding=F-1&group=file&sort=-title', plain)).toBe('?other=1');
  expect(searchWith('?q=x', plain)).toBe('');
});

test('addressIn replaces unknown and empty values in a URL by the defaults', () => {
  expect(addressIn('?group=nonsense&sort=-nonsense&severity=&q=%E0%A4%A')).toMatchObject({
    grouping: null,
    sorting: defaultSorting,
    filters: { chosen: { severity: [] } },
  });
});
