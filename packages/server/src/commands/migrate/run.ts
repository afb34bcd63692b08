/** `migrate`: brings the database to the schema of this version, or lists what is pending. */
import { createLog } from '#platform/log';
import { waitForDataFolder } from '#platform/data-folder';
import {
  emptySchemaState,
  migrate,
  migrationsReporting,
  rejectUnusable,
  schemaStateOf,
  type SchemaState,
} from '#platform/database/migrate';
import { openDatabase } from '../../adapters.ts';
import { readConfig, type Config } from '../../config.ts';
import { describedOf, fileOf, openToRead } from '../databases.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';

/** How long to wait for another process that migrates the same folder. */
const FOLDER_WAIT_MS = 20_000;
/** A statement of a migration may take a long time. */
const PATIENCE = { connectMs: 10_000, statementMs: 24 * 3_600_000 };

export async function run({ options, environment, signal, report }: Invocation): Promise<CommandResult> {
  const config = readConfig(environment);
  report('Reading the schema');
  const checks = options['check'] === true;
  // Reading can fail while another process migrates this file. The folder's lock then decides which process migrates.
  const state = await readState(config).catch((error: unknown) => {
    if (checks) throw error;
    return null;
  });
  if (state !== null) rejectUnusable(state, config.database.kind, describedOf(config));
  if (checks && state !== null && state.pending.length > 0) return pendingResult(state);
  if (state?.pending.length === 0) return doneResult(state, []);
  return migrateNow(config, { signal, report });
}

/** Creates nothing: a database that does not exist counts as an empty one. */
async function readState(config: Config): Promise<SchemaState> {
  const database = await openToRead(config);
  const dialect = config.database.kind;
  if (database === null) return emptySchemaState(dialect);
  try {
    return await schemaStateOf(database.read, dialect);
  } finally {
    await database.close();
  }
}

async function migrateNow(
  config: Config,
  { signal, report }: Pick<Invocation, 'signal' | 'report'>,
): Promise<CommandResult> {
  const folder =
    config.database.kind === 'sqlite'
      ? await waitForDataFolder(config.dataDir, FOLDER_WAIT_MS, signal)
      : null;
  try {
    const ran: string[] = [];
    let before: SchemaState | undefined;
    const database = await openDatabase(config, fileOf(config), createLog('error'), {
      databasePatience: PATIENCE,
      async prepareSchema(db, dialect, described) {
        const migrations = migrationsReporting(dialect, (name) => {
          signal.throwIfAborted();
          report(`Running ${name}`);
          ran.push(name);
        });
        before = await migrate(db, dialect, described, migrations);
      },
    });
    try {
      const after = await schemaStateOf(database.read, config.database.kind);
      return doneResult(after, ran, before);
    } finally {
      await database.close();
    }
  } finally {
    folder?.release();
  }
}

function pendingResult({ newest, pending }: SchemaState): CommandResult {
  return {
    exitCode: 1,
    lines: [
      pending.length === 1 ? '1 migration is pending:' : `${pending.length} migrations are pending:`,
      ...pending.map((name) => `- ${name}`),
      'Run svc-server migrate, or start the service.',
    ],
    value: { from: newest, to: newest, ran: [], pending },
  };
}

/** @param before the state that this process found, if it tried to migrate. */
function doneResult(after: SchemaState, ran: readonly string[], before: SchemaState = after): CommandResult {
  return {
    exitCode: 0,
    lines: doneLines(after, ran, before),
    value: { from: before.newest, to: after.newest, ran, pending: [] },
  };
}

function doneLines(after: SchemaState, ran: readonly string[], before: SchemaState): string[] {
  if (after.unknown.length > 0)
    return [
      `The database has the schema of a newer version (${after.newest}). This version can work with it.`,
    ];
  if (ran.length > 0)
    return [
      `Migrated the database from ${before.newest ?? 'empty'} to ${after.newest}. These migrations ran:`,
      ...ran.map((name) => `- ${name}`),
    ];
  const upToDate = `The database is up to date: ${after.newest}.`;
  return before.pending.length === 0 ? [upToDate] : [upToDate, 'Another process has migrated it meanwhile.'];
}
