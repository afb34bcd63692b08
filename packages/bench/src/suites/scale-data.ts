/**
 * Builds a database with many records. They are written directly, because creating a million accounts through the API
 * would take a day.
 *
 * Each of `people` has a workspace, a project, a session, a quota counter, an open reservation, and a report with a
 * share that names a principal. So every table that the measured operations read has at least that many rows. Some
 * people are active; they are spread evenly over all. Their session tokens, device tokens and share links are known.
 * The number of their projects does not depend on `people`. Reports are live: they have no body, and nothing is stored
 * about their findings.
 */
import { DAY_MS, HOUR_MS } from '@svc/contract/durations';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { startServiceProcess, wholePolicy } from '@svc/testkit';
import { withManyRows } from '@svc/testkit/many-rows';
import pg from 'pg';

export const ACTIVE = 500;
const PROJECTS_OF_ACTIVE = 20;
const POLICY = JSON.stringify(wholePolicy);

/** Of these, the counts are 0. */
const PROJECT_COLUMNS =
  'id, workspace_id, name, binding_public_id, findings_version, reports_counted, decisions_made, notes_bytes, notes_to_check, created_at';

const SLUG_LENGTH = 27;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export interface ScaleOptions {
  readonly dataDir: string;
  readonly people: number;
  /** A database of PostgreSQL instead of the file in the data folder. */
  readonly databaseUrl?: string;
}

/** How the statements below are written in each database. */
interface Dialect {
  readonly everyone: (people: number) => string;
  readonly numbered: (prefix: string, digits: number) => string;
  readonly bytes: (purpose: string) => string;
}

const sqlite: Dialect = {
  everyone: (people) =>
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${people})`,
  numbered: (prefix, digits) => `printf('${prefix}%0${digits}d', n)`,
  bytes: () => 'randomblob(32)',
};
const postgres: Dialect = {
  everyone: (people) => `WITH numbers AS (SELECT generate_series(1, ${people})::bigint AS n)`,
  numbered: (prefix, digits) => `'${prefix}' || lpad(n::text, ${digits}, '0')`,
  bytes: (purpose) => `sha256(('${purpose}' || n)::bytea)`,
};

export const environmentOf = ({ databaseUrl }: ScaleOptions): Readonly<Record<string, string>> =>
  databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };

/** The value of a Cookie header. */
export function cookieOfActive(index: number): string {
  return `svc_session=${tokenOf(index)}`;
}

/** The report of the active person. */
export function reportOfActive(index: number, people: number): string {
  return numbered('rep', numberOfActive(index, people));
}

/** The id of the active person. */
export function userOfActive(index: number, people: number): string {
  return numbered('usr', numberOfActive(index, people));
}

/**
 * The slug of a share of the active person's report. The share is open to everyone, and names the next active person.
 */
export function slugOfActive(index: number): string {
  return tokenOf(index).replaceAll(/[-_]/g, '0').slice(0, SLUG_LENGTH);
}

export async function fillDatabase(options: ScaleOptions): Promise<void> {
  const { dataDir, people, databaseUrl } = options;
  // The service itself creates the tables.
  const service = await startServiceProcess({
    program: 'bundle',
    dataDir,
    environment: environmentOf(options),
  });
  await service.stop();
  if (databaseUrl !== undefined) return fillPostgres(databaseUrl, people);
  const database = new DatabaseSync(path.join(dataDir, 'svc.db'));
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN');
    for (const statement of statementsFor(sqlite, people, Date.now())) database.exec(statement);
    for (const { text, values } of activeChanges(people)) database.prepare(text).run(...values);
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  await flush(path.join(dataDir, 'svc.db'));
}

/** Waits until the system has written the file, so that it does not write while the service is measured. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}

async function fillPostgres(url: string, people: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await withManyRows(client, async () => {
      for (const statement of statementsFor(postgres, people, Date.now())) await client.query(statement);
    });
    await client.query('BEGIN');
    for (const { text, values } of activeChanges(people)) {
      let number = 0;
      await client.query(
        text.replaceAll('?', () => `$${(number += 1)}`),
        values,
      );
    }
    await client.query('COMMIT');
    await client.query('VACUUM ANALYZE');
    // Otherwise the pages are written while the service is measured.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

function statementsFor({ everyone, numbered: idOf, bytes }: Dialect, people: number, now: number): string[] {
  const id = (prefix: string) => idOf(`${prefix}_`, 26);
  const dayStartsAt = now - ((now - 6 * HOUR_MS) % DAY_MS);
  const rows = {
    'users (id, email, display_name, password_hash, recovery_code_hash, admin_flag, created_at)': `${id('usr')}, ${idOf('person-', 7)} || '@example.test', 'Person', '-', '-', 0, ${now}`,
    'devices (id, user_id, token_hash, name, client_version, os_family, arch, created_at, last_seen_at)': `${id('dev')}, ${id('usr')}, ${bytes('device')}, 'laptop', '1.0.0', 'linux', 'x64', ${now}, ${now - (now % HOUR_MS)}`,
    'sessions (id, user_id, token_hash, system, browser, network, created_at, last_seen_at, expires_at)': `${id('ses')}, ${id('usr')}, ${bytes('session')}, 'linux', 'firefox', '127.0.0.0/24', ${now}, ${now - (now % HOUR_MS)}, ${now + 30 * DAY_MS}`,
    workspaces: `${id('ws')}, 'Personal', 'personal', 'free', ${now}`,
    memberships: `${id('ws')}, ${id('usr')}, 'owner', ${now}`,
    [`projects (${PROJECT_COLUMNS})`]: `${id('prj')}, ${id('ws')}, 'Project', ${idOf('binding-', 7)}, 0, 0, 0, 0, 0, ${now}`,
    quota_usage: `${id('usr')}, 'daily', ${dayStartsAt}, 1`,
    quota_reservations: `${id('res')}, ${id('usr')}, ${dayStartsAt}, ${dayStartsAt}, ${now + DAY_MS} + n`,
    'reports (id, owner_id, created_by, local_report_id, workspace_id, project_id, state, project_name, effort_requested, effort_resolved, created_at, expires_at, last_event_number, overlay_version, support_accesses)': `${id('rep')}, ${id('usr')}, ${id('usr')}, ${id('local')}, ${id('ws')}, ${id('prj')}, 'live', 'Project', 'auto', 'high', ${now}, ${now + 21 * DAY_MS}, 0, 0, 0`,
    'shares (id, report_id, slug_hash, mode, anonymous_allowed, show_sender, default_policy, policy_version, created_at, view_count)': `${id('shr')}, ${id('rep')}, ${bytes('share')}, 'anyone_with_link', 1, 0, '${POLICY}', 0, ${now}, 0`,
    'share_principals (share_id, position, type, value, policy)': `${id('shr')}, 0, 'user', ${id('usr')}, '${POLICY}'`,
  };
  return Object.entries(rows).map(
    ([table, values]) => `${everyone(people)} INSERT INTO ${table} SELECT ${values} FROM numbers`,
  );
}

interface Change {
  readonly text: string;
  readonly values: (string | Buffer)[];
}

/** What the active people have that others do not: known tokens and slugs, and more projects. */
function activeChanges(people: number): Change[] {
  return Array.from({ length: ACTIVE }, (_, index) => {
    const number = numberOfActive(index, people);
    const next = userOfActive((index + 1) % ACTIVE, people);
    const [share, token] = [numbered('shr', number), digestOf(tokenOf(index))];
    return [
      {
        text: 'UPDATE shares SET slug_hash = ? WHERE id = ?',
        values: [digestOf(slugOfActive(index)), share],
      },
      { text: 'UPDATE share_principals SET value = ? WHERE share_id = ?', values: [next, share] },
      { text: 'UPDATE sessions SET token_hash = ? WHERE id = ?', values: [token, numbered('ses', number)] },
      {
        text: 'UPDATE devices SET token_hash = ? WHERE id = ?',
        values: [digestOf(deviceTokenOfActive(index)), numbered('dev', number)],
      },
      moreProjects(index, people),
    ];
  }).flat();
}

/** One statement for all of them: on PostgreSQL, each takes a round trip. */
function moreProjects(index: number, people: number): Change {
  const number = numberOfActive(index, people);
  const keys = Array.from(
    { length: PROJECTS_OF_ACTIVE - 1 },
    (_, more) => people + index * PROJECTS_OF_ACTIVE + more + 1,
  );
  return {
    text: `INSERT INTO projects (${PROJECT_COLUMNS})
      SELECT more.column1, ws.id, 'Project', more.column2, 0, 0, 0, 0, 0, ws.created_at
      FROM workspaces AS ws, (VALUES ${keys.map(() => '(?, ?)').join(', ')}) AS more
      WHERE ws.id = ?`,
    values: [...keys.flatMap((key) => [numbered('prj', key), `binding-${key}`]), numbered('ws', number)],
  };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * Reservations that are counted and have lapsed. They were created one after the other by people spread evenly over
 * all.
 */
export function addLapsed(database: DatabaseSync, people: number, count: number): void {
  database.exec('BEGIN');
  const usage = database.prepare(
    'UPDATE quota_usage SET used = used + 1 WHERE user_id = ? RETURNING starts_at',
  );
  const reservation = database.prepare('INSERT INTO quota_reservations VALUES (?, ?, ?, ?, ?)');
  for (let index = 0; index < count; index += 1) {
    const userId = numbered('usr', 1 + Math.floor((index * people) / count));
    const startsAt = usage.get(userId)?.['starts_at'] ?? 0;
    reservation.run(numbered('res_lapsed', index), userId, startsAt, startsAt, 1 + index);
  }
  database.exec('COMMIT');
}

export function countLapsed(database: DatabaseSync): number {
  const row = database
    .prepare("SELECT count(*) AS count FROM quota_reservations WHERE id LIKE 'res_lapsed%'")
    .get();
  return Number(row?.['count']);
}

function numberOfActive(index: number, people: number): number {
  return 1 + Math.floor((index * people) / ACTIVE);
}

function numbered(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(26, '0')}`;
}

/** The token of the device of an active person, with its checksum. */
export function deviceTokenOfActive(index: number): string {
  const secret = createHash('sha256').update(`device ${index}`).digest('hex').slice(0, 40);
  let checksum = '';
  for (let rest = crc32(secret); checksum.length < 6; rest = Math.floor(rest / BASE62.length))
    checksum = (BASE62[rest % BASE62.length] ?? '') + checksum;
  return `svc_dev_${secret}${checksum}`;
}

/** The workspace and the project of the active person. */
export function projectOfActive(index: number, people: number) {
  const number = numberOfActive(index, people);
  return { workspaceId: numbered('ws', number), projectId: numbered('prj', number) };
}

function tokenOf(index: number): string {
  return createHash('sha256').update(`active ${index}`).digest('base64url');
}
