/** What PostgreSQL would read for a statement, from `EXPLAIN`. */
import type pg from 'pg';
import type { RecordedStatement } from './recorded-statements.ts';

/** A lookup costs about 10, and a page of a list some 300. A statement that reads 100,000 rows costs thousands. */
const COST_MAX = 1000;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly 'Total Cost': number;
  readonly Plans?: readonly PlanNode[];
}

const READS_INDEX = new Set(['Index Scan', 'Index Only Scan', 'Bitmap Index Scan']);

/** Returns one sentence for each table or index that the statement would read as a whole. */
export async function walksOfPostgres(
  client: pg.Client,
  { text, values }: RecordedStatement,
  isSmall: (table: string) => boolean,
): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    [...values],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error(`There is no plan for ${text}`);
  const partial = await partialIndexes(client);
  const walks: string[] = [];

  function visit(node: PlanNode, isLimited: boolean): void {
    const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '' } = node;
    if (type === 'Seq Scan' && !isSmall(table)) walks.push(`reads all rows of ${table}`);
    if (READS_INDEX.has(type) && node['Index Cond'] === undefined) {
      // Reading only the first entries of an index is cheap, unless a filter may skip any number of them.
      const isFirst = isLimited && (node.Filter === undefined || partial.has(index));
      if (!isFirst) walks.push(`reads the whole index ${index}`);
    }
    for (const child of node.Plans ?? []) visit(child, isLimited || type === 'Limit');
  }

  visit(plan, false);
  if (plan['Total Cost'] > COST_MAX) walks.push(`costs more than ${COST_MAX}`);
  return walks;
}

let partialOnes: Promise<ReadonlySet<string>> | undefined;

function partialIndexes(client: pg.Client): Promise<ReadonlySet<string>> {
  partialOnes ??= client
    .query<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indpred IS NOT NULL`,
    )
    .then(({ rows }) => new Set(rows.map(({ name }) => name)));
  return partialOnes;
}

/** Foreign keys without an index on their columns: deleting a row would read the whole table that refers to it. */
export async function foreignKeysWithoutIndex(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS key FROM pg_constraint
     WHERE contype = 'f' AND NOT EXISTS (
       SELECT FROM pg_index
       WHERE indrelid = conrelid AND indpred IS NULL
         AND (indkey::smallint[])[0:cardinality(conkey) - 1] @> conkey)`,
  );
  return rows.map(({ key }) => key);
}

/** Tables without a row, whose plans would say nothing. */
export async function emptyTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT pg_class.relname AS name FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
     WHERE reltuples <= 0 AND pg_class.relname NOT LIKE 'kysely%' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
