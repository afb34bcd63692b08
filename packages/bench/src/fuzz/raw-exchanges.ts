/** Raw shapes about ordering: expectations, whose body waits for a response, and pipelined requests. */
import {
  answered,
  answeredWith,
  body,
  bodyLength,
  chunked,
  head,
  health,
  jsonType,
  login,
  rejected,
  session,
  shape,
  shapeInPieces,
  shapes,
  workspaces,
  writeHead,
  type RawShape,
} from './raw-shot.ts';
import type { World } from './world.ts';

const CAREFUL_PAUSE_MS = 30;
const expects = 'Expect: 100-continue';
const two = 'Content-Length: 2';

/** The body is sent some time after the head, as careful clients do if no `100 Continue` arrives. */
function expecting(
  label: string,
  headOf: (world: World) => string,
  sent: string,
  status: number,
  mayContinue = false,
): RawShape {
  return shapeInPieces(label, (world) => [headOf(world), sent], {
    ...answeredWith(status),
    pauseMs: CAREFUL_PAUSE_MS,
    ...(mayContinue ? { mayContinue: (final: number) => final === status } : {}),
  });
}

function elsewhere(world: World, lines: readonly string[], origin = 'http://svc.test'): string {
  return head(workspaces, [`Cookie: ${world.steadyCookie}`, `Origin: ${origin}`, ...lines]);
}

const expectations: RawShape[] = [
  expecting('100-continue, valid', (world) => writeHead(world, [expects, bodyLength]), body, 201, true),
  expecting(
    '100-continue, with invalid fields',
    (world) => writeHead(world, [expects, two]),
    '{}',
    422,
    true,
  ),
  expecting('100-continue, without a body', () => head(health, [expects]), '', 200, true),
  expecting(
    '100-continue, declared too large',
    (world) => writeHead(world, [expects, 'Content-Length: 99000000']),
    '',
    413,
  ),
  expecting(
    '100-continue, without a credential',
    () => head(workspaces, [expects, jsonType, bodyLength]),
    body,
    401,
  ),
  expecting(
    '100-continue, from another site',
    (world) => elsewhere(world, [expects, jsonType, two], 'http://evil.test'),
    '{}',
    403,
  ),
  expecting(
    '100-continue, of another type',
    (world) => elsewhere(world, [expects, 'Content-Type: text/plain', two]),
    '{}',
    415,
  ),
  expecting(
    'expects, coded',
    (world) => writeHead(world, [expects, two, 'Content-Encoding: gzip']),
    '{}',
    415,
  ),
  expecting(
    'expects, nowhere',
    () => head('POST /api/v1/nowhere HTTP/1.1', [expects, jsonType, two]),
    '{}',
    404,
  ),
  expecting(
    '100-continue, with two hosts',
    () => head(login, ['Host: evil.test', expects, jsonType, two]),
    '{}',
    400,
  ),
  expecting(
    '100-continue in HTTP/1.0',
    (world) => writeHead(world, [expects, two], 'POST /api/v1/workspaces HTTP/1.0'),
    '{}',
    422,
  ),
  ...shapes(
    'an unknown expectation',
    ['200-ok', 'x', '100-continue, x', '100-continuex', '100'],
    (value) => `${head(login, [jsonType, two, `Expect: ${value}`])}{}`,
    { ...answered, mayContinue: () => true },
  ),
  shape('an unknown expectation, by HEAD', head('HEAD /api/v1/health HTTP/1.1', ['Expect: x']), {
    ...answeredWith(417),
    methods: ['HEAD'],
  }),
];

const nowhere = 'GET /api/v1/nowhere HTTP/1.1';

const pipelines: RawShape[] = [
  shape(
    'a pipeline',
    `${head(health)}${head(session)}${head(nowhere)}${head(health)}`,
    answeredWith(200, 401, 404, 200),
  ),
  shape('a long pipeline', head(health).repeat(50), answeredWith(...Array.from({ length: 50 }, () => 200))),
  shape('a pipeline with HEAD in it', `${head('HEAD /api/v1/health HTTP/1.1')}${head(health)}`, {
    ...answeredWith(200, 200),
    methods: ['HEAD', 'GET'],
  }),
  shape(
    'a pipeline of writes',
    (world) => `${writeHead(world, [bodyLength])}${body}`.repeat(3),
    answeredWith(201, 201, 201),
  ),
  shape(
    'a pipeline after a body that is rejected',
    (world) => `${elsewhere(world, ['Content-Type: text/plain', two])}{}${head(health)}`,
    answeredWith(415, 200),
  ),
  shape(
    'a pipeline after invalid fields',
    `${head(login, [jsonType, two])}{}${head(session)}`,
    answeredWith(422, 401),
  ),
  shape('a pipeline that ends in nonsense', `${head(health)}${head(session)}nonsense\r\n\r\n`, {
    ...answeredWith(200, 401, 400),
    mustClose: true,
  }),
  shape('a write and then nonsense', (world) => `${writeHead(world, [bodyLength])}${body}nonsense\r\n\r\n`, {
    ...answeredWith(201, 400),
    mustClose: true,
  }),
  shape(
    'a pipeline after Connection: close',
    `${head(health, ['Connection: close'])}${head(health)}`,
    answeredWith(200),
  ),
  shape(
    'another request after one with Connection: close',
    (world) => `${writeHead(world, [bodyLength, 'Connection: close'])}${body}${head(health)}`,
    answeredWith(201),
  ),
  shape('a pipeline after a rejection', `${head(login, [jsonType, two, chunked])}${head(health)}`, rejected),
];

export const exchangeShapes: readonly RawShape[] = [...expectations, ...pipelines];
