import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRecordId } from '#platform/ids';
import { readPrincipals } from './principals-policy.ts';

const policy = { version: 1 } as const;
const USER = 'usr_0123456789abcdefghjkmnpqrs';
const WORKSPACE = 'ws_0123456789abcdefghjkmnpqrs';

const read = (...values: string[]) =>
  readPrincipals(
    values.map((principalValue) => ({ principalValue, policy })),
    isRecordId,
  );

const names = (...values: string[]) => read(...values).principals?.map(({ type, value }) => [type, value]);
const wrongAt = (...values: string[]) => read(...values).issues?.map(({ path }) => path);

describe('[D10] principals', () => {
  test('the kind of a principal is recognized from its form', () => {
    expect(names(USER, WORKSPACE, 'vera@example.test')).toEqual([
      ['user', USER],
      ['workspace', WORKSPACE],
      ['email', 'vera@example.test'],
    ]);
  });

  test('an address is compared in its normalized form', () => {
    expect(names('  Vera@Example.TEST ')).toEqual([['email', 'vera@example.test']]);
  });

  test('a text that only begins like an id can be an address', () => {
    expect(names('usr_vera@example.test', 'ws_@example.test')).toEqual([
      ['email', 'usr_vera@example.test'],
      ['email', 'ws_@example.test'],
    ]);
  });

  test.each([
    '',
    ' ',
    'vera',
    'vera@',
    '@example.test',
    'vera@example.test, max@example.test',
    'Vera <vera@example.test>',
    'usr_',
    `${USER}0`,
    USER.slice(0, -1),
    USER.toUpperCase(),
    ` ${USER}`,
    'usr_0123456789abcdefghjkmnpqri',
    'rep_0123456789abcdefghjkmnpqrs',
    'vera@example.test\u0000',
    '\u0000',
    `${'a'.repeat(250)}@example.test`,
    '__proto__',
  ])('%j is neither an id nor an address', (text) => {
    expect(wrongAt('max@example.test', text)).toEqual(['/principals/1/principalValue']);
  });

  test('a principal is accepted once, however it is written', () => {
    expect(wrongAt('vera@example.test', USER, 'VERA@example.test ', USER)).toEqual([
      '/principals/2/principalValue',
      '/principals/3/principalValue',
    ]);
  });

  test('every invalid principal is reported, by its position and not by its text', () => {
    const { issues } = read('nonsense', 'max@example.test', 'canary');
    expect(issues?.map(({ path }) => path)).toEqual([
      '/principals/0/principalValue',
      '/principals/2/principalValue',
    ]);
    expect(JSON.stringify(issues)).not.toContain('canary');
  });

  test('reading a list that is already normalized changes nothing', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.emailAddress(), { maxLength: 5 }), (addresses) => {
        const once = read(...addresses).principals?.map(({ value }) => value) ?? [];
        expect(read(...once).principals?.map(({ value }) => value)).toEqual(once);
      }),
    );
  });

  test('labels are trimmed', () => {
    const given = [{ principalValue: USER, label: '  Vera ', policy }];
    expect(readPrincipals(given, isRecordId).principals).toEqual([
      { type: 'user', value: USER, label: 'Vera', policy },
    ]);
  });
});
