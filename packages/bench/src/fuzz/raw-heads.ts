/** Raw shapes about the head of a request: its lines, target, method, version, hosts, and floods of headers. */
import {
  answered,
  answeredWith,
  body,
  brokenOff,
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
  type RawShape,
} from './raw-shot.ts';

const host = 'Host: svc.test';

const lineEnds: RawShape[] = [
  shape('bare LF throughout', head(health).replaceAll('\r\n', '\n'), rejected),
  shape('a bare LF in the head', `${health}\r\n${host}\nX: y\r\n\r\n`, rejected),
  shape('a bare LF at its end', `${health}\r\n${host}\r\n\n`, rejected),
  shape('a bare CR in the head', `${health}\r\n${host}\rX: y\r\n\r\n`, rejected),
  shape('a folded header', head(login, ['X: a', ' Content-Length: 5', '\tb', 'Content-Length: 0']), rejected),
  shape('a folded length', `${head(login, [jsonType, 'Content-Length:', ' 5'])}${body}`, rejected),
  shape('a folded first line', `${health}\r\n ${host}\r\n\r\n`, rejected),
  ...shapes(
    'a control character in a value',
    ['\0', '\x01', '\x7f', '\x0b'],
    (character) => head(health, [`X: a${character}b`]),
    rejected,
  ),
  ...shapes(
    'a line that is not a header',
    ['nonsense', ': a', 'a b: c', 'a\u00e9: c', '"a": c', 'a\0: b', '(a): b'],
    (line) => head(health, [line]),
    rejected,
  ),
  shape('empty lines first', `\r\n\r\n${head(health)}`, answeredWith(200)),
];

const starts: RawShape[] = [
  shapeInPieces('a head broken off', () => [health.slice(0, 10), health.slice(10), '\r\nHost: svc'], {
    ...brokenOff,
    pauseMs: 40,
  }),
  shape('a head ended early', `${health}\r\nHost: svc`, endedEarly),
  shape('a request broken off', head(health), brokenOff),
  shape('nothing at all', '', endedEarly),
  shapeInPieces('one byte, then silence', () => ['G', ''], { ...unfinished, pauseMs: 60 }),
  shapeInPieces(
    'a head in pieces',
    () => ['GET /api/v1/he', 'alth HTTP/1.1\r\nHo', 'st: svc.test\r\n', '\r\n'],
    { ...answeredWith(200), pauseMs: 15 },
  ),
];

const firstLines: RawShape[] = [
  ...shapes(
    'an odd target',
    [
      'GET http://svc.test/api/v1/health HTTP/1.1',
      'GET https://evil.test/ HTTP/1.1',
      'GET //evil.test/ HTTP/1.1',
      'GET svc.test:80 HTTP/1.1',
      'GET * HTTP/1.1',
      'OPTIONS * HTTP/1.1',
      'OPTIONS /api/v1/health HTTP/1.1',
      'TRACE /api/v1/health HTTP/1.1',
      'GET ?a HTTP/1.1',
      'GET http:// HTTP/1.1',
      'GET file:///etc/passwd HTTP/1.1',
      'GET /api/v1/health?a b HTTP/1.1',
      'GET  /api/v1/health HTTP/1.1',
      'GET\t/api/v1/health HTTP/1.1',
      'GET /api/v1/\0health HTTP/1.1',
      'GET /\x7f HTTP/1.1',
      'GET /\r HTTP/1.1',
      'GET  HTTP/1.1',
      'GET /api/v1/health\t HTTP/1.1',
      'OPTIONS http://svc.test/api/v1/health HTTP/1.1',
      'PROPFIND / HTTP/1.1',
      'SOURCE / HTTP/1.1',
      'GET /api/v1/health RTSP/1.0',
      'GET /api/v1/health ICE/1.0',
    ],
    (line) => head(line),
    answered,
  ),
  ...shapes(
    'an invalid method',
    ['FOO', 'get', 'GET,', 'G\0T', 'POSTS', 'HTTP/1.1', '', '\u00ff', 'a'.repeat(9000)],
    (method) => head(`${method} /api/v1/health HTTP/1.1`),
    rejected,
  ),
  ...shapes(
    'CONNECT',
    ['svc.test:443', '127.0.0.1:22', '/api/v1/health'],
    (target) => `${head(`CONNECT ${target} HTTP/1.1`)}${head(health)}`,
    rejected,
  ),
  ...shapes(
    'an upgrade',
    [
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
    ],
    (lines) => head(health, [lines]),
    answered,
  ),
  ...shapes(
    'an invalid version',
    [
      'HTTP/1.2',
      'HTTP/2.0',
      'HTTP/3',
      'HTTP/0.9',
      'HTTP/9.9',
      'HTTP/1',
      'HTTP/1.10',
      'http/1.1',
      'HTTPS/1.1',
      'HTTP/1.1x',
      '',
    ],
    (version) => head(`GET /api/v1/health ${version}`),
    rejected,
  ),
  shape('HTTP/0.9', 'GET /api/v1/health\r\n\r\n', rejected),
  shape('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', rejected),
  shape('a TLS handshake', Buffer.from(`1603010200010001fc0303${'ab'.repeat(200)}`, 'hex'), rejected),
  shape(
    'noise',
    Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 73 + (index >> 3) * 31) & 0xff)),
    rejected,
  ),
  shape('HTTP/1.0', head('GET /api/v1/health HTTP/1.0', [], null), answeredWith(200)),
  shape(
    'HTTP/1.0 kept alive',
    head('GET /api/v1/health HTTP/1.0', ['Connection: keep-alive']),
    answeredWith(200),
  ),
];

/** Node keeps two thousand headers of a request and drops the rest. A dropped header must not change the meaning. */
const manyHeaders = Array.from({ length: 2100 }, () => 'a:');

const hosts: RawShape[] = [
  shape('no host', head(health, [], null), answeredWith(400)),
  ...shapes('two hosts', ['Host: evil.test', host], (line) => head(health, [line]), answeredWith(400)),
  ...shapes(
    'an odd host',
    [
      '',
      ' ',
      'a b',
      'a@b',
      'svc.test/x',
      'svc.test?x',
      'svc.test#x',
      'a,b',
      'svc.test:99999',
      '[::1',
      '[::1]:80',
      '..',
      '\u00e9',
      '%00',
      'a'.repeat(5000),
    ],
    (value) => head(health, [], `Host: ${value}`),
    answered,
  ),
  ...shapes(
    'an unknown host',
    ['evil.test', 'svc.test.evil.test', 'svc.'],
    (value) => head(session, [], `Host: ${value}`),
    answeredWith(403),
  ),
  shape('a host after the last header that is kept', head(health, [...manyHeaders, host], null), answered),
  shape(
    'a second host after the last header that is kept',
    head(health, [...manyHeaders, 'Host: evil.test']),
    answered,
  ),
  shape(
    'a length after the last header that is kept',
    `${head(login, [jsonType, ...manyHeaders, `Content-Length: ${body.length}`])}${body}`,
    answered,
  ),
  shape(
    'a coding after the last header that is kept',
    `${head(login, [jsonType, ...manyHeaders, 'Transfer-Encoding: chunked'])}0\r\n\r\n`,
    answered,
  ),
];

const tooMuch = { ...rejected, statuses: [431] };

const floods: RawShape[] = [
  shape('one long header', head(health, [`X: ${'a'.repeat(70_000)}`]), tooMuch),
  shape('one long name', head(health, [`${'x'.repeat(70_000)}: a`]), tooMuch),
  shape(
    'thousands of headers',
    head(
      health,
      Array.from({ length: 5000 }, (_, index) => `x-${index}: a`),
    ),
    tooMuch,
  ),
  shape('headers without an end', `${health}\r\n${'x: y\r\n'.repeat(100_000)}`, tooMuch),
  shape('a value without an end', `${health}\r\nX: ${'a'.repeat(500_000)}`, tooMuch),
  shape('a long target', head(`GET /${'a'.repeat(70_000)} HTTP/1.1`), rejected),
  shape('a target without an end', `GET /${'a'.repeat(500_000)}`, rejected),
  shape(
    'a thousand cookies',
    head(
      session,
      Array.from({ length: 1000 }, () => 'Cookie: a=b'),
    ),
    answered,
  ),
  shape('line ends without an end', '\r\n'.repeat(50_000), unfinished),
];

export const headShapes: readonly RawShape[] = [...lineEnds, ...starts, ...firstLines, ...hosts, ...floods];
