/**
 * Converts schemas to language-neutral JSON Schema: removes the internal keys of the builder, publishes lengths under
 * their standard names, and turns schemas with a title into references to one shared definition.
 */
import { LENGTH_KEY } from './schema.ts';

export type JsonSchema = { [key: string]: unknown };

export class SchemaPublisher {
  readonly definitions: Record<string, JsonSchema> = {};
  readonly #prefix: string;

  constructor(referencePrefix: string) {
    this.#prefix = referencePrefix;
  }

  /** The published form of a schema; parts with a title are added to `definitions`. */
  publish(schema: unknown): JsonSchema {
    return this.#visit(schema) as JsonSchema;
  }

  #visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#visit(item));
    if (typeof node !== 'object' || node === null) return node;
    const title = (node as { title?: unknown }).title;
    if (typeof title !== 'string') return this.#plain(node);
    if (!(title in this.definitions)) {
      this.definitions[title] = {};
      this.definitions[title] = this.#plain(node);
    }
    return { $ref: `${this.#prefix}${title}` };
  }

  #plain(node: object): JsonSchema {
    const published: JsonSchema = {};
    for (const [key, value] of Object.entries(node)) {
      if (key.startsWith('~') || key === 'title') continue;
      if (key === LENGTH_KEY) {
        const [min, max] = value as [number, number];
        if (min > 0) published['minLength'] = min;
        published['maxLength'] = max;
      } else if (key === 'properties') {
        published[key] = Object.fromEntries(
          Object.entries(value as object).map(([name, property]) => [name, this.#visit(property)]),
        );
      } else {
        published[key] = this.#visit(value);
      }
    }
    return published;
  }
}
