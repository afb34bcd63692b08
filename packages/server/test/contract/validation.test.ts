/**
 * What each endpoint makes of inputs that are not as its schema says, generated from the schemas: always a refusal that
 * names the place, never a failure of the service, and never a word of what was refused.
 */
import { limits, operations, type Issue, type Operation } from '@svc/contract';
import {
  APP_ORIGIN,
  BILLING_SECRET,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointOf, inputOf, send, sendRaw, targetOf, type Answer, type Headers } from './calls.ts';
import { ADMINISTRATOR, administratorOf, releaseManifestFile } from './samples.ts';
import {
  canaries,
  CANARY,
  fieldsOf,
  objectsOf,
  pointerOf,
  replacedAt,
  textsAround,
  valueAt,
  withoutField,
  wrongTypesOf,
} from './fields.ts';

const clock = createFakeClock();
let server: TestServer;

beforeAll(async () => {
  const config = {
    updateManifestPath: releaseManifestFile,
    platformAdminEmail: ADMINISTRATOR,
    billingWebhookSecrets: [BILLING_SECRET],
  };
  server = await startServer({ clock, generousPlans: true, config });
});
afterAll(() => server.close());

// The body of an event is open, as the payment provider's is, and what it lacks is told with the signature.
const withBody = operations.filter((operation) => {
  const { body, signed } = endpointOf(operation);
  return body !== undefined && signed !== true;
});
const withoutBody = operations.filter((operation) => {
  const { body, takesReport } = endpointOf(operation);
  return body === undefined && takesReport !== true;
});
const json = { 'content-type': 'application/json' };

/** Somebody who may call the endpoint, and an input with which they succeed. */
async function prepared(operation: Operation) {
  const endpoint = endpointOf(operation);
  const caller = endpoint.administratorOnly ? await administratorOf(server) : await server.signUp();
  const headers = await credentialOf(operation, caller);
  const input = await inputOf(operation, caller, server);
  return { endpoint, caller, headers, input, target: targetOf(endpoint, input) };
}

async function credentialOf(operation: Operation, caller: SessionActor): Promise<Headers> {
  switch (endpointOf(operation).credential) {
    case 'none':
      return {};
    case 'device':
      return { authorization: `Bearer ${(await server.linkDevice(caller)).deviceToken}` };
    default:
      return { cookie: caller.cookie, origin: APP_ORIGIN };
  }
}

/** The issues of a refusal, whose form is checked too. */
function issuesOf(answer: Answer): readonly Issue[] {
  expect(answer.status).toBe(422);
  expect(['VALIDATION_FAILED', 'UNSAFE_PAYLOAD_REJECTED']).toContain(answer.code);
  const { details } = (answer.body as { error: { details: { issues: Issue[] } } }).error;
  expect(Object.keys(details)).toEqual(['issues']);
  expect(details.issues.length).toBeGreaterThan(0);
  expect(details.issues.length).toBeLessThanOrEqual(limits.issuesMax);
  for (const issue of details.issues) {
    expect(Object.keys(issue).toSorted()).toEqual(['message', 'path']);
    expect(issue.path).toMatch(/^(?:\/(?:[^~/]|~[01])*)*$/);
    expect(issue.message).not.toBe('');
  }
  expectNoEcho(answer);
  return details.issues;
}

function expectNoEcho({ text, headers }: Answer): void {
  const said = text + JSON.stringify([...headers]);
  for (const canary of canaries) expect(said).not.toContain(canary);
}

const pathsOf = (answer: Answer) => issuesOf(answer).map(({ path }) => path);

describe.each(withBody)('the body of %s', { timeout: 180_000 }, (operation) => {
  test(`[D2] ${operation} answers BAD_REQUEST to what is not JSON in UTF-8`, async () => {
    const { endpoint, headers, target } = await prepared(operation);
    const bodies: (string | Uint8Array<ArrayBuffer>)[] = [
      CANARY,
      `{"password":"${CANARY}`,
      `{'password':'${CANARY}'}`,
      `{"password":NaN}`,
      '{"a":1,}',
      '{}{}',
      ' ',
      '\u0000',
      '\ufeff{}',
      '"\t"',
      '[1,2',
      Uint8Array.from(Buffer.from(`{"a":"\u00e9"}`, 'latin1')),
      Uint8Array.from(Buffer.from('{"a":"\u00e9"}', 'utf16le')),
      Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      '['.repeat(65) + ']'.repeat(65),
      `[${'[],'.repeat(60_000)}[]]`,
    ];
    for (const body of bodies) {
      const answer = await sendRaw(server, endpoint.method, target, {
        body,
        headers: { ...json, ...headers },
      });
      expect(answer).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
      expectNoEcho(answer);
    }
  });

  test(`[D2] ${operation} answers no body at all as an empty object where it is optional, else BAD_REQUEST`, async () => {
    const { endpoint, headers, target } = await prepared(operation);
    for (const given of [headers, { ...json, ...headers }]) {
      const answer = await sendRaw(server, endpoint.method, target, { headers: given });
      expect(answer).toMatchObject(
        endpoint.bodyOptional ? { status: 200, code: null } : { status: 400, code: 'BAD_REQUEST' },
      );
    }
  });

  test(`[D2] ${operation} refuses JSON that is no object`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    for (const body of [null, true, 12, CANARY, [], [input.body], [CANARY]]) {
      expect(pathsOf(await send(server, endpoint, { ...input, body }, headers))).toContain('');
    }
  });

  test(`[D2] ${operation} names each field of a wrong type`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    for (const field of fieldsOf(endpoint)) {
      for (const value of wrongTypesOf(field)) {
        const body = replacedAt(input.body, field.keys, value);
        expect(pathsOf(await send(server, endpoint, { ...input, body }, headers))).toEqual([
          pointerOf(field.keys),
        ]);
      }
    }
  });

  test(`[D2] ${operation} names each required field that is missing, and all of them together`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    const required = fieldsOf(endpoint).filter((field) => field.required);
    for (const { keys } of required) {
      const body = withoutField(input.body, keys);
      expect(pathsOf(await send(server, endpoint, { ...input, body }, headers))).toEqual([pointerOf(keys)]);
    }
    const all = required.filter(({ keys }) => keys.length === 1).map(({ keys }) => pointerOf(keys));
    const answer = await send(server, endpoint, { ...input, body: {} }, headers);
    const told = all.length === 0 ? (answer.code ?? []) : pathsOf(answer).toSorted();
    expect(told).toEqual(all.toSorted());
  });

  test(`[D2] ${operation} refuses fields that it does not know, whatever their name`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    const names = [
      'unknown',
      'userId',
      '__proto__',
      'constructor',
      'toString',
      'prototype',
      'a/b~c',
      '',
      '\u202e',
      'Password',
    ];
    for (const object of objectsOf(endpoint)) {
      for (const name of names) {
        const keys = [...object, name];
        const body = replacedAt(input.body, keys, { [CANARY]: CANARY });
        expect(pathsOf(await send(server, endpoint, { ...input, body }, headers))).toEqual([pointerOf(keys)]);
      }
    }
  });

  test(`[D2] ${operation} tells at most ${limits.issuesMax} issues of however many`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`unknown${index}`, CANARY]));
    const body = { ...(input.body as object), ...many };
    expect(issuesOf(await send(server, endpoint, { ...input, body }, headers))).toHaveLength(
      limits.issuesMax,
    );
    const long = { ...(input.body as object), ['n'.repeat(100_000)]: CANARY };
    const answer = await send(server, endpoint, { ...input, body: long }, headers);
    expect(issuesOf(answer)).toHaveLength(1);
    expect(answer.text.length).toBeLessThan(2000);
  });

  test(`[D2] ${operation} counts the length of each text in code points`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    for (const field of fieldsOf(endpoint)) {
      const pointer = pointerOf(field.keys);
      for (const { title, accepted, value } of textsAround(field, valueAt(input.body, field.keys))) {
        const body = replacedAt(input.body, field.keys, value);
        const answer = await send(server, endpoint, { ...input, body }, headers);
        expect([pointer, title, refusedFor(answer, pointer)]).toEqual([pointer, title, !accepted]);
        expect(answer.status).toBeLessThan(500);
      }
    }
  });

  test(`[D2] ${operation} survives every character in every text`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    const texts = fieldsOf(endpoint).filter(({ schema }) => schema.type === 'string' || schema.enum);
    const hostile = [
      '\u0000',
      '\ud800',
      '\udc00',
      '\r\n',
      '\u001b[2J',
      '\u202e',
      '\ufeff',
      '\uffff',
      '\u{10ffff}',
      '%00',
      "'",
    ];
    for (const { keys } of texts) {
      const sample = valueAt(input.body, keys);
      for (const characters of hostile) {
        for (const value of [
          characters.repeat(20),
          `${String(sample)}${characters}`,
          `${characters}${String(sample)}`,
        ]) {
          const body = replacedAt(input.body, keys, value);
          const answer = await send(server, endpoint, { ...input, body }, headers);
          expect(answer.status).toBeLessThan(500);
        }
      }
    }
  });

  test(`[D2] ${operation} refuses text that is not well-formed`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    const bounded = fieldsOf(endpoint).filter(
      ({ schema }) => schema['x-length'] ?? schema.pattern ?? schema.enum,
    );
    for (const { keys } of bounded) {
      const body = replacedAt(input.body, keys, `${String(valueAt(input.body, keys))}\ud800`);
      expect(pathsOf(await send(server, endpoint, { ...input, body }, headers))).toEqual([pointerOf(keys)]);
    }
  });

  test(`[D2] ${operation} refuses what does not have a field's form, without repeating it`, async () => {
    const { endpoint, headers, input } = await prepared(operation);
    for (const { keys, schema } of fieldsOf(endpoint)) {
      if (!schema.pattern && !schema.enum) continue;
      const sample = String(valueAt(input.body, keys));
      for (const value of [`${CANARY} `, `${sample}\n`, ` ${sample}`, `${sample}\u0000`, `\n${CANARY}`, '']) {
        const body = replacedAt(input.body, keys, value);
        expect(pathsOf(await send(server, endpoint, { ...input, body }, headers))).toEqual([pointerOf(keys)]);
      }
    }
  });
});

function refusedFor({ code, body }: Answer, pointer: string): boolean {
  if (code !== 'VALIDATION_FAILED') return false;
  const { issues } = (body as { error: { details: { issues: Issue[] } } }).error.details;
  return issues.some(({ path }) => path === pointer);
}

describe.each(withoutBody.filter((operation) => endpointOf(operation).method !== 'GET'))(
  '%s takes no body',
  (operation) => {
    test(`[D2] ${operation} takes an empty body and an empty object`, async () => {
      for (const body of [undefined, '{}', ' { } ']) {
        const { endpoint, headers, target } = await prepared(operation);
        const init = body === undefined ? { headers } : { body, headers: { ...json, ...headers } };
        expect((await sendRaw(server, endpoint.method, target, init)).code).toBeNull();
      }
    });

    test(`[D2] ${operation} refuses any other body and changes nothing`, async () => {
      const { endpoint, headers, target } = await prepared(operation);
      for (const body of [
        `{"a":"${CANARY}"}`,
        `{"__proto__":{}}`,
        '[]',
        'null',
        `"${CANARY}"`,
        '0',
        'false',
      ]) {
        const answer = await sendRaw(server, endpoint.method, target, {
          body,
          headers: { ...json, ...headers },
        });
        expect(pathsOf(answer)).toEqual(['']);
      }
      for (const body of [CANARY, '{', ' ']) {
        const answer = await sendRaw(server, endpoint.method, target, {
          body,
          headers: { ...json, ...headers },
        });
        expect(answer).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
        expectNoEcho(answer);
      }
      expect((await sendRaw(server, endpoint.method, target, { headers })).code).toBeNull();
    });
  },
);

describe('query parameters', () => {
  test.each(operations)('[D2] %s ignores parameters that it does not know', async (operation) => {
    const { endpoint, headers, input } = await prepared(operation);
    const target = targetOf(endpoint, input);
    const unknown = 'unknown=1&unknown=2&__proto__=x&constructor=x&toString=x&a[b]=c&%00=%00&=&&%zz=1';
    const body = input.bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    const init: RequestInit = body === undefined ? { headers } : { body, headers: { ...json, ...headers } };
    const separator = target.includes('?') ? '&' : '?';
    expect((await sendRaw(server, endpoint.method, `${target}${separator}${unknown}`, init)).code).toBeNull();
  });

  const known = operations.flatMap((operation) =>
    Object.keys(endpointOf(operation).query?.properties ?? {}).map((name) => [operation, name] as const),
  );
  test.each(known)('[D2] %s refuses a repeated %s', async (operation, name) => {
    const { endpoint, headers, input } = await prepared(operation);
    const value = encodeURIComponent(input.query?.[name] ?? CANARY);
    const bare = targetOf(endpoint, { ...input, query: {} });
    for (const query of [
      `${name}=${value}&${name}=${value}`,
      `${name}=${value}&${name}=${CANARY}`,
      `${name}&${name}`,
    ]) {
      expect(pathsOf(await sendRaw(server, endpoint.method, `${bare}?${query}`, { headers }))).toEqual([
        `/${name}`,
      ]);
    }
  });
});
