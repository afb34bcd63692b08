/** Changes of everything in a request except its body: method, address, credential, headers, framing. */
import fc, { type Arbitrary } from 'fast-check';
import { among, change, drawn, type Change, type Weighted } from './change.ts';
import { oddContentCodings, oddContentTypes, oddHeaders } from './odd-headers.ts';
import { oddMethods, oddQueries, oddSegments, oddTargets } from './odd-targets.ts';
import { ORIGIN, type Header, type RequestParts } from './request-bytes.ts';
import { targetOf, validParams } from './valid-requests.ts';
import type { Party } from './world.ts';

const CHUNKS_MAX = 5000;

export function headChanges(): Weighted<Change>[] {
  return [
    drawn(12, segments(), parameter),
    among(8, oddQueries, (query) => change('query', (given) => ({ ...given, target: given.target + query }))),
    among(10, Object.keys(credentials), credential),
    among(6, oddMethods, (method) => change('method', (given) => ({ ...given, method }))),
    among(5, oddTargets, (target) => change('target', (given) => ({ ...given, target }))),
    among(6, oddContentTypes, (type) => header('content type', ['Content-Type', type])),
    among(3, oddContentCodings, (coding) => header('coding', ['Content-Encoding', coding])),
    among(10, oddHeaders, (line) => header('header', line)),
    among(4, [1, 2, 7, 1000, 65_536], (chunkBytes) =>
      change('chunks', (given) => chunked(given, chunkBytes)),
    ),
  ];
}

/** Adds a header, in place of any others of the same name. */
function header(label: string, line: Header): Change {
  const isOther = ([name]: Header) => name.toLowerCase() !== line[0].toLowerCase();
  return change(label, (given) => ({ ...given, headers: [...given.headers.filter(isOther), line] }));
}

/** A body of megabytes in chunks of one byte would measure this program and not the service. */
function chunked(given: RequestParts, chunkBytes: number): RequestParts {
  return given.body && given.body.length / chunkBytes < CHUNKS_MAX ? { ...given, chunkBytes } : given;
}

interface Segment {
  /** Modulo the number of parameters, the index of the parameter to change. */
  readonly index: number;
  readonly text: (party: Party) => string;
}

function segments(): Arbitrary<Segment> {
  const texts = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...oddSegments).map((text) => () => text) },
    { weight: 3, arbitrary: fc.nat().map((index) => (party: Party) => anyId(party, index)) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => () => encodeURIComponent(text)),
    },
  );
  return fc.record({ index: fc.nat(), text: texts });
}

function anyId({ ids }: Party, index: number): string {
  const all = Object.values(ids);
  return all[index % all.length] ?? '';
}

function parameter({ index, text }: Segment): Change {
  return change('parameter', (given, operation, party) => {
    const right = validParams(operation, party);
    if (right.length === 0) return given;
    return { ...given, target: targetOf(operation, right.with(index % right.length, text(party))) };
  });
}

const credentials: Readonly<Record<string, (party: Party) => Header[]>> = {
  none: () => [],
  session: ({ cookie }) => [['Cookie', cookie], ORIGIN],
  'session without origin': ({ cookie }) => [['Cookie', cookie]],
  device: ({ deviceToken }) => [bearer(deviceToken)],
  both: ({ cookie, deviceToken }) => [['Cookie', cookie], ORIGIN, bearer(deviceToken)],
  revoked: ({ revokedDeviceToken }) => [bearer(revokedDeviceToken)],
  "another's": ({ otherCookie }) => [['Cookie', otherCookie], ORIGIN],
  'token as cookie': ({ deviceToken }) => [['Cookie', `svc_session=${deviceToken}`], ORIGIN],
  'cookie as token': ({ cookie }) => [bearer(cookie.replace('svc_session=', ''))],
  'two cookies': ({ cookie, otherCookie }) => [['Cookie', otherCookie], ['Cookie', cookie], ORIGIN],
  'two tokens': ({ deviceToken, revokedDeviceToken }) => [bearer(revokedDeviceToken), bearer(deviceToken)],
  'cut short': ({ cookie }) => [['Cookie', cookie.slice(0, -1)], ORIGIN],
  'made up': () => [['Cookie', `svc_session=${'A'.repeat(43)}`], ORIGIN],
  basic: () => [['Authorization', 'Basic dXNlcjpwYXNzd29yZA==']],
};
const credentialHeaders = new Set(['cookie', 'authorization', 'origin']);

function bearer(token: string): Header {
  return ['Authorization', `Bearer ${token}`];
}

function credential(kind: string): Change {
  return change('credential', (given, _operation, party) => {
    const others = given.headers.filter(([name]) => !credentialHeaders.has(name.toLowerCase()));
    return { ...given, headers: [...others, ...(credentials[kind]?.(party) ?? [])] };
  });
}
