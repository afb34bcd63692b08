import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createReportKeys } from './report-keys.ts';
import { systemRandom } from './random.ts';
import { SealBrokenError } from './sealing.ts';
import { createShareKeys } from './share-keys.ts';

const ID = 'shr_0123456789abcdefghjkmnpqrs';
const OTHER_ID = 'shr_0123456789abcdefghjkmnpqrt';

test('[D9] a share has one key in every process, and no other share has it', () => {
  const masterKey = randomBytes(32);
  const key = createShareKeys(masterKey).fingerprintKey(ID);
  expect(key).toHaveLength(32);
  expect(createShareKeys(masterKey).fingerprintKey(ID)).toEqual(key);
  expect(createShareKeys(masterKey).fingerprintKey(OTHER_ID)).not.toEqual(key);
  expect(createShareKeys(randomBytes(32)).fingerprintKey(ID)).not.toEqual(key);
});

test('[D9] the key opens nothing that is sealed', () => {
  const masterKey = randomBytes(32);
  const { wrapped } = createReportKeys(masterKey, systemRandom).make('rep_1');
  const keys = createReportKeys(createShareKeys(masterKey).fingerprintKey(ID), systemRandom);
  expect(() => keys.unwrap('rep_1', wrapped)).toThrow(SealBrokenError);
});
