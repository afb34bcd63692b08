/**
 * One owner per table: only files of the owner write a table. Other features change it through functions that the owner
 * exports. Reads may join any table.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tables } from '../src/platform/database/schema.ts';

const src = path.join(import.meta.dirname, '../src');

const owners: Readonly<Record<keyof Tables, string>> = {
  deployment: 'platform/database',
  throttleCounters: 'platform/counters',
  slidingWindows: 'platform/counters',
  users: 'features/auth',
  sessions: 'features/auth',
  workspaces: 'features/workspaces',
  memberships: 'features/workspaces',
  invitations: 'features/workspaces',
  deviceLinks: 'features/devices',
  devices: 'features/devices',
  projects: 'features/projects',
  quotaUsage: 'features/quota',
  quotaReservations: 'features/quota',
  reports: 'features/reports',
  uploads: 'features/uploads',
  pendingDeletions: 'features/uploads',
  progressEvents: 'features/progress',
  projectFindings: 'features/findings',
  statusChanges: 'features/findings',
  findingDecisions: 'features/findings',
  findingDays: 'features/findings',
  findingToolDays: 'features/findings',
  findingFixes: 'features/findings',
  shares: 'features/shares',
  sharePrincipals: 'features/shares',
  preparedProjections: 'features/projections',
  preparedStatusChanges: 'features/projections',
  supportGrants: 'features/admin',
  supportUses: 'features/admin',
  auditLog: 'features/audit',
  auditCounts: 'features/audit',
  analyticsCounts: 'features/analytics',
  analyticsSeen: 'features/analytics',
  subscriptions: 'features/billing',
  billingEvents: 'features/billing',
};

/** Calls of the query builder that begin a write, with their first argument. */
const WRITE = /\.(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(\s*([^)]*?)\s*\)/g;
/** The name of a table, with or without an alias. */
const TABLE = /^'(\w+)(?: as \w+)?'$/;
/** The beginning of a write as SQL text. */
const WRITE_AS_TEXT =
  /[`'"]\s*(?:insert\s+into|replace\s+into|update\s+\w+\s+set|delete\s+from|merge\s+into|truncate)\b/i;

function foreignWrites(file: string, text: string): string[] {
  const calls = [...text.matchAll(WRITE)].map(([call, argument = '']) => {
    const [, table = ''] = TABLE.exec(argument) ?? [];
    return { call, owner: (owners as Record<string, string>)[table] };
  });
  const foreign = calls.filter(({ owner }) => owner === undefined || !file.startsWith(`${owner}/`));
  const isText = WRITE_AS_TEXT.test(text);
  return [...foreign.map(({ call }) => `${file}: ${call}`), ...(isText ? [`${file}: a write as text`] : [])];
}

const files = fs
  .globSync('**/*.ts', { cwd: src })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('platform/database/migrations/'))
  // This file copies every table into an empty database, and knows none of them by name.
  .filter((file) => file !== 'platform/database/transfer.ts');

const textOf = (file: string) => fs.readFileSync(path.join(src, file), 'utf8');

test('each table is written by files of its owner only', () => {
  expect(files.flatMap((file) => foreignWrites(file, textOf(file)))).toEqual([]);
});

test('each table has a writer', () => {
  const written = new Set(
    files.flatMap((file) =>
      [...textOf(file).matchAll(WRITE)].map(([, argument = '']) => TABLE.exec(argument)?.[1]),
    ),
  );
  expect(Object.keys(owners).filter((table) => !written.has(table))).toEqual([]);
});

describe('the check', () => {
  test.each([
    ['an insert', `await tx.insertInto('uploads').values(row).execute();`],
    ['an update over several lines', `await tx\n  .updateTable(\n    'uploads',\n  )\n  .set(change)`],
    ['a delete under an alias', `await db.deleteFrom('uploads as u').execute();`],
    ['a table that is not named on the spot', `await db.deleteFrom(table).execute();`],
    ['a table without an owner', `await db.insertInto('others').values(row).execute();`],
    ['an update as text', 'await sql`UPDATE uploads SET blob_name = NULL`.execute(db);'],
    ['an insert as text', 'connection.prepare("insert into uploads values (1)");'],
  ])('rejects %s by another feature', (_name, planted) => {
    expect(foreignWrites('features/findings/moves-store.ts', planted)).toHaveLength(1);
  });

  test.each([
    ['a write by the owner', 'features/uploads/store.ts', `await tx.updateTable('uploads').set(change);`],
    [
      'a read by another feature',
      'features/findings/moves-store.ts',
      `await tx.selectFrom('uploads').selectAll();`,
    ],
  ])('accepts %s', (_name, file, planted) => {
    expect(foreignWrites(file, planted)).toEqual([]);
  });
});
