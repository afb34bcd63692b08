/** The fields of an endpoint's body, from its schema, with values that it must accept or reject. */
import type { Endpoint } from '@svc/contract';

/**
 * The part of a schema that is read here: JSON Schema, with the length limits of a text under a key of the contract's
 * own.
 */
interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  /** The schemas of a field that may be null: its own and that of null. */
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly 'x-length'?: readonly [min: number, max: number];
}

export interface Field {
  readonly keys: readonly string[];
  readonly schema: SchemaNode;
  readonly nullable: boolean;
  readonly required: boolean;
}

/** Every field of the body, at every depth; the first element of an array represents all. */
export function fieldsOf({ body }: Endpoint): Field[] {
  return body ? within(body, []) : [];
}

function within(schema: SchemaNode, keys: readonly string[]): Field[] {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    keys: [...keys, name],
    schema: property.anyOf?.find(({ type }) => type !== 'null') ?? property,
    nullable: property.anyOf?.some(({ type }) => type === 'null') ?? false,
    required: schema.required?.includes(name) ?? false,
  }));
  const below = fields.flatMap((field) => within(field.schema, field.keys));
  const ofItems = schema.items ? within(schema.items, [...keys, '0']) : [];
  return [...fields, ...below, ...ofItems];
}

/** The objects of the body, at every depth, by their keys; the body itself is the first. */
export function objectsOf(endpoint: Endpoint): (readonly string[])[] {
  return [
    [],
    ...fieldsOf(endpoint)
      .filter(({ schema }) => schema.properties)
      .map(({ keys }) => keys),
  ];
}

export function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function valueAt(body: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], body);
}

/** A copy with another value at one path, set as an own field whatever its name. */
export function replacedAt(body: unknown, keys: readonly string[], value: unknown): unknown {
  const copy = structuredClone(body);
  const holder = valueAt(copy, keys.slice(0, -1)) as object;
  Object.defineProperty(holder, keys.at(-1) ?? '', {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy;
}

export function without(body: unknown, keys: readonly string[]): unknown {
  const copy = structuredClone(body);
  Reflect.deleteProperty(valueAt(copy, keys.slice(0, -1)) as object, keys.at(-1) ?? '');
  return copy;
}

/** A part of rejected values that no response may contain. */
export const CANARY = 'canary7f3a9c';
const CANARY_NUMBER = 7_331_133_737;
export const canaries = [CANARY, String(CANARY_NUMBER)];

/** Values of every type. */
export const valuesOfAllTypes: readonly unknown[] = [
  CANARY,
  CANARY_NUMBER,
  -0.5,
  true,
  null,
  [CANARY],
  [],
  { [CANARY]: CANARY },
  { toString: CANARY, length: 20 },
];

export function isOfWrongType({ schema, nullable }: Field, value: unknown): boolean {
  if (nullable && value === null) return false;
  if (schema.enum !== undefined) return true;
  return typeOf(value) !== schema.type && !(schema.type === 'integer' && Number.isInteger(value));
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}

const LETTERS = 'qwzxkvbjpfgm';

/** Ways to create a text of a given length in code points. Its UTF-16 units, bytes and visible characters differ. */
const makers: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) =>
    Array.from({ length }, (_, at) => LETTERS[(at * at + at * 5) % LETTERS.length]).join(''),
  'characters beyond the first plane': (length) => '\u{1d54f}'.repeat(length),
  'combining marks': (length) => (length === 0 ? '' : `e${'\u0301'.repeat(length - 1)}`),
  'joined emoji': (length) =>
    Array.from({ length }, (_, at) => (at % 2 === 0 ? '\u{1f469}' : '\u200d')).join(''),
};

interface BoundedText {
  readonly title: string;
  readonly accepted: boolean;
  readonly value: string;
}

/** Texts at the length limits of a field and just beyond them; none when the field has no limits of its own. */
export function textsAround({ schema }: Field, sample: unknown): BoundedText[] {
  const bounds = schema['x-length'];
  if (!bounds) return [];
  const [min, max] = bounds;
  const domain = '@b.example';
  const isEmail = typeof sample === 'string' && sample.includes('@');
  const kinds = isEmail
    ? {
        address: (length: number) =>
          length > 11 ? 'a'.repeat(length - domain.length) + domain : 'a@bcdefghijk'.slice(0, length),
      }
    : makers;
  return Object.entries(kinds).flatMap(([kind, make], at) =>
    (at === 0 ? [min - 1, min, max, max + 1] : [max, max + 1])
      .filter((length) => length >= 0)
      .map((length) => ({
        title: `${length} of ${kind}`,
        accepted: length >= min && length <= max,
        value: make(length),
      })),
  );
}
