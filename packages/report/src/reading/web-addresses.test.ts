import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressesIn, isWebAddress } from './web-addresses.ts';

const addresses = (text: string) => addressesIn(text).flatMap((part) => (part.isAddress ? [part.text] : []));

describe('web addresses in a text', () => {
  test.each([
    ['none', []],
    ['https://', []],
    ['See https://example.com/a?b=c#d for more.', ['https://example.com/a?b=c#d']],
    ['HTTP://EXAMPLE.COM, and http://[::1]:80/x!', ['HTTP://EXAMPLE.COM', 'http://[::1]:80/x']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['"https://example.com/a" <https://example.com/b>', ['https://example.com/a', 'https://example.com/b']],
    ['[here](https://example.com/a).', ['https://example.com/a']],
    ['**https://example.com/a**', ['https://example.com/a']],
    ['https://example.com/ä/日本', ['https://example.com/ä/日本']],
    ['javascript://example.com data:text/html ftp://example.com //example.com', []],
    ['https://exa\u202Emple.com', ['https://exa']],
    ['https://%zz https://ok.test', ['https://ok.test']],
  ])('of %j are %j', (text, expected) => {
    expect(addresses(text)).toEqual(expected);
  });

  test('are found in any text, and no character of it is lost', () => {
    const word = fc.constantFrom(
      'https://',
      'http://',
      'a.test',
      '/',
      '(',
      ')',
      '.',
      ' ',
      '"',
      '\n',
      '\u202E',
      '::',
      'é',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const text = words.join('');
        const parts = addressesIn(text);
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect(parts.every((part) => part.text !== '' && part.isAddress <= isWebAddress(part.text))).toBe(
          true,
        );
      }),
    );
  });
});
