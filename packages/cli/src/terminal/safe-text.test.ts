import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createColours } from './colours.ts';
import { escapedJson, printable, printableJson, safeLine } from './safe-text.ts';

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;
const colours = createColours(true);

/** Hostile text, with sequences that terminals interpret. */
const hostile = fc
  .array(
    fc.oneof(
      anyText(),
      fc.constantFrom(
        '\u001B[2J',
        '\u001B[31m',
        '\u001B[31;1m',
        '\u001B]0;title\u0007',
        '\u001B]8;;http://x\u001B\\',
        '\u001B',
        '\u009B',
        '\u009D0;x\u009C',
        '\u001BP1$r\u001B\\',
        '[31;',
        'm',
        '\r',
        '\n',
        '\u202E',
        '\u0007',
        '\u001B\u001B[[31m',
      ),
    ),
  )
  .map((parts) => parts.join(''));

test('untrusted text keeps no control character that steers a terminal, and no mark that reorders text', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(printable(text)).not.toMatch(controls);
      expect(safeLine(text)).not.toMatch(/[\n\r\u2028\u2029\u202A-\u202E\u2066-\u2069]/);
      expect(safeLine(text)).not.toMatch(controls);
    }),
  );
});

test('untrusted text cannot use or end the colours of this program', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const line = printable(colours.red(text));
      expect(line.startsWith('\u001B[31m')).toBe(true);
      expect(line.endsWith('\u001B[39m')).toBe(true);
      expect(line.split('\u001B')).toHaveLength(3);
    }),
  );
});

test('a colour within a colour ends where the outer one continues', () => {
  expect(printable(colours.red(`a${colours.green('b')}c`))).toBe(
    '\u001B[31ma\u001B[32mb\u001B[39m\u001B[31mc\u001B[39m',
  );
});

test('code that strips sequences finds the plain text in coloured text', () => {
  expect(stripVTControlCharacters(colours.bold(colours.cyan('four')))).toBe('four');
});

test('plain text in any language is unchanged', () => {
  const text = 'Grüße, 你好, שלום, 👩‍👩‍👧 — 100 % “sure”\tyes';
  expect(printable(text)).toBe(text);
  expect(safeLine(text)).toBe(text);
});

test('JSON is the same value for a program, without anything that a terminal interprets', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), hostile), (value) => {
      const text = printableJson(value);
      expect(JSON.parse(text)).toEqual(value);
      expect(text).not.toMatch(controls);
      expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    }),
  );
});

test('JSON text keeps its value without a character that steers a terminal', () => {
  const value = { 'a\u009B2J': 'b\u202Ec\u{E0041}', plain: 'é🙂' };
  const text = escapedJson(JSON.stringify(value));
  expect(text).toBe(String.raw`{"a\u009b2J":"b\u202ec\udb40\udc41","plain":"é🙂"}`);
  expect(JSON.parse(text)).toEqual(value);
});
