/** Raw shapes about where a body ends: two lengths, codings, chunks, and bodies that never end. */
import { limits } from '@svc/contract';
import {
  answered,
  answeredWith,
  body,
  bodyLength,
  brokenOff,
  chunked,
  endedEarly,
  head,
  health,
  jsonType,
  login,
  rejected,
  session,
  shape,
  shapeInPieces,
  shapes,
  unfinished,
  workspaces,
  writeHead,
  type RawShape,
} from './raw-shot.ts';

/** A request that only a server that ends the body at the wrong byte would answer. */
const smuggled = head(session);
const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

const twoLengths = shapes(
  'two lengths',
  [
    `${bodyLength}\r\n${chunked}`,
    `${chunked}\r\n${bodyLength}`,
    `Content-Length: 0\r\n${bodyLength}`,
    `${bodyLength}\r\n${bodyLength}`,
    `${bodyLength}, ${body.length}`,
  ],
  (lines) => `${head(workspaces, [jsonType, lines])}${chunks}${smuggled}`,
  rejected,
);

const oddLengths = shapes(
  'an odd length',
  [
    '+5',
    '-1',
    '0x5',
    '5 5',
    '1e1',
    '5.0',
    '99999999999999999999',
    '18446744073709551616',
    '"5"',
    '5;a',
    'x',
    '\u00b2',
  ],
  (value) => `${head(login, [jsonType, `Content-Length: ${value}`])}${body}${smuggled}`,
  rejected,
);

const codings: RawShape[] = [
  ...shapes(
    'an odd transfer coding',
    [
      'xchunked',
      'chunked, identity',
      'chunked, gzip',
      '"chunked"',
      'chunked;a=b',
      'identity',
      'gzip',
      '\x0bchunked',
      'chunked\0',
      ', ',
      'chunked chunked',
    ],
    (value) => `${head(login, [jsonType, `Transfer-Encoding: ${value}`])}${chunks}`,
    rejected,
  ),
  // Must be read as chunked or rejected; never as two requests.
  ...shapes(
    'a coding that ends in chunked',
    ['chunked, chunked', 'gzip, chunked', 'identity, chunked', 'CHUNKED', 'chunked \t'],
    (value) => `${head(login, [jsonType, `Transfer-Encoding: ${value}`])}${chunks}`,
    answered,
  ),
  shape(
    'two codings',
    `${head(login, [jsonType, chunked, 'Transfer-Encoding: identity'])}${chunks}`,
    rejected,
  ),
  ...shapes(
    'a space before the colon',
    ['Transfer-Encoding : chunked', `Content-Length : ${body.length}`],
    (line) => `${head(login, [jsonType, line])}${chunks}`,
    rejected,
  ),
  shape(
    'chunked in HTTP/1.0',
    `${head('POST /api/v1/auth/login HTTP/1.0', [jsonType, chunked])}${chunks}`,
    unfinished,
  ),
];

const chunkForms: RawShape[] = [
  ...shapes(
    'an odd chunk',
    [
      '0x5\r\nhello\r\n0\r\n\r\n',
      'g\r\nhello\r\n0\r\n\r\n',
      '-1\r\n\r\n0\r\n\r\n',
      '+5\r\nhello\r\n0\r\n\r\n',
      ' 5\r\nhello\r\n0\r\n\r\n',
      'FFFFFFFFFFFFFFFFF\r\nhello\r\n',
      '5\r\nhelloworld\r\n0\r\n\r\n',
      '5\nhello\n0\n\n',
      '5\rhello\r0\r\r',
      '\r\nhello\r\n',
      '5 5\r\nhello\r\n0\r\n\r\n',
      '5;\0\r\nhello\r\n0\r\n\r\n',
      '5\r\nhello0\r\n\r\n',
      '5;a="\r\nhello\r\n0\r\n\r\n',
      '5;\nhello\r\n0\r\n\r\n',
      '1_0\r\nhello\r\n0\r\n\r\n',
    ],
    (bytes, world) => `${writeHead(world, [chunked])}${bytes}${smuggled}`,
    rejected,
  ),
  ...shapes(
    'chunks in a rare form',
    [
      `${body.length.toString(16)};name=value\r\n${body}\r\n0\r\n\r\n`,
      `${body.length.toString(16)};name="quoted"\r\n${body}\r\n0\r\n\r\n`,
      `000000${body.length.toString(16)}\r\n${body}\r\n000\r\n\r\n`,
      `${body.length.toString(16)}\r\n${body}\r\n0\r\nTrailer-One: a\r\nContent-Length: 5\r\n\r\n`,
      `${body
        .split('')
        .map((character) => `1\r\n${character}\r\n`)
        .join('')}0\r\n\r\n`,
    ],
    (bytes, world) => `${writeHead(world, [chunked])}${bytes}`,
    answered,
  ),
  shape(
    'a flood of chunk extensions',
    (world) => `${writeHead(world, [chunked])}1;${'a'.repeat(40_000)}\r\n{\r\n0\r\n\r\n`,
    rejected,
  ),
  shape(
    'a flood of trailers',
    (world) => `${writeHead(world, [chunked])}0\r\n${'a: b\r\n'.repeat(20_000)}\r\n`,
    rejected,
  ),
  shapeInPieces(
    'chunks beyond the limit',
    (world) => [writeHead(world, [chunked]), ...manyChunks(limits.jsonBodyBytesMax + 300_000)],
    answered,
  ),
  // The body is larger than what the server reads after a rejection, so the response may be lost with the connection.
  shapeInPieces(
    'chunks far beyond the limit',
    (world) => [writeHead(world, [chunked]), ...manyChunks(6 * limits.jsonBodyBytesMax)],
    unfinished,
  ),
];

function manyChunks(sizeBytes: number): string[] {
  const chunkBytes = 60_000;
  const chunk = `${chunkBytes.toString(16)}\r\n${'a'.repeat(chunkBytes)}\r\n`;
  return [...Array.from({ length: Math.ceil(sizeBytes / chunkBytes) }, () => chunk), '0\r\n\r\n'];
}

const thousand = 'Content-Length: 1000';

const bodies: RawShape[] = [
  shape('a length for a GET', `${head(health, ['Content-Length: 2', jsonType])}{}`, answeredWith(200)),
  shape('a huge length', head(login, [jsonType, 'Content-Length: 999999999999']), answeredWith(413)),
  ...shapes('a body broken off', ['', '{', body], (sent, world) => `${writeHead(world, [thousand])}${sent}`, {
    ...brokenOff,
    pauseMs: 5,
  }),
  shape('a body ended early', (world) => `${writeHead(world, [thousand])}${body}`, endedEarly),
  shape('a rejected body ended early', `${head(workspaces, [jsonType, thousand])}${body}`, endedEarly),
  shapeInPieces(
    'a rejected body ended late',
    () => [`${head(workspaces, [jsonType, thousand])}${body}`, ''],
    {
      ...endedEarly,
      pauseMs: 20,
    },
  ),
  shapeInPieces('chunks broken off', (world) => [`${writeHead(world, [chunked])}5\r\nhel`, ''], {
    ...brokenOff,
    pauseMs: 10,
  }),
  shape('chunks ended early', (world) => `${writeHead(world, [chunked])}5\r\nhello\r\n`, endedEarly),
  shape(
    'a write broken off',
    (world) => `${writeHead(world, ['Content-Length: 2'], 'POST /api/v1/projects HTTP/1.1')}{}`,
    brokenOff,
  ),
];

export const lengthShapes: readonly RawShape[] = [
  ...twoLengths,
  ...oddLengths,
  ...codings,
  ...chunkForms,
  ...bodies,
];
