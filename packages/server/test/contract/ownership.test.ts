/**
 * The response to an id that is not the caller's is always the same, however the id looks, and whether or not someone
 * else owns it. Derived from the contract: every path parameter, and every field of a query or body that is an id.
 */
import { randomInt } from 'node:crypto';
import { errors, idGiven, operations, parameterNames, type Operation } from '@svc/contract';
import { bodyOf, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCallers,
  endpointOf,
  headersFor,
  inputOf,
  newCaller,
  sampleOf,
  seenOf,
  send,
  type AnyInput,
  type Caller,
} from './calls.ts';
import { startSampleServer } from './samples.ts';

interface NamePlace {
  readonly part: 'params' | 'query' | 'body';
  readonly name: string;
}

/** The positions of ids in the input of an endpoint. */
function namePlaces(operation: Operation): NamePlace[] {
  const endpoint = endpointOf(operation);
  const idsOf = (part: 'query' | 'body') =>
    Object.entries(endpoint[part]?.properties ?? {})
      .filter(([, schema]) => isIdGiven(schema))
      .map(([name]) => ({ part, name }));
  const words = Object.keys(endpoint.params?.properties ?? {});
  const names = parameterNames(endpoint).filter((name) => !words.includes(name));
  const params = names.map((name) => ({ part: 'params', name }) as const);
  return [...params, ...idsOf('query'), ...idsOf('body')];
}

/** Optional ids are copies of the schema, so they are recognized by their description. */
const isIdGiven = (schema: object) => descriptionOf(schema) === descriptionOf(idGiven);

function descriptionOf(schema: object): unknown {
  return (schema as { description?: unknown }).description;
}

function valueAt(input: AnyInput, { part, name }: NamePlace): string {
  return (input[part] as Record<string, string>)[name] ?? '';
}

function withValueAt(input: AnyInput, { part, name }: NamePlace, value: string): AnyInput {
  return { ...input, [part]: { ...(input[part] as object), [name]: value } };
}

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Another id of the same form, which does not exist. */
function randomAlike(id: string): string {
  const [, prefix = ''] = /^([a-z]+_)/.exec(id) ?? [];
  const alphabet = prefix === '' ? BASE62 : CROCKFORD;
  return prefix + Array.from(id.slice(prefix.length), () => alphabet[randomInt(alphabet.length)]).join('');
}

/**
 * Forms that no id has. A slash is escaped in the path; a dot alone is not among them, because the path would then lead
 * elsewhere.
 */
function malformedAlike(id: string): string[] {
  const [prefix = ''] = id.split('_');
  return [
    'x',
    `${id}0`,
    id.slice(0, -1),
    id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase(),
    `${prefix}_`,
    `${id}\u0000`,
    `\u0000`,
    '\u{1f600}',
    `' OR 1=1 --`,
    '%',
    '../../session',
    '__proto__',
    ' ',
    `${id} `,
    'a'.repeat(3000),
  ];
}

let server: TestServer;
let callerOf: (operation: Operation) => Caller;
let other: Caller;

beforeAll(async () => {
  server = await startSampleServer();
  callerOf = await createCallers(server);
  other = await newCaller(server);
});
afterAll(() => server.close());

const naming = operations.filter((operation) => namePlaces(operation).length > 0);

test.each(naming)("[T2] %s returns the same for each id that is not the caller's", async (operation) => {
  const endpoint = endpointOf(operation);
  const caller = callerOf(operation);
  const { forWhoeverKnows, unknownAnswers } = sampleOf(operation);
  const own = await inputOf(operation, caller.person, server);
  const theirs = await inputOf(operation, other.person, server);
  const distinguished: unknown[] = [];
  for (const place of namePlaces(operation)) {
    const id = valueAt(theirs, place);
    const names = [randomAlike(id), randomAlike(id), ...malformedAlike(id), ...(forWhoeverKnows ? [] : [id])];
    const code = unknownAnswers?.[place.name] ?? 'NOT_FOUND';
    for (const headers of headersFor(operation, caller)) {
      let wanted: string | undefined;
      for (const name of names) {
        const answer = await send(server, endpoint, withValueAt(own, place, name), headers);
        wanted ??= seenOf(answer);
        if (answer.code !== code || answer.status !== errors[code].status || seenOf(answer) !== wanted)
          distinguished.push([place.name, name.slice(0, 40), answer.status, answer.text]);
      }
    }
  }
  expect(distinguished).toEqual([]);
  if (forWhoeverKnows) return;

  // The named records still exist, and their owner can do what others cannot.
  for (const headers of headersFor(operation, caller))
    expect(await send(server, endpoint, theirs, headers)).toMatchObject({ code: 'NOT_FOUND' });
  const byOwner = await send(server, endpoint, theirs, headersFor(operation, other)[0]);
  expect(byOwner.code).toBeNull();
});

test('[T2] a binding elsewhere is a CONFLICT that names neither the project nor its workspace', async () => {
  const caller = callerOf('createProject');
  const input = async ({ person }: Caller, name: string) => {
    const { body } = await inputOf('createProject', person, server);
    return {
      body: { ...(body as Record<'workspaceId', string>), name, bindingPublicId: 'shared-binding-1' },
    };
  };
  const theirs = await input(other, 'secret name');
  const { projectId } = bodyOf(await other.person.api.createProject(theirs));
  const [headers] = headersFor('createProject', caller);
  const answer = await send(server, endpointOf('createProject'), await input(caller, 'copy'), headers);
  expect(answer).toMatchObject({ status: 409, code: 'CONFLICT' });
  for (const hidden of [projectId, theirs.body.workspaceId, 'secret name'])
    expect(answer.text).not.toContain(hidden);
});
