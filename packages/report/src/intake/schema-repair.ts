/**
 * Makes a value fit a schema, field by field. It shortens long texts, completes short ones and normalizes
 * categories. It drops what cannot be valid, with the smallest optional part around it. Each change is reported, and
 * valid values are left unchanged.
 */
import { Category, codePointsWithin, LENGTH_KEY, limits } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import type { TSchema } from 'typebox';
import { normalizedCategory } from './adjustments.ts';
import { redactCategory } from './redact-category.ts';

const repairKinds = ['dropped', 'shortened', 'completed', 'renamed'] as const;
export type RepairKind = (typeof repairKinds)[number];

export interface Repair {
  /** A JSON pointer into the given value; the name of an unknown field is left empty. */
  readonly path: string;
  readonly kind: RepairKind;
}

export interface Repaired<Value> {
  /** Undefined when the value as a whole cannot be made valid. */
  readonly value: Value | undefined;
  readonly repairs: readonly Repair[];
}

/** The parts of a schema that decide how a value is repaired. */
interface Node extends TSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly [LENGTH_KEY]?: readonly [min: number, max: number];
}

const { pattern: CATEGORY_PATTERN } = Category as Node;

/** Marks a value that cannot be made valid. */
const NONE = Symbol('none');

/** Returns the same object when it is already valid. */
export function repaired<Value>(schema: TSchema, value: unknown): Repaired<Value> {
  if (validatorOf(schema).Check(value)) return { value: value as Value, repairs: [] };
  const repairs: Repair[] = [];
  const whole = mend(schema, value, '');
  const isValid = whole !== NONE && validatorOf(schema).Check(whole);
  return { value: isValid ? (whole as Value) : undefined, repairs };

  function mend(node: Node, given: unknown, path: string): unknown {
    if (node.properties !== undefined) return mendFields(node, node.properties, given, path);
    if (node.items !== undefined) return mendItems(node, node.items, given, path);
    if (validatorOf(node).Check(given)) return given;
    return typeof given === 'string' ? mendText(node, given, path) : NONE;
  }

  function mendFields(node: Node, properties: Readonly<Record<string, Node>>, given: unknown, path: string) {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return NONE;
    const isRequired = new Set(node.required);
    const entries: [string, unknown][] = [];
    for (const [name, field] of Object.entries(given)) {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (inner === undefined) {
        if (field !== undefined) repairs.push({ path: `${path}/`, kind: 'dropped' });
        continue;
      }
      if (field === undefined && !isRequired.has(name)) continue;
      const mended = mend(inner, field, `${path}/${name}`);
      if (mended !== NONE) entries.push([name, mended]);
      else if (isRequired.has(name)) return NONE;
      else repairs.push({ path: `${path}/${name}`, kind: 'dropped' });
    }
    const known = new Set(entries.map(([name]) => name));
    return [...isRequired].every((name) => known.has(name)) ? Object.fromEntries(entries) : NONE;
  }

  function mendItems(node: Node, inner: Node, given: unknown, path: string) {
    if (!Array.isArray(given)) return NONE;
    const max = node.maxItems ?? Number.MAX_SAFE_INTEGER;
    const kept: unknown[] = [];
    for (const [index, item] of given.entries()) {
      const mended = kept.length < max ? mend(inner, item, `${path}/${index}`) : NONE;
      if (mended === NONE) repairs.push({ path: `${path}/${index}`, kind: 'dropped' });
      else kept.push(mended);
    }
    return kept.length < (node.minItems ?? 0) ? NONE : kept;
  }

  function mendText(node: Node, given: string, path: string): unknown {
    if (node.pattern === CATEGORY_PATTERN) return changed(node, categoryFrom(given), path, 'renamed');
    const bounds = node[LENGTH_KEY];
    if (bounds === undefined || node.pattern !== undefined) return NONE;
    const [min, max] = bounds;
    const formed = given.toWellFormed();
    const isLong = !codePointsWithin(formed, 0, max);
    const fitting = isLong ? cutText(formed, max) : completed(formed, min);
    return changed(node, fitting, path, isLong ? 'shortened' : 'completed');
  }

  function changed(node: Node, text: string, path: string, kind: RepairKind) {
    if (!validatorOf(node).Check(text)) return NONE;
    repairs.push({ path, kind });
    return text;
  }
}

const OTHER_CATEGORY = 'other';

function categoryFrom(given: string): string {
  const { categoryLengthMin, categoryLengthMax } = limits.finding;
  // Redacts first, since normalization makes a token between underscores unrecognizable.
  const { text } = redactCategory(given);
  const category = normalizedCategory(text).slice(0, categoryLengthMax).replace(/_$/, '');
  return category.length < categoryLengthMin ? OTHER_CATEGORY : category;
}

function cutText(text: string, max: number): string {
  const kept: string[] = [];
  for (const character of text) {
    if (kept.length >= max - 1) break;
    kept.push(character);
  }
  return `${kept.join('')}…`;
}

const NO_MORE = '(no further description)';

function completed(text: string, min: number): string {
  if (codePointsWithin(text, min, Number.MAX_SAFE_INTEGER)) return text;
  return text.trim() === '' ? NO_MORE : `${text} ${NO_MORE}`;
}

/** `2 fields were not valid in a report: 1 dropped (tags), 1 shortened (title).`; empty without repairs. */
export function repairsSentence(repairs: readonly Repair[]): string {
  if (repairs.length === 0) return '';
  const parts = repairKinds.flatMap((kind) => {
    const paths = repairs.filter((repair) => repair.kind === kind).map(({ path }) => path);
    const names = [...new Set(paths.map(nameOf))].toSorted();
    return paths.length === 0 ? [] : [`${paths.length} ${kind} (${names.slice(0, 8).join(', ')})`];
  });
  const fields = repairs.length === 1 ? '1 field was' : `${repairs.length} fields were`;
  return `${fields} not valid in a report: ${parts.join(', ')}.`;
}

/** `evidence snippet` for `/findings/3/evidence/0/snippet`. The names come from the schema. */
function nameOf(path: string): string {
  const names = path
    .split('/')
    .slice(1)
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => (name === '' ? 'unknown field' : name));
  return (names[0] === 'findings' ? names.slice(1) : names).join(' ') || 'finding';
}
