/** Each table of the database is exported, or holds no data about one account. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Tables } from '#platform/database/schema';

const store = readFileSync(path.join(import.meta.dirname, 'store.ts'), 'utf8');
const schema = readFileSync(path.join(import.meta.dirname, '../../platform/database/schema.ts'), 'utf8');

/** Tables without data about one account, with the reason. */
const NOT_BY_ACCOUNT: Partial<Record<keyof Tables, string>> = {
  preparedProjections: 'parts of reports, computed from them',
  preparedStatusChanges: 'the decisions of statusChanges, for prepared projections',
  projectFindings: 'what a project knows about findings, as keyed digests',
  findingDays: 'counts of a project',
  findingToolDays: 'counts of a project, by keyed digests of tools',
  findingFixes: 'what a project knows about findings, as keyed digests',
  pendingDeletions: 'names of files',
  analyticsCounts: 'counts without accounts',
  analyticsSeen: 'keyed digests',
  billingEvents: 'ids of events',
  throttleCounters: 'digests, for minutes',
  slidingWindows: 'digests, for minutes',
  deployment: 'about the deployment',
};

test('each table is exported, or listed with the reason why not', () => {
  const [, body = ''] = /export interface Tables \{\n([^}]*)\}/.exec(schema) ?? [];
  const tables = [...body.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);
  const read = [...store.matchAll(/(?:selectFrom|leftJoin|innerJoin)\('(\w+)'/g)].map(
    ([, name = '']) => name,
  );
  expect([...new Set([...read, ...Object.keys(NOT_BY_ACCOUNT)])].toSorted()).toEqual(tables.toSorted());
});

test('no hash of a secret is read, and no table is read with all of its columns', () => {
  expect(store).not.toMatch(/selectAll|tokenHash|recoveryCodeHash|slugHash|verifierHash/);
  expect(store.match(/passwordHash/g)).toHaveLength(1);
});
