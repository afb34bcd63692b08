import { expect, it } from 'vitest';
import { addressesIn } from './web-addresses.ts';

it.each([
  ['addresses within addresses', 'https://a.test/('.repeat(50_000)],
  ['brackets that nothing opened', `https://a.test/${')'.repeat(800_000)}`],
])('finds addresses in %s in linear time', (_name, text) => {
  expect(
    addressesIn(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});
