import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { derivingFrom } from './kept-keys.ts';
import { fixedKeys } from './master-key.ts';
import { createUnwrapping, wrappingKeyOf, wrapReportKey } from './report-keys.ts';
import { systemRandom } from './random.ts';
import { SealBrokenError } from './sealing.ts';
import { createShareKeys } from './share-keys.ts';

const ID = 'shr_0123456789abcdefghjkmnpqrs';
const OTHER_ID = 'shr_0123456789abcdefghjkmnpqrt';

test('[D9] a share has one key in every process, and no other share has it', () => {
  const masterKey = randomBytes(32);
  const key = createShareKeys(derivingFrom(masterKey)).fingerprintKey(ID);
  expect(key).toHaveLength(32);
  expect(createShareKeys(derivingFrom(masterKey)).fingerprintKey(ID)).toEqual(key);
  expect(createShareKeys(derivingFrom(masterKey)).fingerprintKey(OTHER_ID)).not.toEqual(key);
  expect(createShareKeys(derivingFrom(randomBytes(32))).fingerprintKey(ID)).not.toEqual(key);
});

test('[D9] the key of a share does not unwrap the key of a report', () => {
  const masterKey = randomBytes(32);
  const wrapped = wrapReportKey(wrappingKeyOf(masterKey), 'rep_1', randomBytes(32), systemRandom);
  const shareKey = createShareKeys(derivingFrom(masterKey)).fingerprintKey(ID);
  const keys = createUnwrapping(fixedKeys([shareKey]));
  expect(() => keys.unwrap('rep_1', wrapped)).toThrow(SealBrokenError);
});
