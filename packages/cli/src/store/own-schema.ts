/**
 * The schema of a SQLite file of this program. The file carries the program's id, the version of the schema, and the digest
 * of the statements that created its tables. So a file of another build is recognized even under the same version, and no
 * file is read under a schema that it was not written with.
 */
import { createHash } from 'node:crypto';
import { writtenByAnotherBuild } from '../another-build.ts';
import { CliError, type FailureCode } from '../errors.ts';
import type { DatabaseSync } from './sqlite.ts';

export interface OwnSchema {
  /** Marks the file as ours among SQLite's files. */
  readonly applicationId: number;
  /** Raised when the tables change, or the texts in them. */
  readonly version: number;
  readonly statements: string;
  /** What the file is, for messages. */
  readonly noun: string;
  /** The code of errors, if scripts branch on one. */
  readonly code?: FailureCode;
}

const DIGEST_TABLE = 'CREATE TABLE schema_digest (sha256 TEXT NOT NULL) STRICT';

/**
 * Changes nothing. Must run in a transaction, because another process may be creating the tables.
 *
 * @returns whether the file is empty, so that its tables can be created
 * @throws CliError when another program, another build or a newer version of svc wrote the file
 */
export function isEmptyOwn(database: DatabaseSync, file: string, schema: OwnSchema): boolean {
  const { noun, code } = schema;
  const version = numberIn(database, 'user_version');
  if (version === 0 && database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined)
    return true;
  const named = `The ${noun} ${file}`;
  if (numberIn(database, 'application_id') !== schema.applicationId) {
    throw new CliError('failed', `${named} is a database of another program, or of another build of svc.`, {
      hint: 'Move it away, or let svc use another folder.',
      ...(code && { code }),
    });
  }
  if (version > schema.version) {
    throw new CliError('failed', `${named} was written by a newer version of svc.`, {
      hint: 'Update svc. Nothing was changed.',
      ...(code && { code }),
    });
  }
  if (version === schema.version && digestIn(database) === digestOf(schema)) return false;
  throw writtenByAnotherBuild(named, code);
}

/** Must run in a transaction, so that all of it is in the file or nothing. */
export function createTables(database: DatabaseSync, schema: OwnSchema): void {
  const { applicationId, version, statements } = schema;
  database.exec(`${statements}; ${DIGEST_TABLE};`);
  database.prepare('INSERT INTO schema_digest (sha256) VALUES (?)').run(digestOf(schema));
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
}

/** Independent of white space. */
function digestOf({ statements }: OwnSchema): string {
  return createHash('sha256').update(statements.trim().replaceAll(/\s+/g, ' ')).digest('hex');
}

/** Undefined when the file has no digest. SQLite keeps the statement of a table as it was written. */
function digestIn(database: DatabaseSync): unknown {
  const table = database.prepare('SELECT 1 FROM sqlite_schema WHERE sql = ?').get(DIGEST_TABLE);
  return table && database.prepare('SELECT sha256 FROM schema_digest').get()?.['sha256'];
}

function numberIn(database: DatabaseSync, pragma: string): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}
