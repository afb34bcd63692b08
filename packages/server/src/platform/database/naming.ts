/**
 * Names are snake_case in the database and camelCase in the code.
 *
 * When a query is written, a compiler converts each identifier. When a result is read, the names of its columns are
 * converted once for all rows. Kysely's own plugin copies the tree of each query for that, which costs as much as
 * compiling it. Queries without plugins, such as schema introspection, get the database's own names.
 */
import type { KyselyPlugin, UnknownRow } from 'kysely';

const inDatabase = new Map<string, string>();
const inCode = new Map<string, string>();

/** `expiresAt` → `expires_at`. */
export function databaseName(name: string): string {
  return remembered(inDatabase, name, () => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** `expires_at` → `expiresAt`. */
function codeName(name: string): string {
  return remembered(inCode, name, () => name.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase()));
}

export const namingPlugin: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: ({ result }) => {
    const [first] = result.rows;
    if (!first) return Promise.resolve(result);
    const columns = Object.keys(first).map((column) => [column, codeName(column)] as const);
    const rows = result.rows.map((row) => {
      const named: UnknownRow = {};
      for (const [column, name] of columns) named[name] = row[column];
      return named;
    });
    return Promise.resolve({ ...result, rows });
  },
};

function remembered(names: Map<string, string>, name: string, make: () => string): string {
  let made = names.get(name);
  if (made === undefined) {
    made = make();
    names.set(name, made);
  }
  return made;
}
