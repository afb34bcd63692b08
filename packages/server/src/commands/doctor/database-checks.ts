/** The database: its version, clock, permissions and schema, and whether the master key belongs to it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '#platform/database/database';
import { examinePostgres, probeWritesUndone } from '#platform/database/examination';
import { rejectUnusable, schemaStateOf, type SchemaState } from '#platform/database/migrate';
import { createLog } from '#platform/log';
import { isNewDeployment, readMasterKeys } from '#platform/master-key';
import { openDatabase } from '../../adapters.ts';
import type { Config } from '../../config.ts';
import { describedOf, fileOf } from '../databases.ts';
import { clockFound, fault, ok, warning, type CheckResult } from './check.ts';

const PATIENCE = { connectMs: 5000, statementMs: 5000 };
const POSTGRES_VERSION_MIN = 13;
/** Connections of one replica: its pool, and one for notifications. */
const CONNECTIONS_OF_REPLICA = 21;

/** Opens the database without a migration. Null when there is no SQLite file. */
export async function openExamined(config: Config): Promise<Database | null> {
  if (config.database.kind === 'sqlite' && !existsSync(fileOf(config))) return null;
  return openDatabase(config, fileOf(config), createLog('silent'), {
    databasePatience: PATIENCE,
    prepareSchema: () => Promise.resolve(),
  });
}

export const noFile = () => [warning('There is no database yet. The first start creates it.')];

export async function serverFound(config: Config, database: Database): Promise<CheckResult[]> {
  return config.database.kind === 'postgres' ? postgresFound(database) : [ok('SQLite can be read.')];
}

/** @throws StartError when this version cannot work with the schema; then no further check can use the database. */
export async function schemaFound(config: Config, database: Database): Promise<CheckResult[]> {
  const { kind } = config.database;
  const state = await schemaStateOf(database.read, kind);
  rejectUnusable(state, kind, describedOf(config));
  return [migrationsFound(state), ...(state.newest === null ? [] : await writesFound(database))];
}

async function postgresFound(database: Database): Promise<CheckResult[]> {
  const before = Date.now();
  const { version, nowMs, isStandby, mayCreateTables, connectionsMax, connectionsUsed } =
    await examinePostgres(database.read);
  const left = connectionsMax - connectionsUsed;
  return [
    version >= POSTGRES_VERSION_MIN
      ? ok(`PostgreSQL ${version} can be read.`)
      : fault(`PostgreSQL ${version} is too old. Upgrade it to ${POSTGRES_VERSION_MIN} or later.`),
    clockFound(before, nowMs, Date.now()),
    ...(isStandby
      ? [fault('The server is a standby, which cannot be written to. Name the primary in DATABASE_URL.')]
      : []),
    mayCreateTables || isStandby
      ? ok('The user may create tables.')
      : fault('The user may not create tables, so migrations fail. Grant CREATE on the schema.'),
    left >= CONNECTIONS_OF_REPLICA
      ? ok(`${connectionsUsed} of ${connectionsMax} connections are used.`)
      : warning(
          `${connectionsUsed} of ${connectionsMax} connections are used, and one replica needs up to ${CONNECTIONS_OF_REPLICA}. Raise max_connections before you add a replica.`,
        ),
  ];
}

async function writesFound(database: Database): Promise<CheckResult[]> {
  await probeWritesUndone(database);
  return [ok('The database can be written to.')];
}

function migrationsFound({ newest, pending, unknown }: SchemaState): CheckResult {
  if (unknown.length > 0)
    return warning(`The database has the schema of a newer version (${newest}). Complete the upgrade.`);
  const [first] = pending;
  if (first === undefined) return ok(`The schema is up to date: ${newest}.`);
  return warning(
    `${pending.length} ${pending.length === 1 ? 'migration is' : 'migrations are'} pending, first ${first}. Run svc-server migrate, or start the service.`,
  );
}

/** Whether no migration has run yet. */
export async function isEmpty({ database: { kind } }: Config, database: Database): Promise<boolean> {
  return (await schemaStateOf(database.read, kind)).newest === null;
}

export async function masterKeyFound(config: Config, database: Database): Promise<CheckResult[]> {
  if ((await isEmpty(config, database)) || (await isNewDeployment(database)))
    return [
      warning(
        'The deployment has no master key yet. The first start creates one, unless SVC_MASTER_KEY is set.',
      ),
    ];
  const file = path.resolve(config.dataDir, 'master.key');
  await readMasterKeys({ database, configured: config.masterKeys, file });
  return [
    ok(
      `The master key of ${config.masterKeys.length === 0 ? file : 'SVC_MASTER_KEY'} belongs to the database.`,
    ),
  ];
}
