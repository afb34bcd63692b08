/**
 * The tables, by subject. A table comes after those that it refers to.
 *
 * Columns are in this order: the id, what the row belongs to, what it is, its state, its times, and last what can be
 * large, because SQLite reads a row from its beginning. No column has a default: each insert names every value.
 */
import type { Statements } from '../migration.ts';
import { accounts } from './accounts.ts';
import { analytics } from './analytics.ts';
import { audit } from './audit.ts';
import { billing } from './billing.ts';
import { findings } from './findings.ts';
import { operation } from './operation.ts';
import { reports } from './reports.ts';
import { shares } from './shares.ts';
import { support } from './support.ts';
import { workspaces } from './workspaces.ts';

export const schema: Statements = (dialect) =>
  [accounts, workspaces, reports, shares, findings, audit, support, analytics, billing, operation].flatMap(
    (subject) => subject(dialect),
  );
