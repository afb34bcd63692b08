import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absoluteUri, evidenceLocation, fileUri, linesOf, regionOf } from './sarif-locations.ts';

/** RFC 3986, 4.2: a relative reference without an authority, and without a colon in its first segment. */
const RELATIVE =
  /^(?:[A-Za-z0-9\-._~!$&'()*+,;=@]|%[0-9A-F]{2})+(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=@]|%[0-9A-F]{2})+)*$/;

const hostile = fc.oneof(
  anyText(),
  fc
    .array(
      fc.constantFrom(
        '..',
        '.',
        '',
        'a b',
        'C:',
        'ü',
        '%2e%2e',
        '\\',
        'a\\..\\..',
        'file:',
        'x:y',
        '?',
        '#',
        '\u0000',
      ),
    )
    .map((parts) => parts.join('/')),
);

describe('[D11] the URI of a file', () => {
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//x/../a.ts', 'src/a.ts'],
    [String.raw`src\a.ts`, 'src/a.ts'],
    ['a b/ü/100%.ts', 'a%20b/%C3%BC/100%25.ts'],
    ['%2e%2e/x', '%252e%252e/x'],
    ['app/[id]/@modal/a+b.tsx', 'app/%5Bid%5D/@modal/a+b.tsx'],
    ['a:b.ts', 'a%3Ab.ts'],
    ['a?b#c', 'a%3Fb%23c'],
    ['界.ts', '%E7%95%8C.ts'],
    ['\ud800.ts', '%EF%BF%BD.ts'],
  ])('of %j is %s', (file, uri) => {
    expect(fileUri(file)).toBe(uri);
  });

  test.each([
    undefined,
    '',
    ' ',
    '.',
    '..',
    '../a.ts',
    'a/../../b.ts',
    '/etc/passwd',
    'C:/a.ts',
    String.raw`C:\a.ts`,
    String.raw`\\server\share\a.ts`,
    'file:///etc/passwd',
    'file:///C:/a.ts',
    'https://example.com/a.ts',
    'data://x',
  ])('is undefined for %j, which is not a file of the repository', (file) => {
    expect(fileUri(file)).toBeUndefined();
  });

  test('is relative, within the repository and percent-encoded for any file', () => {
    fc.assert(
      fc.property(hostile, (file) => {
        const uri = fileUri(file) ?? 'a';
        expect(uri).toMatch(RELATIVE);
        expect(uri.split('/').filter((segment) => segment === '..' || segment === '.')).toEqual([]);
        expect(new URL(uri, 'https://example.com/repository/').pathname).toMatch(/^\/repository\//);
      }),
    );
  });
});

describe('an absolute address', () => {
  test.each([
    ['https://example.com/o/r', 'https://example.com/o/r'],
    ['https://user:token@example.com/o/r', 'https://example.com/o/r'],
    ['git@example.com:o/r.git', 'ssh://example.com/o/r.git'],
    ['ssh://git@example.com:22/o/r', 'ssh://example.com:22/o/r'],
    ['https://example.com/a|b{c}?[d]=%zz', 'https://example.com/a%7Cb%7Bc%7D?%5Bd%5D=%25zz'],
    ['https://[::1]:8080/x', 'https://[::1]:8080/x'],
  ])('of %s is %s', (given, uri) => {
    expect(absoluteUri(given)).toBe(uri);
  });

  test.each([
    '',
    'shop',
    '/srv/git/shop',
    String.raw`C:\shop`,
    'javascript:alert(1)',
    'file:///srv/git',
    'https://',
  ])('is undefined for %j', (given) => {
    expect(absoluteUri(given)).toBeUndefined();
  });
});

describe('the location of evidence', () => {
  test.each([
    ['src/a.ts', { uri: 'src/a.ts' }],
    ['src/a.ts:12', { uri: 'src/a.ts', lines: { start: 12, end: 12 } }],
    ['src/a.ts:12-15', { uri: 'src/a.ts', lines: { start: 12, end: 15 } }],
    ['src/a.ts:12:3', { uri: 'src/a.ts', lines: { start: 12, end: 12 }, columns: { start: 3 } }],
    ['src/a.ts:12:3-15:9', { uri: 'src/a.ts', lines: { start: 12, end: 15 }, columns: { start: 3, end: 9 } }],
    ['src/a.ts:12:3-15', { uri: 'src/a.ts', lines: { start: 12, end: 15 }, columns: { start: 3 } }],
    ['src/a.ts:12:0', { uri: 'src/a.ts', lines: { start: 12, end: 12 } }],
    ['Dockerfile:3', { uri: 'Dockerfile', lines: { start: 3, end: 3 } }],
    ['my app/a.ts:0', { uri: 'my%20app/a.ts' }],
  ])('%s is a file', (location, expected) => {
    expect(evidenceLocation(location)).toEqual(expected);
  });

  test.each([
    undefined,
    '',
    'GET /orders.json',
    'orders api',
    '/orders/{id}',
    'https://example.com/a.js:7',
    '../a.ts:7',
  ])('%j is in no file of the repository', (location) => {
    expect(evidenceLocation(location)).toBeUndefined();
  });
});

test('invalid lines are left out, and the last line is never before the first', () => {
  expect(linesOf(3, 5)).toEqual({ start: 3, end: 5 });
  expect(linesOf(3, 2)).toEqual({ start: 3, end: 3 });
  expect(linesOf(3)).toEqual({ start: 3, end: 3 });
  expect(linesOf(3, 2 ** 31)).toEqual({ start: 3, end: 3 });
  expect([undefined, 0, -1, 1.5, 2 ** 31, Number.NaN].map((line) => linesOf(line))).toEqual(
    Array.from({ length: 6 }),
  );
});

test('a region has exactly the columns of the scanner', () => {
  const lines = { startLine: 3, endLine: 4 };
  expect(regionOf({ start: 3, end: 4 })).toEqual(lines);
  expect(regionOf({ start: 3, end: 4 }, { start: 9, end: 2 }, 'y();')).toEqual({
    ...lines,
    startColumn: 9,
    endColumn: 2,
    snippet: { text: 'y();' },
  });
  expect(regionOf({ start: 3, end: 3 }, { start: 5 })).toEqual({ startLine: 3, startColumn: 5, endLine: 3 });
  expect(regionOf({ start: 3, end: 3 }, { start: 9, end: 2 })).toEqual({
    startLine: 3,
    startColumn: 9,
    endLine: 3,
  });
});
