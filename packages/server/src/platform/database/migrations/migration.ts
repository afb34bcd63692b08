/**
 * What a migration is: a name, and SQL statements that differ between the two databases in a few words.
 *
 * A migration is recorded under its name with the digest of its statements, for instance `0001-schema@5c1e09ab33d1`. So
 * a database is recognized in which another build ran other statements under the same name.
 */
import { hash } from 'node:crypto';
import type { DialectName } from '../dialect-name.ts';

export interface SchemaMigration {
  /** Begins with the next number of four digits. */
  readonly name: string;
  readonly statements: Statements;
  /** Whether it takes something from the previous version, or demands something of it: see compatibility.ts. */
  readonly isContraction?: true;
}

export type Statements = (dialect: SqlDialect) => readonly string[];

/** The words that differ. */
export interface SqlDialect {
  readonly name: DialectName;
  /** The type of bytes. */
  readonly bytes: string;
  /** The type of a whole number that is the primary key. */
  readonly wholeNumberKey: string;
  /** At the end of a table whose rows have no hidden row id and are stored in the order of the primary key. */
  readonly underPrimaryKey: string;
}

export const dialects: Readonly<Record<DialectName, SqlDialect>> = {
  sqlite: { name: 'sqlite', bytes: 'blob', wholeNumberKey: 'integer', underPrimaryKey: 'without rowid' },
  postgres: { name: 'postgres', bytes: 'bytea', wholeNumberKey: 'bigint', underPrimaryKey: '' },
};

const SEPARATOR = '@';
const DIGEST_LENGTH = 12;

/** Line breaks and indentation of the statements make no difference. */
export function recordedName(name: string, statements: readonly string[]): string {
  const text = statements.map((each) => each.replaceAll(/\s+/g, ' ').trim()).join('\n');
  return name + SEPARATOR + hash('sha256', text).slice(0, DIGEST_LENGTH);
}

/** The name without the digest, for people. */
export function nameOf(recorded: string): string {
  return recorded.split(SEPARATOR, 1)[0] ?? recorded;
}
