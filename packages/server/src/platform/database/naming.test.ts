import fc from 'fast-check';
import { expect, test } from 'vitest';
import { databaseName, namingPlugin } from './naming.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const codeName = fc
  .tuple(word, fc.array(word, { maxLength: 3 }))
  .map(([first, others]) =>
    [first, ...others.map((other) => `${other.charAt(0).toUpperCase()}${other.slice(1)}`)].join(''),
  );

const asInCode = async (row: Record<string, unknown>) =>
  (await namingPlugin.transformResult({ queryId: { queryId: 'any' }, result: { rows: [row] } })).rows[0];

test('a name is read from the database as it is in the code', async () => {
  const property = fc.asyncProperty(codeName, async (name) => {
    expect(databaseName(name)).toMatch(/^[a-z0-9_]+$/);
    expect(await asInCode({ [databaseName(name)]: 1 })).toEqual({ [name]: 1 });
  });
  await fc.assert(property);
});

test("names in the database's form are written unchanged", () => {
  expect(['kysely_migration', 'sha256', 'id'].map(databaseName)).toEqual([
    'kysely_migration',
    'sha256',
    'id',
  ]);
});

test('each row of a result has its own values under the names of the code', async () => {
  const rows = [
    { user_id: 'a', revoked_at: null },
    { user_id: 'b', revoked_at: 5 },
  ];
  const result = { rows, numAffectedRows: 2n };
  expect(await namingPlugin.transformResult({ queryId: { queryId: 'any' }, result })).toEqual({
    numAffectedRows: 2n,
    rows: [
      { userId: 'a', revokedAt: null },
      { userId: 'b', revokedAt: 5 },
    ],
  });
});
