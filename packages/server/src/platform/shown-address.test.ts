import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reasonInWords, rejectedAddressInWords, usedAddressInWords } from './shown-address.ts';

const SECRET = 'hunter2';
/** A password that may contain the separators of addresses. */
const password = fc
  .tuple(fc.stringMatching(/^[!-~ ]{0,8}$/), fc.stringMatching(/^[!-~ ]{0,8}$/))
  .map(([before, after]) => `${before}${SECRET}${after}`);

describe('an address that is rejected', () => {
  test('[D15] shows only its scheme, if that is a known one', () => {
    const shown =
      /^(?:a value that is not shown|an address that begins with (?:mysql|s3|redis|postgres):, of which no more is shown)$/;
    const any = fc.tuple(
      fc.constantFrom('', 'mysql:', 'S3://', 'redis://', 'postgres:/', 'host=', `${SECRET}:`, `${SECRET}://`),
      anyText(),
    );
    fc.assert(
      fc.property(any, ([start, rest]) => {
        expect(rejectedAddressInWords(`${start}x${rest}`)).toMatch(shown);
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
  ])('[D15] %s is shown as %s', (address, shown) => {
    expect(usedAddressInWords(address)).toBe(shown);
  });

  test('[D15] is shown without its password, whatever the password is and wherever it stands', () => {
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
    ['database "hunter2" does not exist', '3D000', 'it has no database with that name, 3D000'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED', 'nothing listens there, ECONNREFUSED'],
    [
      'password authentication failed for user "hunter2"',
      '28P01',
      'it rejects the user or the password, 28P01',
    ],
    ['invalid value for parameter "search_path": "hunter2"', '22023', '22023'],
    ['Connection terminated unexpectedly', undefined, 'Connection terminated unexpectedly'],
    ['there is no hunter2', undefined, 'its message is not shown'],
  ])('[D15] its failure (%s) is described without anything from the address', (message, code, shown) => {
    const error = Object.assign(new Error(message), code === undefined ? {} : { code });
    expect(reasonInWords(error)).toBe(shown);
    expect(reasonInWords(new AggregateError([error], 'all of them'))).toBe(shown);
  });
});
