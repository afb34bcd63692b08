import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { checkSource, type CheckMaker } from './compiled-checks.ts';
import { closed, text, time } from './schema.ts';
import { issuesOf, provideCheck, validatorOf } from './validation.ts';

const schemaOfTest = () =>
  closed({
    at: time,
    name: text(1, 5),
    tags: Type.Optional(Type.Array(Type.String({ pattern: '^[a-c]+$' }), { maxItems: 2 })),
  });

/** Evaluates the source of an expression, as a module of the build would. */
const makerOf = (source: string) => runInNewContext(source) as CheckMaker;

test('a check from the build accepts what the compiled schema accepts, and names the same issues', () => {
  const schema = schemaOfTest();
  const compiled = Compile(schema);
  provideCheck(schema, makerOf(checkSource(schemaOfTest())));
  const character = fc.constantFrom('a', '\n', 'é', '😀', '\ud800');
  const value = fc.record(
    {
      at: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01', 3),
      name: fc.oneof(fc.string({ unit: character, maxLength: 6 }), fc.constant(null)),
      tags: fc.array(fc.constantFrom('a', 'abc', 'd'), { maxLength: 3 }),
      other: fc.constant(1),
    },
    { requiredKeys: ['at'] },
  );
  fc.assert(
    fc.property(value, (given) => {
      expect(validatorOf(schema).Check(given)).toBe(compiled.Check(given));
      expect(issuesOf(validatorOf(schema), given)).toEqual(issuesOf(compiled, given));
    }),
  );
  expect(compiled.Check({ at: '2026-01-01T00:00:00Z', name: 'abc', tags: ['a'] })).toBe(true);
});

test('a schema whose check needs its library has no source', () => {
  expect(() => checkSource(Type.Array(Type.String(), { uniqueItems: true }))).toThrow('needs its library');
});
