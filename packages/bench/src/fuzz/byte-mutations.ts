/** Valid requests as bytes, then damaged: bytes flipped, inserted, removed, repeated, mixed and cut off. */
import { operations } from '@svc/contract';
import fc, { type Arbitrary } from 'fast-check';
import { bytesOf, HOST, JSON_TYPE, type RequestParts } from './request-bytes.ts';
import type { FromWorld, Shot } from './shot.ts';
import { partyFor, validRequest } from './valid-requests.ts';
import type { World } from './world.ts';

/** `at` and `to` are fractions from 0 to 1, since the bytes are known only when they are sent. */
interface Mutation {
  readonly how: (typeof ways)[number];
  readonly at: number;
  readonly to: number;
  readonly value: number;
}

const ways = ['flip', 'set', 'insert', 'delete', 'repeat', 'splice', 'cut', 'swap case'] as const;

/** Bytes with a meaning for a parser. */
const telling = Buffer.from('\r\n\t\0 :;,/?%{}[]"\\0-9aHTP\x7f\x80\xff', 'latin1');
const REPEATED_BYTES_MAX = 200;

const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const mutations: Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom(...ways),
  at: fc.oneof(
    unit,
    unit.map((part) => part * 0.2),
  ),
  to: unit,
  value: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...telling)),
});

export const byteShots: Arbitrary<FromWorld<Shot>> = fc
  .tuple(fc.nat(), fc.nat(), fc.array(mutations, { minLength: 1, maxLength: 6 }))
  .map(([first, second, applied]) => (world) => {
    const recorded = recordedRequest(first, world);
    const other = recordedRequest(second, world);
    const bytes = applied.reduce((current, mutation) => mutate(current, mutation, other), recorded);
    const ending = applied.find(({ how }) => how === 'cut') ? 'cut' : 'changed';
    return {
      kind: 'bytes',
      label: isWhole(bytes) ? `${ending}, whole` : `${ending}, possibly incomplete`,
      pieces: [bytes],
      methods: methodsIn(bytes),
      required: isWhole(bytes) ? 1 : 0,
      most: countOf(bytes, 'HTTP/') + 2,
      ...(/expect/i.test(bytes.toString('latin1')) ? { mayContinue: () => true } : {}),
    };
  });

function recordedRequest(index: number, world: World): Buffer {
  const { resident } = world;
  const special: (() => RequestParts)[] = [
    () => ({ ...validRequest('createProject', resident), chunkBytes: 20 }),
    () => ({ ...validRequest('createWorkspace', resident), chunkBytes: 7 }),
    () => ({
      method: 'GET',
      target: `/link/${resident.ids.pendingLink}`,
      headers: [HOST, ['Cookie', resident.cookie]],
      body: null,
    }),
    () => ({ method: 'GET', target: '/.well-known/security.txt?a=b', headers: [HOST], body: null }),
    () => ({
      method: 'POST',
      target: '/api/v1/workspaces',
      headers: [
        HOST,
        ['Authorization', `Bearer ${resident.deviceToken}`],
        JSON_TYPE,
        ['Expect', '100-continue'],
      ],
      body: Buffer.from('{"name":"Fuzzed"}'),
    }),
  ];
  const at = index % (operations.length + special.length);
  const operation = operations[at];
  const request =
    operation === undefined
      ? special[at - operations.length]?.()
      : validRequest(operation, partyFor(operation, world));
  return request ? bytesOf(request) : Buffer.alloc(0);
}

function mutate(bytes: Buffer, { how, at, to, value }: Mutation, other: Buffer): Buffer {
  const begin = Math.floor(at * bytes.length);
  const end = Math.min(bytes.length, begin + 1 + Math.floor(to * to * REPEATED_BYTES_MAX));
  const before = bytes.subarray(0, begin);
  const after = bytes.subarray(begin + 1);
  const was = bytes[begin] ?? 0;
  switch (how) {
    case 'flip':
      return Buffer.concat([before, Buffer.from([was ^ (1 << (value & 7))]), after]);
    case 'set':
      return Buffer.concat([before, Buffer.from([value]), after]);
    case 'insert':
      return Buffer.concat([
        before,
        Buffer.alloc(1 + (Math.floor(to * 8) % 8), value),
        bytes.subarray(begin),
      ]);
    case 'delete':
      return Buffer.concat([before, bytes.subarray(end)]);
    case 'repeat':
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(begin)]);
    case 'splice':
      return Buffer.concat([before, other.subarray(Math.floor(to * other.length))]);
    case 'cut':
      return before;
    case 'swap case':
      return Buffer.concat([
        before,
        Buffer.from(bytes.toString('latin1', begin, end).toUpperCase(), 'latin1'),
        bytes.subarray(end),
      ]);
  }
}

/**
 * True when every parser must see at least one request here, valid or not: a complete head, and at least the declared
 * body. Doubtful cases are false.
 */
function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const head = bytes.toString('latin1', 0, headEnd);
  if (/transfer|expect|upgrade/i.test(head)) return false;
  // A server ignores empty lines before a request, so this is no request.
  if (/^\s*$/.test(head)) return false;
  return Math.max(0, ...lengthsIn(head)) <= bytes.length - headEnd - 4;
}

/** The methods of the requests, as far as they can be parsed. They matter because responses to HEAD have no body. */
function methodsIn(bytes: Buffer): string[] {
  return linesOf(bytes.toString('latin1')).flatMap((line) => {
    const words = line.split(' ');
    const version = words.findLastIndex((word) => word.includes('HTTP/'));
    const methods = words.slice(0, Math.max(version, 0)).map((word) => word.split(/[^A-Za-z-]/).at(-1) ?? '');
    return methods.filter((method) => method !== '').slice(0, 1);
  });
}

/** The first number after each "length", if it is on the same line. */
function lengthsIn(head: string): number[] {
  return linesOf(head.toLowerCase()).flatMap((line) =>
    line
      .split('length')
      .slice(1)
      .flatMap((rest) => /^\D*(\d+)/.exec(rest)?.[1] ?? [])
      .map(Number),
  );
}

function linesOf(text: string): string[] {
  return text.split(/[\r\n]/);
}

function countOf(bytes: Buffer, text: string): number {
  return bytes.toString('latin1').split(text).length - 1;
}
