import { endpoints, type Endpoint, type Operation as OperationName } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curlOf, exampleOf } from './example.ts';
import { countOf, readReference, search } from './reference.ts';
import { boundsOf, kindOf, patternOf, valuesOf } from './schema.ts';

const definitions: Readonly<Record<string, Endpoint>> = endpoints;
const reference = readReference();
const operations = reference.groups.flatMap((group) => group.operations);
const of = (id: OperationName) => {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
};
const commandOf = (id: OperationName) => curlOf(of(id), 'https://svc.example', reference.objects);

describe('the reference', () => {
  test('the reference contains every operation of the contract once', () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(endpoints).toSorted());
  });

  test('common errors are listed once, and specific errors with their operation', () => {
    expect(reference.errorEntries.map(({ code }) => code)).toEqual([
      'BAD_REQUEST',
      'VALIDATION_FAILED',
      'INTERNAL',
    ]);
    expect(of('signUp').errorEntries.map(({ code, statuses }) => `${code} ${statuses.join()}`)).toEqual([
      'FORBIDDEN 403',
      'CONFLICT 409',
      'RATE_LIMITED 429',
    ]);
  });

  test('the reference has no duplicate element ids', () => {
    const ids = [...operations.map(({ id }) => id), ...reference.objects.keys(), 'conventions', 'objects'];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('an example', () => {
  const withBody = operations.filter(({ body }) => body && !body.externalDocs).map(({ id }) => id);

  test.each(withBody)('the example of %s has a body that satisfies the contract', (id) => {
    const { body } = of(id as OperationName);
    const schema = definitions[id]?.body;
    if (!body || !schema) throw new Error(`${id} takes no body.`);
    const issues = issuesOf(validatorOf(schema), exampleOf(body, reference.objects));
    expect(issues).toEqual([]);
  });

  test.each(operations.map(({ id }) => id))('the example of %s has no placeholders', (id) => {
    expect(commandOf(id as OperationName)).not.toMatch(/[{]\w+[}]|undefined|=text\b/);
  });

  test('an example has the credential and the content type of its operation', () => {
    expect(commandOf('createWorkspace')).toBe(
      [
        `curl --request POST 'https://svc.example/api/v1/workspaces' \\`,
        '  --header "authorization: Bearer $SVC_DEVICE_TOKEN" \\',
        `  --header 'content-type: application/json' \\`,
        `  --data '{`,
        '    "name": "checkout"',
        `  }'`,
      ].join('\n'),
    );
    expect(commandOf('listDevices')).toContain('--cookie "svc_session=$SVC_SESSION"');
    expect(commandOf('uploadReport')).toContain('--data-binary @report.json');
  });
});

describe('a search', () => {
  const words = fc.constantFrom('report', 'POST', 'email', 'RATE_LIMITED', 'share', 'zzz', 'device', 'a');

  test('search finds exactly the operations that contain every word, ignoring case', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 3 }), (wanted) => {
        const found = search(reference.groups, wanted.join('  '));
        const expected = reference.groups.flatMap(({ name, operations: all }) =>
          all.filter((operation) =>
            wanted.every((word) => `${name} ${operation.words}`.includes(word.toLowerCase())),
          ),
        );
        expect(found.flatMap((group) => group.operations)).toEqual(expected);
        expect(countOf(found)).toBe(expected.length);
        expect(found.every((group) => group.operations.length > 0)).toBe(true);
      }),
    );
  });

  test('finds an operation by a field of its body and by an error', () => {
    const ids = (text: string) =>
      search(reference.groups, text).flatMap((group) => group.operations.map(({ id }) => id));
    expect(ids('displayname')).toContain('signUp');
    expect(ids('defaultpolicy')).toContain('createShare');
    expect(ids('sync_daily_limit')).toEqual(['createReport', 'finalizeReport']);
    expect(ids('device-links post')).toEqual([
      'createDeviceLink',
      'approveDeviceLink',
      'denyDeviceLink',
      'exchangeDeviceLink',
    ]);
  });
});

test.each([
  [{ type: 'string', minLength: 3, maxLength: 254 }, 'string', '3 to 254 characters'],
  [{ type: 'string', minLength: 64, maxLength: 64 }, 'string', '64 characters'],
  [
    { type: 'array', items: { $ref: '#/components/schemas/Device' }, maxItems: 10_000 },
    'array of Device',
    'at most 10,000 items',
  ],
  [{ anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] }, 'integer or null', 'at least 0'],
  [{ type: 'string', format: 'date-time' }, 'time', ''],
  [{}, 'anything', ''],
])('%j is shown as %s, %s', (schema, kind, bounds) => {
  expect([kindOf(schema), boundsOf(schema)]).toEqual([kind, bounds]);
});

test('valuesOf and patternOf find nested enums and patterns', () => {
  expect(valuesOf({ type: 'array', items: { enum: ['a', 'b'] } })).toEqual(['"a"', '"b"']);
  expect(patternOf({ anyOf: [{ type: 'string', pattern: '^a$' }, { type: 'null' }] })).toBe('^a$');
  expect(patternOf({ type: 'string', format: 'date-time', pattern: '^a$' })).toBeUndefined();
});
