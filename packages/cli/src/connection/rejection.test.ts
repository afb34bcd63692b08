/** The message when no response came: the reason, and what to do. */
import { ConnectionError } from '@svc/client';
import { expect, test } from 'vitest';
import { silence } from './rejection.ts';

const origin = 'https://svc.example.test';

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS='],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS='],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS='],
  ['CERT_HAS_EXPIRED', 'SVC_API_BASE_URL'],
  ['ECONNREFUSED', 'SVC_API_BASE_URL'],
])('a service that cannot be reached because of %s is reported with a hint', (code, words) => {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
  const explained = silence(new ConnectionError('none', { cause }), origin, new AbortController().signal);
  expect(explained.message).toBe(`${origin} cannot be reached (${code}).`);
  expect(explained).toMatchObject({ hint: expect.stringContaining(words) as string });
});
