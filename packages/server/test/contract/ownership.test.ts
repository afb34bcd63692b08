/**
 * What a name that is not the caller's is answered with: the same, whoever's it is, whether it names anything, and
 * whatever it looks like. Made from the contract: every path parameter, and every field of a query or body that is an id.
 */
import { randomInt } from 'node:crypto';
import { errors, idGiven, operations, parameterNames, type Operation } from '@svc/contract';
import { APP_ORIGIN, createFakeClock, startServer, type SessionActor, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMINISTRATOR, administratorOf } from './samples.ts';
import {
  endpointOf,
  inputOf,
  sampleOf,
  seenOf,
  send,
  type AnyInput,
  type Answer,
  type Headers,
} from './calls.ts';

interface NamePlace {
  readonly part: 'params' | 'query' | 'body';
  readonly name: string;
}

/** Where the input of an endpoint names a thing. */
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

/** Optional ids are copies of the schema, so they are told by their description. */
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

/** Another of the same form, that names nothing. */
function randomAlike(id: string): string {
  const [, prefix = ''] = /^([a-z]+_)/.exec(id) ?? [];
  const alphabet = prefix === '' ? BASE62 : CROCKFORD;
  return prefix + Array.from(id.slice(prefix.length), () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Forms that no id has; those with a slash or a dot alone would be other addresses. */
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

const clock = createFakeClock();
let server: TestServer;
let caller: SessionActor;
let other: SessionActor;
let administrator: SessionActor;
let otherDeviceToken: string;
let deviceToken: string;

beforeAll(async () => {
  server = await startServer({
    clock,
    generousPlans: true,
    config: { platformAdminEmail: ADMINISTRATOR },
  });
  caller = await server.signUp();
  other = await server.signUp();
  administrator = await administratorOf(server);
  deviceToken = (await server.linkDevice(caller)).deviceToken;
  otherDeviceToken = (await server.linkDevice(other)).deviceToken;
});
afterAll(() => server.close());

function credentialsFor(operation: Operation): Headers[] {
  const { credential, administratorOnly } = endpointOf(operation);
  const { cookie } = administratorOnly ? administrator : caller;
  const session = { cookie, origin: APP_ORIGIN };
  const device = { authorization: `Bearer ${deviceToken}` };
  switch (credential) {
    case 'none':
      return [{}];
    case 'device':
      return [device];
    case 'session':
    case 'optionalSession':
      return [session];
    case 'sessionOrDevice':
      return [session, device];
  }
}

const naming = operations.filter((operation) => namePlaces(operation).length > 0);

describe.each(naming)('names in %s', (operation) => {
  const endpoint = endpointOf(operation);

  for (const place of namePlaces(operation)) {
    const title = `${endpoint.method} ${endpoint.path} answers the same for each ${place.name} that is not the caller's`;
    test(`[T2] ${title}`, async () => {
      const own = await inputOf(operation, caller, server);
      const theirs = await inputOf(operation, other, server);
      const id = valueAt(theirs, place);
      const names = [randomAlike(id), randomAlike(id), ...malformedAlike(id)];
      if (!sampleOf(operation).forWhoeverKnows) names.unshift(id);
      for (const headers of credentialsFor(operation)) {
        const answers: { name: string; answer: Answer }[] = [];
        for (const name of names) {
          answers.push({
            name,
            answer: await send(server, endpoint, withValueAt(own, place, name), headers),
          });
        }
        const [first] = answers;
        const code = sampleOf(operation).unknownAnswers?.[place.name] ?? 'NOT_FOUND';
        expect(first?.answer).toMatchObject({ status: errors[code].status, code });
        const wanted = first && seenOf(first.answer);
        const toldApart = answers.filter(({ answer }) => seenOf(answer) !== wanted);
        expect(toldApart.map(({ name, answer }) => [name.slice(0, 40), answer.status, answer.text])).toEqual(
          [],
        );
      }
    });
  }
});

const owned = naming.filter((operation) => !sampleOf(operation).forWhoeverKnows);

test.each(owned)("[T2] %s changes nothing of another's, and its owner still can", async (operation) => {
  const endpoint = endpointOf(operation);
  const theirs = await inputOf(operation, other, server);
  for (const headers of credentialsFor(operation)) {
    expect(await send(server, endpoint, theirs, headers)).toMatchObject({ code: 'NOT_FOUND' });
  }
  const owners =
    endpoint.credential === 'device'
      ? { authorization: `Bearer ${otherDeviceToken}` }
      : { cookie: other.cookie, origin: APP_ORIGIN };
  const byOwner = await send(server, endpoint, theirs, owners);
  expect(byOwner.code).toBeNull();
});

test('[T2] a binding elsewhere is a conflict that names neither the project nor its workspace', async () => {
  const listed = await other.api.listWorkspaces();
  const mine = await caller.api.listWorkspaces();
  if (!listed.ok || !mine.ok) throw new Error('no workspaces');
  const body = { name: 'secret name', bindingPublicId: 'shared-binding-1' };
  const theirs = await other.api.createProject({
    body: { ...body, workspaceId: listed.body.workspaces[0]!.workspaceId },
  });
  if (!theirs.ok) throw new Error(theirs.error.code);
  const mineBody = { ...body, name: 'copy', workspaceId: mine.body.workspaces[0]!.workspaceId };
  const answer = await send(
    server,
    endpointOf('createProject'),
    { body: mineBody },
    { cookie: caller.cookie, origin: APP_ORIGIN },
  );
  expect(answer).toMatchObject({ status: 409, code: 'CONFLICT' });
  expect(answer.text).not.toContain(theirs.body.projectId);
  expect(answer.text).not.toContain(listed.body.workspaces[0]!.workspaceId);
  expect(answer.text).not.toContain('secret name');
});
