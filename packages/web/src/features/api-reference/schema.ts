/** Reads schemas of the document: types, bounds and fields. */
import { counted } from '../../lib/format.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly externalDocs?: { readonly url: string; readonly description: string };
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The name of the object that a schema refers to, if any. */
export function objectNameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

/** `string`, `array of Device`, `integer or null`. */
export function kindOf(schema: Schema): string {
  const name = objectNameOf(schema);
  if (name !== undefined) return name;
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(' or ');
  if (schema.enum) return 'one of';
  if (schema.const !== undefined) return 'always';
  if (schema.type === 'array') return `array of ${schema.items ? kindOf(schema.items) : 'anything'}`;
  if (schema.format === 'date-time') return 'time';
  return kinds[schema.type ?? ''] ?? 'anything';
}

const kinds: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'integer',
  null: 'null',
  number: 'number',
  object: 'object',
  string: 'string',
};

/** The allowed values, as JSON. */
export function valuesOf(schema: Schema): string[] {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value));
  return [schema.items, ...(schema.anyOf ?? [])].flatMap((part) => (part ? valuesOf(part) : []));
}

/** `3 to 254 characters`; empty if there are no bounds. */
export function boundsOf(schema: Schema): string {
  const own = [
    between(schema.minLength, schema.maxLength, 'character'),
    between(schema.minItems, schema.maxItems, 'item'),
    between(schema.minimum, schema.maximum),
  ];
  const inner = [schema.items, ...(schema.anyOf ?? [])].map((part) => (part ? boundsOf(part) : ''));
  return [...own, ...inner].filter(Boolean).join(', ');
}

function between(min: number | undefined, max: number | undefined, unit?: string): string {
  const withUnit = (count: number) =>
    unit === undefined ? count.toLocaleString('en') : counted(count, unit);
  if (min !== undefined && max !== undefined)
    return min === max ? withUnit(max) : `${min.toLocaleString('en')} to ${withUnit(max)}`;
  if (max !== undefined) return `at most ${withUnit(max)}`;
  return min === undefined ? '' : `at least ${withUnit(min)}`;
}

/** The pattern of a string. */
export function patternOf(schema: Schema): string | undefined {
  // The type already names the format.
  if (schema.format !== undefined) return undefined;
  if (schema.pattern !== undefined) return schema.pattern;
  return [schema.items, ...(schema.anyOf ?? [])]
    .map((part) => (part ? patternOf(part) : undefined))
    .find((pattern) => pattern !== undefined);
}

/** The fields of the schema, without those of named objects. */
export function fieldsOf(schema: Schema): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, part]) => ({
    name,
    schema: part,
    isRequired: required.has(name),
  }));
}

/** The schemas with fields that a value of this one may have: itself, its items or its alternatives. */
export function shapesOf(schema: Schema): Schema[] {
  if (schema.$ref !== undefined || schema.properties !== undefined) return [schema];
  return [schema.items, ...(schema.anyOf ?? [])].flatMap((part) => (part ? shapesOf(part) : []));
}

/** The searchable text of a schema: descriptions, values, fields, and the names of objects without their fields. */
export function wordsOf(schema: Schema): string {
  const fields = fieldsOf(schema).map(({ name, schema: part }) => `${name} ${wordsOf(part)}`);
  const inner = [schema.items, ...(schema.anyOf ?? [])].map((part) => (part ? wordsOf(part) : ''));
  return [
    schema.description ?? '',
    objectNameOf(schema) ?? '',
    ...valuesOf(schema),
    ...fields,
    ...inner,
  ].join(' ');
}
