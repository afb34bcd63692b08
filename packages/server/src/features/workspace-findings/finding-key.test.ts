import { IDENTITY_BYTES } from '@svc/report';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingKeyOf, identityOf } from './finding-key.ts';

const identity = fc
  .uint8Array({ minLength: IDENTITY_BYTES, maxLength: IDENTITY_BYTES })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

describe('[D21] the key of a finding', () => {
  test('says which finding it is', () => {
    fc.assert(
      fc.property(identity, (each) => {
        expect(identityOf(findingKeyOf(each))).toBe(each);
      }),
    );
  });

  test('sorts as the identity does', () => {
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        expect(findingKeyOf(one) < findingKeyOf(other)).toBe(one < other);
      }),
    );
  });

  test.each(['', 'k', 'i'.repeat(26), '0'.repeat(27), `${'0'.repeat(25)}1`, 'Z'.repeat(26), '0'.repeat(25)])(
    'is not "%s"',
    (text) => {
      expect(identityOf(text)).toBeNull();
    },
  );
});
