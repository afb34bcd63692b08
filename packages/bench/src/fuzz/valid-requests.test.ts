/** What mutations begin from is right in every part; otherwise they would all be refused for the same thing. */
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

/** What is given by a report that is uploaded, and not by fields. */
const isJson = (operation: Operation) => endpointOf(operation).body && !endpointOf(operation).takesReport;
const withBody = (Object.keys(endpoints) as Operation[]).filter(isJson);

test.each(withBody)('the body of %s is one that the contract takes', (operation) => {
  const { body: schema } = endpointOf(operation);
  const body = validBody(operation, party);
  expect(schema && [...validatorOf(schema).Errors(body)]).toEqual([]);
});
