/** The requests that mutations start from are valid; otherwise all would be rejected for the same reason. */
import { endpoints, type Operation } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import { expect, test } from 'vitest';
import { endpointOf, validBody } from './valid-requests.ts';
import type { Party } from './world.ts';

const ids = new Proxy({}, { get: (_, name) => `id-of-${String(name)}` }) as Party['ids'];
const party: Party = {
  email: 'resident@example.test',
  password: 'purple elephants dance at noon',
  recoveryCode: 'ABCD-EFGH-JKMN-PQRS-TVWX',
  cookie: 'svc_session=cookie',
  deviceToken: 'token',
  revokedDeviceToken: 'token',
  otherCookie: 'svc_session=other',
  verifier: 'v'.repeat(43),
  reportBytes: new TextEncoder().encode('{}'),
  ids,
};

/** Excludes operations without a body, and those whose body is a report. */
const isJson = (operation: Operation) => endpointOf(operation).body && !endpointOf(operation).takesReport;
const withBody = (Object.keys(endpoints) as Operation[]).filter(isJson);

test.each(withBody)('the body of %s matches the contract', (operation) => {
  const { body: schema } = endpointOf(operation);
  const body = validBody(operation, party);
  expect(schema && [...validatorOf(schema).Errors(body)]).toEqual([]);
});
