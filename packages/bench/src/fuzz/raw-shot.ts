/** The notation of the raw shapes: bytes, and one of a few expectations. */
import { HOST, ORIGIN } from './request-bytes.ts';
import type { FromWorld, Shot } from './shot.ts';
import type { World } from './world.ts';

type Bytes = string | Buffer;
type Expected = Pick<
  Shot,
  'required' | 'most' | 'mustClose' | 'ending' | 'statuses' | 'mayContinue' | 'pauseMs' | 'methods'
>;

/** Ambiguous framing: one rejection, and the connection is closed. */
export const rejected: Expected = { required: 1, most: 1, mustClose: true, methods: [] };
/** Odd, but one request: exactly one response of any kind. */
export const answered: Expected = { required: 1, most: 1, methods: [] };
/** A response may arrive or not: the request is incomplete, or the connection may be lost first. */
export const unfinished: Expected = { required: 0, most: 1, methods: [] };
/** An incomplete request, after which the sender ends its side of the connection. */
export const endedEarly: Expected = { ...unfinished, ending: 'end' };
/** A request, whole or not, after which the sender resets the connection. */
export const brokenOff: Expected = { ...unfinished, ending: 'reset' };

export function answeredWith(...statuses: number[]): Expected {
  return { required: statuses.length, most: statuses.length, statuses, methods: [] };
}

export interface RawShape {
  readonly label: string;
  /** Sent one after the other. */
  readonly pieces: (world: World) => readonly Bytes[];
  readonly expected: Expected;
}

export function shape(label: string, bytes: Bytes | ((world: World) => Bytes), expected: Expected): RawShape {
  return { label, pieces: (world) => [typeof bytes === 'function' ? bytes(world) : bytes], expected };
}

export function shapeInPieces(label: string, pieces: RawShape['pieces'], expected: Expected): RawShape {
  return { label, pieces, expected };
}

/** One shape for each spelling, all with the same expectation. */
export function shapes(
  label: string,
  spellings: readonly string[],
  bytes: (spelling: string, world: World) => string,
  expected: Expected,
): RawShape[] {
  return spellings.map((spelling) => shape(label, (world) => bytes(spelling, world), expected));
}

export function rawShot({ label, pieces, expected }: RawShape): FromWorld<Shot> {
  return (world) => ({
    kind: 'raw',
    label,
    pieces: pieces(world).map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)),
    ...expected,
  });
}

/** A head: the request line, Host by default, and the given lines. */
export function head(
  requestLine: string,
  lines: readonly string[] = [],
  host: string | null = HOST.join(': '),
): string {
  return [requestLine, ...(host === null ? [] : [host]), ...lines, '', ''].join('\r\n');
}

export const health = 'GET /api/v1/health HTTP/1.1';
export const session = 'GET /api/v1/session HTTP/1.1';
export const login = 'POST /api/v1/auth/login HTTP/1.1';
export const workspaces = 'POST /api/v1/workspaces HTTP/1.1';
export const jsonType = 'Content-Type: application/json';
export const chunked = 'Transfer-Encoding: chunked';

/** A body that `workspaces` accepts. */
export const body = '{"name":"Fuzzed"}';
export const bodyLength = `Content-Length: ${body.length}`;

/** The head of a write with a valid credential, origin and content type. */
export function writeHead(world: World, lines: readonly string[], requestLine = workspaces): string {
  return head(requestLine, [`Cookie: ${world.steadyCookie}`, ORIGIN.join(': '), jsonType, ...lines]);
}
