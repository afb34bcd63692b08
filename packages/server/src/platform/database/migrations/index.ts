/**
 * All migrations in order. Until the first release, the first one may still be edited. Neither the name nor a statement
 * of a released migration ever changes.
 */
import type { DialectName } from '../dialect-name.ts';
import { schema } from './0001-schema/index.ts';
import { runnable, type Migrations } from './compatibility.ts';
import type { SchemaMigration } from './migration.ts';

export const migrations: readonly SchemaMigration[] = [{ name: '0001-schema', statements: schema }];

export function migrationsFor(dialect: DialectName): Migrations {
  return runnable(migrations, dialect);
}
