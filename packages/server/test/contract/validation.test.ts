/**
 * How each endpoint handles inputs that violate its schema, generated from the schemas. The response is always a
 * rejection that names the path, never a failure of the service, and never contains the rejected value.
 */
import { limits, operations, type Issue, type Operation } from '@svc/contract';
import type { TestServer } from '@svc/testkit';
import { someOf } from '@svc/testkit/lane';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCallers,
  endpointOf,
  headersFor,
  inputOf,
  newCaller,
  sampleOf,
  send,
  sendRaw,
  targetOf,
  type CallResponse,
  type AnyInput,
  type Caller,
  type Headers,
} from './calls.ts';
import {
  canaries,
  CANARY,
  fieldsOf,
  isOfWrongType,
  objectsOf,
  pointerOf,
  replacedAt,
  textsAround,
  valueAt,
  valuesOfAllTypes,
  without,
  type Field,
} from './fields.ts';
import { startSampleServer } from './samples.ts';

let server: TestServer;
let callerOf: (operation: Operation) => Caller;

beforeAll(async () => {
  server = await startSampleServer();
  callerOf = await createCallers(server);
});
afterAll(() => server.close());

// The body of a billing event is the provider's own format; a missing field is reported together with the signature.
const withBody = operations.filter((operation) => {
  const { body, signed } = endpointOf(operation);
  return body !== undefined && signed !== true;
});
const withoutBody = operations.filter((operation) => {
  const { body, takesReport, method } = endpointOf(operation);
  return body === undefined && takesReport !== true && method !== 'GET';
});
const json = { 'content-type': 'application/json' };

/** Calls of one endpoint with an input that succeeds, except for one change. */
interface Calls {
  readonly input: AnyInput;
  readonly fields: readonly Field[];
  withBody(body: unknown): Promise<CallResponse>;
  withText(text?: string | Uint8Array<ArrayBuffer>, headers?: Headers): Promise<CallResponse>;
  withQuery(query: string): Promise<CallResponse>;
}

/** @param mayHarm whether the calls may change the caller's password or end their session. */
async function callsOf(operation: Operation, mayHarm = false): Promise<Calls> {
  const endpoint = endpointOf(operation);
  const needsOwn = (mayHarm || sampleOf(operation).usesUpCaller === true) && !endpoint.administratorOnly;
  const caller = needsOwn ? await newCaller(server) : callerOf(operation);
  const [headers] = headersFor(operation, caller);
  const input = await inputOf(operation, caller.person, server);
  const bare = targetOf(endpoint, { ...input, query: {} });
  const target = targetOf(endpoint, input);
  const raw = (address: string, text?: string | Uint8Array<ArrayBuffer>, others: Headers = json) =>
    sendRaw(server, endpoint.method, address, {
      ...(text === undefined ? {} : { body: text }),
      headers: { ...others, ...headers },
    });
  const text = input.bytes ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
  return {
    input,
    fields: fieldsOf(endpoint),
    withBody: (body) => send(server, endpoint, { ...input, body }, headers),
    withText: (given, others) => raw(target, given, others),
    withQuery: (query) =>
      query.startsWith('&')
        ? raw(`${target}${target.includes('?') ? '' : '?'}${query}`, text, text === undefined ? {} : json)
        : raw(`${bare}?${query}`, undefined, {}),
  };
}

/** The paths that a rejection names, or what is wrong with it. */
function rejectedAt(answer: CallResponse): readonly string[] | string {
  if (answer.status !== 422 || !['VALIDATION_FAILED', 'UNSAFE_PAYLOAD_REJECTED'].includes(answer.code ?? ''))
    return `answered ${answer.status} ${answer.code}`;
  if (echoes(answer)) return 'repeats what was rejected';
  const { details } = (answer.body as { error: { details: { issues: Issue[] } } }).error;
  const isWhole =
    Object.keys(details).join() === 'issues' &&
    details.issues.length > 0 &&
    details.issues.length <= limits.issuesMax &&
    details.issues.every(
      (issue) =>
        Object.keys(issue).toSorted().join() ===
          (answer.code === 'VALIDATION_FAILED' ? 'message,path' : 'message,path,rule') &&
        /^(?:\/(?:[^~/]|~[01])*)*$/.test(issue.path) &&
        issue.message !== '',
    );
  return isWhole
    ? details.issues.map(({ path }) => path).toSorted()
    : `has details ${JSON.stringify(details)}`;
}

function echoes({ text, headers }: CallResponse): boolean {
  const answer = text + JSON.stringify([...headers]);
  return canaries.some((canary) => answer.includes(canary));
}

const isBadRequest = (answer: CallResponse) =>
  answer.status === 400 && answer.code === 'BAD_REQUEST' && !echoes(answer);

function isRejectedFor({ code, body }: CallResponse, pointer: string): boolean {
  if (code !== 'VALIDATION_FAILED') return false;
  const { issues } = (body as { error: { details: { issues: Issue[] } } }).error.details;
  return issues.some(({ path }) => path === pointer);
}

/** The cases with an unexpected result. */
class Wrong {
  readonly cases: unknown[] = [];

  check(title: unknown, actual: unknown, expected: unknown): void {
    if (JSON.stringify(actual) !== JSON.stringify(expected)) this.cases.push({ title, actual, expected });
  }
}

const notJson: readonly (string | Uint8Array<ArrayBuffer>)[] = [
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

const unknownNames = [
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

/** The fields in one group for each object that contains them. */
function siblingsIn(fields: readonly Field[]): readonly (readonly Field[])[] {
  return Object.values(Object.groupBy(fields, ({ keys }) => pointerOf(keys.slice(0, -1)))) as Field[][];
}

const pointersOf = (places: readonly (readonly string[])[]) => places.map(pointerOf).toSorted();

test.each(withBody)(
  '[D2] %s rejects a body that violates its schema',
  { tags: 'repeated' },
  async (operation) => {
    const endpoint = endpointOf(operation);
    const { input, fields, withBody: sent, withText } = await callsOf(operation);
    const wrong = new Wrong();
    /** A body with an invalid value at each of these paths is rejected for all of them. */
    async function rejects(title: string, places: readonly (readonly string[])[], value: unknown) {
      const body = places.reduce((made, keys) => replacedAt(made, keys, value), input.body);
      wrong.check([title, value], rejectedAt(await sent(body)), pointersOf(places));
    }

    for (const text of someOf(notJson, 4))
      wrong.check(['not JSON', text], isBadRequest(await withText(text)), true);
    for (const body of [null, true, 12, CANARY, [], [input.body], [CANARY]]) {
      const places = rejectedAt(await sent(body));
      wrong.check(['no object', body, places], Array.isArray(places) && places.includes(''), true);
    }

    for (const siblings of siblingsIn(fields)) {
      for (const value of valuesOfAllTypes) {
        const rejecting = siblings.filter((field) => isOfWrongType(field, value));
        if (rejecting.length > 0)
          await rejects(
            'wrong type',
            rejecting.map(({ keys }) => keys),
            value,
          );
      }
    }
    for (const object of objectsOf(endpoint))
      await rejects(
        'unknown',
        unknownNames.map((name) => [...object, name]),
        { [CANARY]: CANARY },
      );

    const required = fields.filter((field) => field.required).map(({ keys }) => keys);
    for (const keys of required)
      wrong.check(['missing', keys], rejectedAt(await sent(without(input.body, keys))), [pointerOf(keys)]);

    for (const { keys, schema } of fields) {
      const sample = String(valueAt(input.body, keys));
      if (schema['x-length'] ?? schema.pattern ?? schema.enum)
        await rejects('not well-formed', [keys], `${sample}\ud800`);
      if (!schema.pattern && !schema.enum) continue;
      for (const value of [`${CANARY} `, `${sample}\n`, ` ${sample}`, `${sample}\u0000`, `\n${CANARY}`, ''])
        await rejects('wrong form', [keys], value);
    }

    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`unknown${index}`, CANARY]));
    const answer = rejectedAt(await sent({ ...(input.body as object), ...many }));
    wrong.check('many unknown fields', [Array.isArray(answer), answer.length], [true, limits.issuesMax]);
    const long = await sent({ ...(input.body as object), ['n'.repeat(100_000)]: CANARY });
    wrong.check('a long name', [rejectedAt(long).length, long.text.length < 2000], [1, true]);

    expect(wrong.cases).toEqual([]);
  },
);

test.each(withBody)(
  '[D2] %s treats a missing body as an empty object if it is optional, else as a BAD_REQUEST',
  async (operation) => {
    const { bodyOptional } = endpointOf(operation);
    const { fields, withBody: sent, withText } = await callsOf(operation);
    for (const headers of [{}, json])
      expect(await withText(undefined, headers)).toMatchObject(
        bodyOptional ? { status: 200, code: null } : { status: 400, code: 'BAD_REQUEST' },
      );
    const required = fields.filter((field) => field.required && field.keys.length === 1);
    const empty = await sent({});
    const answer = required.length > 0 ? rejectedAt(empty) : (empty.code ?? []);
    expect(answer).toEqual(pointersOf(required.map(({ keys }) => keys)));
  },
);

test.each(withBody)(
  '[D2] %s counts the length of each text in code points, and no character causes a status of 500 or more',
  { tags: 'repeated' },
  async (operation) => {
    const { input, fields, withBody: sent } = await callsOf(operation, true);
    const wrong = new Wrong();
    for (const field of fields) {
      const { keys, schema } = field;
      const sample = valueAt(input.body, keys);
      for (const { title, accepted, value } of textsAround(field, sample)) {
        const answer = await sent(replacedAt(input.body, keys, value));
        const actual = [isRejectedFor(answer, pointerOf(keys)), answer.status < 500];
        wrong.check([keys, title], actual, [!accepted, true]);
      }
      if (schema.type !== 'string' && !schema.enum) continue;
      const around = someOf(hostile, 4).map((characters) => `${characters}${String(sample)}${characters}`);
      for (const value of [
        ...around,
        ...someOf(hostile.slice(0, 3), 2).map((characters) => characters.repeat(20)),
      ]) {
        const { status } = await sent(replacedAt(input.body, keys, value));
        wrong.check([keys, value, status], status < 500, true);
      }
    }
    expect(wrong.cases).toEqual([]);
  },
);

test.each(withoutBody)(
  '[D2] %s accepts an empty body and an empty object, and no other',
  async (operation) => {
    const wrong = new Wrong();
    const calls = await callsOf(operation);
    for (const body of [`{"a":"${CANARY}"}`, `{"__proto__":{}}`, '[]', 'null', `"${CANARY}"`, '0', 'false'])
      wrong.check(body, rejectedAt(await calls.withText(body)), ['']);
    for (const body of [CANARY, '{', ' ']) wrong.check(body, isBadRequest(await calls.withText(body)), true);
    // The rejected calls did not change the record that they name.
    wrong.check('none', (await calls.withText(undefined, {})).code, null);
    for (const body of ['{}', ' { } '])
      wrong.check(body, (await (await callsOf(operation)).withText(body)).code, null);
    expect(wrong.cases).toEqual([]);
  },
);

test.each(operations)(
  '[D2] %s ignores unknown query parameters and rejects repeated ones',
  async (operation) => {
    const wrong = new Wrong();
    const { input, withQuery } = await callsOf(operation);
    for (const name of Object.keys(endpointOf(operation).query?.properties ?? {})) {
      const value = encodeURIComponent(input.query?.[name] ?? CANARY);
      for (const repeated of [value, CANARY])
        wrong.check([name, repeated], rejectedAt(await withQuery(`${name}=${value}&${name}=${repeated}`)), [
          `/${name}`,
        ]);
      wrong.check([name, 'bare'], rejectedAt(await withQuery(`${name}&${name}`)), [`/${name}`]);
    }
    const unknown = '&unknown=1&unknown=2&__proto__=x&constructor=x&toString=x&a[b]=c&%00=%00&=&&%zz=1';
    wrong.check('unknown', (await withQuery(unknown)).code, null);
    expect(wrong.cases).toEqual([]);
  },
);
