import { expect, test } from 'vitest';
import { statementNameOf } from './observed-dialect.ts';
import { openSqlite } from './sqlite.ts';

test.each([
  ['select "id" from "users" where "email" = ?', 'SELECT', 'users'],
  ['insert into "audit_log" ("id") values (?)', 'INSERT', 'audit_log'],
  ['update "shares" set "ended_at" = ?', 'UPDATE', 'shares'],
  ['delete from "sessions" where "id" in (?, ?)', 'DELETE', 'sessions'],
  ['with "x" as (select 1) select * from "x"', 'WITH', 'x'],
  ['select pg_advisory_xact_lock(1) from unnest($1::text[]) as name', 'SELECT', undefined],
  ['PRAGMA wal_checkpoint(TRUNCATE)', 'OTHER', undefined],
  ['', 'OTHER', undefined],
])('the operation and the table of %j are %s and %s', (sql, operation, table) => {
  expect(statementNameOf(sql)).toEqual({ operation, table });
});

test.each([
  `select * from 'Emil' where "users" = 1`,
  'select * from "Emil 1984"',
  'select * from "usr_01HX"',
  `secret "users"`,
])('no table is reported for the statement %j', (sql) => {
  expect(statementNameOf(sql).table).toBeUndefined();
});

test('statements and transactions of a database are observed, including those that fail', async () => {
  const seen: string[] = [];
  const database = await openSqlite(':memory:', {
    observe({ operation, table }, work) {
      seen.push(table === undefined ? operation : `${operation} ${table}`);
      return work();
    },
  });
  try {
    seen.length = 0;
    await database.read.selectFrom('users').select('id').execute();
    const adding = database.transaction(async (tx) => {
      await tx.deleteFrom('sessions').execute();
      throw new Error('undone');
    });
    await expect(adding).rejects.toThrow('undone');
    await database.transaction((tx) => tx.deleteFrom('sessions').execute());
  } finally {
    await database.close();
  }
  expect(seen).toEqual([
    'CONNECT',
    'SELECT users',
    'CONNECT',
    'BEGIN',
    'DELETE sessions',
    'ROLLBACK',
    'CONNECT',
    'BEGIN',
    'DELETE sessions',
    'COMMIT',
  ]);
});
