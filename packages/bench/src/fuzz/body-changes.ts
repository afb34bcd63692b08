/** Changes of a request's body: one field, or all of it. */
import { anyText } from '@svc/testkit/any-text';
import fc, { type Arbitrary } from 'fast-check';
import { among, change, drawn, type Change } from './change.ts';
import { largeBodies, oddBodies, oddBytes, oddJson, oddNames } from './odd-bodies.ts';
import { JSON_TYPE, type RequestParts } from './request-bytes.ts';
import { validBody } from './valid-requests.ts';

const ways = ['replace', 'drop', 'repeat', 'add', 'only'] as const;

interface FieldChange {
  readonly how: (typeof ways)[number];
  /** Modulo the number of fields, the index of the field to change. */
  readonly index: number;
  /** The odd value, as a JSON text. */
  readonly json: string;
  /** The name of an added field. */
  readonly name: string;
}

export function bodyChanges(): Arbitrary<Change> {
  const anyJson = fc.oneof(
    fc.constantFrom(...oddJson),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    anyText({ maxLength: 300 }).map((value) => JSON.stringify(value)),
  );
  const fieldChanges = fc.record({
    how: fc.constantFrom(...ways),
    index: fc.nat(),
    json: anyJson,
    name: fc.constantFrom(...oddNames),
  });
  return fc.oneof(
    drawn(60, fieldChanges, (field) =>
      change(`field: ${field.how}`, (request, operation, party) =>
        withBody(request, withField(validBody(operation, party), field)),
      ),
    ),
    drawn(10, anyJson, (json) => whole('JSON', () => Buffer.from(json))),
    among(10, oddBodies, (body) => whole('text', () => body)),
    among(6, oddBytes, (body) => whole('bytes', () => body)),
    drawn(6, fc.uint8Array({ maxLength: 200 }), (body) => whole('bytes', () => Buffer.from(body))),
    among(5, ['none'], (name) => change(`body: ${name}`, (request) => ({ ...request, body: null }))),
    among(1, largeBodies, (make) => whole('large', make)),
  );
}

function whole(name: string, make: () => Buffer): Change {
  return change(`body: ${name}`, (request) => withBody(request, make()));
}

function withBody(request: RequestParts, body: Buffer): RequestParts {
  const typed = request.headers.some(([name]) => name.toLowerCase() === 'content-type');
  return { ...request, body, headers: typed ? request.headers : [...request.headers, JSON_TYPE] };
}

/** Written by hand, since no serializer writes a name twice. */
function withField(body: Record<string, unknown>, { how, index, json, name }: FieldChange): Buffer {
  const fields = Object.entries(body).map(([key, value]) => [JSON.stringify(key), JSON.stringify(value)]);
  const at = fields.length === 0 ? 0 : index % fields.length;
  const chosen = fields[at]?.[0] ?? '"a"';
  if (how === 'replace') fields[at] = [chosen, json];
  else if (how === 'drop') fields.splice(at, 1);
  else if (how === 'repeat') fields.splice(at + (index % 2), 0, [chosen, json]);
  else if (how === 'add') fields.push([JSON.stringify(name), json]);
  else fields.splice(0, fields.length, [chosen, json]);
  return Buffer.from(`{${fields.map(([key, value]) => `${key}:${value}`).join(',')}}`);
}
