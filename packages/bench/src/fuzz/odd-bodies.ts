/** Bodies, fields and values on which similar programs have failed. */
import { limits } from '@svc/contract';

/** JSON texts, some of which no serializer would write. */
export const oddJson: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e999',
  '-1e999',
  '5e-324',
  '9007199254740993',
  '1'.repeat(400),
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\u202e"',
  '"\\ufeff"',
  '"\\r\\nset-cookie: a=b"',
  '"__proto__"',
  '"constructor"',
  '"<script>alert(1)</script>"',
  '"%00"',
  '"../../etc/passwd"',
  '"\' OR 1=1 --"',
  '"a@b"',
  '"@"',
  '"a@b@c"',
  `"${'a'.repeat(64)}@${'b.'.repeat(90)}c"`,
  `"${'x'.repeat(255)}"`,
  `"${'e\\u0301'.repeat(300)}"`,
  `"${'\\ud83d\\ude00'.repeat(200)}"`,
  `"${'a\\u0300'.repeat(1000)}"`,
  `"${'\\u0000'.repeat(300)}"`,
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '{"":""}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"toString":null,"valueOf":null}',
  '{"length":1e9}',
  '{"toJSON":"x"}',
  '{"then":1}',
  '"2026-13-45T99:99:99Z"',
];

/** Names of fields to add: unusual ones, and ones that would change too much if they were accepted. */
export const oddNames: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  ' ',
  'isAdmin',
  'adminFlag',
  'userId',
  'id',
  'plan',
  'role',
  'email ',
  'Email',
  '\u0000',
  '\ud800',
  'x'.repeat(1000),
];

/** Texts that replace a whole body: odd JSON, or no JSON at all. */
export const oddBodies: readonly Buffer[] = [
  '',
  ' ',
  '\n',
  '{',
  '}',
  '[',
  '"',
  '{"a"',
  '{"a":',
  '{"a":1,}',
  '[1,]',
  '{a:1}',
  "{'a':1}",
  '{"a":1}{"a":1}',
  '{"a":1} x',
  'NaN',
  'Infinity',
  '-',
  '01',
  '+1',
  '.5',
  '1.',
  '0x10',
  'undefined',
  'nul',
  'TRUE',
  '//c\n{}',
  '{}/**/',
  '"\t"',
  '"\u0001"',
  '"\\x41"',
  '"\\u12"',
  '"\\',
  '\ufeff{}',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '[{}]',
  'a=b&c=d',
  '<a/>',
  '--x\r\n\r\n--x--',
  '{"__proto__":null}',
  '{"a":1,"a":2}',
  '\u00a0{}',
  '{}\0',
  '\0',
].map((text) => Buffer.from(text));

/** Bytes that are not JSON in UTF-8. */
export const oddBytes: readonly Buffer[] = [
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Buffer.from([0x22, 0xf5, 0x80, 0x80, 0x80, 0x22]),
  Buffer.from([0x22, 0xe2, 0x82]),
  Buffer.from('{"email":"a"}', 'utf16le'),
  Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
  Buffer.alloc(1000),
  Buffer.alloc(1000, 0xff),
];

const LIMIT = limits.jsonBodyBytesMax;

/** Bodies around the limits of size, depth and parts. Created only when they are sent. */
export const largeBodies: readonly (() => Buffer)[] = [
  () => filled(LIMIT, '[', '0,', '0]'),
  () => filled(LIMIT, '[', '{},', '0]'),
  () => filled(LIMIT, '[', '[],', '0]'),
  () => filled(199_990, '[', '0,', '0]'),
  () => filled(LIMIT, '"', 'a', '"'),
  () => filled(LIMIT, '{"email":"', 'a@', '"}'),
  () => filled(LIMIT, '{"password":"', '\\ud83d\\ude00', '"}'),
  () => filled(LIMIT, '{"name":"', ' ', '"}'),
  () => filled(LIMIT, '{"name":"', '\u0300', '"}'),
  () => filled(LIMIT, '', '9', '9'),
  () => filled(LIMIT, '0.', '0', '1'),
  () => filled(LIMIT, '', ' ', '0'),
  () => filled(LIMIT, '"', '\\u0000', '"'),
  () => filled(LIMIT, '{', '"a":0,', '"a":0}'),
  () => manyFields(50_000),
  () => manyFields(90_000),
  () => filled(LIMIT + 1, '"', 'a', '"'),
  () => filled(LIMIT + 65_536, '[', '0,', '0]'),
  () => filled(2 * LIMIT, '"', 'a', '"'),
  ...[63, 64, 65, 1000, 100_000, 500_000].flatMap((depth) => [
    () => Buffer.from('['.repeat(depth) + ']'.repeat(depth)),
    () => Buffer.from('['.repeat(depth)),
    () => Buffer.from(`${'{"a":'.repeat(Math.min(depth, 200_000))}1`),
  ]),
];

function filled(sizeBytes: number, begin: string, part: string, end: string): Buffer {
  const partBytes = Buffer.byteLength(part);
  const count = Math.floor((sizeBytes - Buffer.byteLength(begin) - Buffer.byteLength(end)) / partBytes);
  return Buffer.from(begin + part.repeat(count) + end);
}

function manyFields(count: number): Buffer {
  return Buffer.from(
    `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`,
  );
}
