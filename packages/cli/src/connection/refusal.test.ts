/** What is said where no answer came: the reason, and what would do. */
import { ConnectionError } from '@svc/client';
import { expect, test } from 'vitest';
import { silence } from './refusal.ts';

const origin = 'https://svc.example.test';

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS='],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS='],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS='],
  ['CERT_HAS_EXPIRED', 'SVC_API_BASE_URL'],
  ['ECONNREFUSED', 'SVC_API_BASE_URL'],
])('a service that can not be reached for %s is told with what would do', (code, words) => {
  const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
  const told = silence(new ConnectionError('none', { cause }), origin, new AbortController().signal);
  expect(told.message).toBe(`${origin} can not be reached (${code}).`);
  expect(told).toMatchObject({ hint: expect.stringContaining(words) as string });
});
