import { expect, test } from 'vitest';
import { nameOf, recordedName } from './migration.ts';

const statements = ['create table things (\n    id text\n  )', 'create index things_by_id on things (id)'];
const recorded = recordedName('0001-things', statements);

test('a migration is recorded under its name and a digest', () => {
  expect(recorded).toMatch(/^0001-things@[0-9a-f]{12}$/);
  expect(nameOf(recorded)).toBe('0001-things');
});

test.each([
  ['of another type', ['create table things (id bigint)', statements[1] ?? '']],
  ['in another order', statements.toReversed()],
  ['fewer', statements.slice(1)],
  ['more', [...statements, 'drop table things']],
])('other statements have another digest: %s', (_, others) => {
  expect(recordedName('0001-things', others)).not.toBe(recorded);
});

test('line breaks and indentation change no digest', () => {
  const onOneLine = statements.map((statement) => statement.replaceAll(/\s+/g, ' '));
  expect(onOneLine).not.toEqual(statements);
  expect(recordedName('0001-things', onOneLine)).toBe(recorded);
});

test('a name without a digest stays as it is', () => {
  expect(nameOf('0001-things')).toBe('0001-things');
});
