/**
 * Checks that a build compiles, for programs that may not generate code. The compiled code refers to values such as
 * regular expressions. The program takes those from the same schema, so both must come from one version of the sources.
 */
import type { TSchema } from 'typebox';
import { Build } from 'typebox/schema';

export type Check = (value: unknown) => boolean;

/** The function that a source from `checkSource` evaluates to. */
export type CheckMaker = (external: readonly unknown[]) => Check;

/**
 * The source of an expression for a `CheckMaker`.
 *
 * @throws Error when the check of the schema needs more than its own values.
 */
export function checkSource(schema: TSchema): string {
  const built = Build(schema);
  const code = built.Evaluate().Code();
  if (built.UseUnevaluated() || LIBRARY.test(code))
    throw new Error('The check of the schema needs its library.');
  return `(${built.External().identifier}) => { ${code} }`;
}

/** What the library passes to compiled code besides the values of the schema. */
const LIBRARY = /\b(?:CheckContext|Guard|Hashing)\b/;

/** @param make from the source for the same schema. */
export function checkFrom(schema: TSchema, make: CheckMaker): Check {
  return make(Build(schema).External().variables);
}
