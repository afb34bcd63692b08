/**
 * Redacts secrets in text and in JSON, and finds where there are any. A marker names the kind of the secret, has
 * spaces so that it is not part of any address or token, and is itself not a secret: redacting again changes
 * nothing.
 */
import { limits } from '@svc/contract';
import { findSecrets, hasSecret } from './secrets.ts';

export interface Redaction {
  readonly text: string;
  /** The number of redacted secrets. */
  readonly count: number;
}

/** Redacting one secret can reveal another that was too close to it. In practice no text needs a third pass. */
const LOOKS_MAX = 8;

export function redactText(text: string): Redaction {
  let rest = text;
  let count = 0;
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const secrets = findSecrets(rest);
    if (secrets.length === 0) return { text: rest, count };
    count += secrets.length;
    const parts: string[] = [];
    let from = 0;
    for (const { kind, start, end } of secrets) {
      parts.push(rest.slice(from, start), marker(kind));
      from = end;
    }
    rest = parts.join('') + rest.slice(from);
  }
  return { text: marker('text'), count };
}

function marker(kind: string): string {
  return `[redacted ${kind}]`;
}

export interface DeepRedaction<Value> {
  readonly value: Value;
  readonly count: number;
  /** JSON pointers to the changed texts and fields, by their new names. */
  readonly paths: readonly string[];
}

/** Reports are never nested deeper. */
const DEPTH_MAX = 500;

/**
 * JSON without secrets in its texts and in the names of its fields. A value without secrets is not copied. The shape
 * stays, and so does the type except for the names of fields.
 *
 * @throws RangeError when the value is nested more than 500 levels deep.
 */
export function redactDeep<Value>(value: Value): DeepRedaction<Value> {
  const paths: string[] = [];
  let count = 0;
  return { value: clean(value, '', 0) as Value, count, paths };

  function clean(part: unknown, path: string, depth: number): unknown {
    if (typeof part === 'string') return cleanText(part, path);
    if (typeof part !== 'object' || part === null) return part;
    if (depth >= DEPTH_MAX) throw new RangeError(`The value is nested more than ${DEPTH_MAX} levels deep.`);
    return Array.isArray(part) ? cleanItems(part, path, depth + 1) : cleanFields(part, path, depth + 1);
  }

  function cleanText(text: string, path: string): string {
    const redaction = redactText(text);
    if (redaction.count === 0) return text;
    count += redaction.count;
    paths.push(path);
    return redaction.text;
  }

  function cleanItems(items: readonly unknown[], path: string, depth: number): readonly unknown[] {
    let isChanged = false;
    const cleaned = items.map((item, index) => {
      const cleanItem = clean(item, `${path}/${index}`, depth);
      isChanged ||= cleanItem !== item;
      return cleanItem;
    });
    return isChanged ? cleaned : items;
  }

  function cleanFields(fields: object, path: string, depth: number): object {
    const entries = Object.entries(fields) as [string, unknown][];
    const taken = new Set(entries.map(([name]) => name));
    let isChanged = false;
    const cleaned = entries.map(([name, field]): [string, unknown] => {
      const redaction = redactText(name);
      const cleanName = redaction.count === 0 ? name : free(redaction.text, taken);
      const fieldPath = `${path}/${escaped(cleanName)}`;
      if (redaction.count > 0) {
        count += redaction.count;
        paths.push(fieldPath);
      }
      const cleanField = clean(field, fieldPath, depth);
      isChanged ||= cleanField !== field || cleanName !== name;
      return [cleanName, cleanField];
    });
    return isChanged ? Object.fromEntries(cleaned) : fields;
  }
}

/** Keeps fields with equal redacted names apart. */
function free(name: string, taken: Set<string>): string {
  let found = name;
  for (let number = 2; taken.has(found); number += 1) found = `${name} ${number}`;
  taken.add(found);
  return found;
}

interface JsonNode {
  readonly value: unknown;
  readonly parent?: JsonNode;
  readonly name?: string | number;
}

/**
 * JSON pointers to the texts that contain a secret and to the fields whose names do, up to a maximum, in the order
 * of the document. The pointers themselves contain no secret. Takes JSON of any depth.
 */
export function secretPaths(value: unknown, max: number = limits.issuesMax): string[] {
  const found: string[] = [];
  const waiting: JsonNode[] = [{ value }];
  for (let place = waiting.pop(); place !== undefined && found.length < max; place = waiting.pop()) {
    const isNamedSo = typeof place.name === 'string' && hasSecret(place.name);
    if (isNamedSo || (typeof place.value === 'string' && hasSecret(place.value))) found.push(pointer(place));
    if (typeof place.value !== 'object' || place.value === null) continue;
    const parent = place;
    const inner: JsonNode[] = Array.isArray(place.value)
      ? place.value.map((item: unknown, name) => ({ value: item, parent, name }))
      : Object.entries(place.value).map(([name, field]) => ({ value: field as unknown, parent, name }));
    for (const item of inner.toReversed()) waiting.push(item);
  }
  return found;
}

function pointer(place: JsonNode): string {
  const names: string[] = [];
  for (let at: JsonNode | undefined = place; at?.name !== undefined; at = at.parent)
    names.push(escaped(redactText(String(at.name)).text));
  return names
    .toReversed()
    .map((name) => `/${name}`)
    .join('');
}

/** A JSON pointer whose names contain no secret. Escaping changes a name, so each is checked unescaped. */
export function redactPointer(path: string): string {
  return path
    .split('/')
    .map((name) => escaped(redactText(name.replaceAll('~1', '/').replaceAll('~0', '~')).text))
    .join('/');
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
