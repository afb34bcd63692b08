import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonInWords, refusedAddressInWords, usedAddressInWords } from './shown-address.ts';

const SECRET = 'hunter2';
/** A password that holds whatever addresses are made of. */
const password = fc
  .tuple(fc.stringMatching(/^[!-~ ]{0,8}$/), fc.stringMatching(/^[!-~ ]{0,8}$/))
  .map(([before, after]) => `${before}${SECRET}${after}`);

describe('an address that is refused', () => {
  test('[D15] is told by its scheme alone, where that is a known one, whatever it is', () => {
    const told =
      /^(?:a value that is not shown|an address that begins with (?:mysql|s3|redis|postgres):, of which no more is shown)$/;
    const any = fc.tuple(
      fc.constantFrom('', 'mysql:', 'S3://', 'redis://', 'postgres:/', 'host=', `${SECRET}:`, `${SECRET}://`),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(any, ([start, rest]) => {
        expect(refusedAddressInWords(`${start}x${rest}`)).toMatch(told);
      }),
    );
  });
});

describe('an address that is used', () => {
  test.each([
    ['postgres://u:p@db.internal:5433/svc?sslmode=require#x', 'postgres://db.internal:5433/svc'],
    ['postgres://db/svc', 'postgres://db/svc'],
    ['postgresql://u@[::1]:5432/svc-1.x', 'postgresql://[::1]:5432/svc-1.x'],
    ['postgres://u:12#hunter2@db/svc', 'an address that is not shown'],
    ['postgres://u:12/hunter2@db/svc', 'an address that is not shown'],
    ['postgres://u:12?hunter2@db/svc', 'an address that is not shown'],
    ['postgres:///u:hunter2', 'an address that is not shown'],
  ])('[D15] %s is told as %s', (address, told) => {
    expect(usedAddressInWords(address)).toBe(told);
  });

  test('[D15] is told without a password, whatever the password is and wherever it stands', () => {
    const places = fc.constantFrom<(secret: string) => string>(
      (secret) => `postgres://user:${secret}@host/svc`,
      (secret) => `postgres://${secret}@host/svc`,
      (secret) => `postgres://user:${encodeURIComponent(secret)}@host:5432/svc`,
      (secret) => `postgres://user@host/svc?password=${secret}`,
      (secret) => `postgres://user@host/svc?pwd=x#${secret}`,
      (secret) => `postgres://user@host/svc#password=${secret}`,
    );
    fc.assert(
      fc.property(places, password, (put, secret) => {
        const address = put(secret);
        fc.pre(URL.canParse(address));
        expect(usedAddressInWords(address)).not.toContain(SECRET);
      }),
    );
  });

  test.each([
    ['database "hunter2" does not exist', '3D000', 'it has no database of that name, 3D000'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED', 'nothing listens there, ECONNREFUSED'],
    [
      'password authentication failed for user "hunter2"',
      '28P01',
      'it refuses the user or the password, 28P01',
    ],
    ['invalid value for parameter "search_path": "hunter2"', '22023', '22023'],
    ['Connection terminated unexpectedly', undefined, 'Connection terminated unexpectedly'],
    ['there is no hunter2', undefined, 'what it says is not shown'],
  ])('[D15] why it fails (%s) is told without what was given', (message, code, told) => {
    const error = Object.assign(new Error(message), code === undefined ? {} : { code });
    expect(reasonInWords(error)).toBe(told);
    expect(reasonInWords(new AggregateError([error], 'all of them'))).toBe(told);
  });
});
