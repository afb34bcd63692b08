/**
 * Builds a database with many records. They are written directly, because creating a million accounts through the API
 * would take a day.
 *
 * Each of `people` has a workspace, a project, a session, a quota counter, an open reservation, and a report with a
 * share that names a principal. So every table that the measured operations read has at least that many rows. Some
 * people are active; they are spread evenly over all. Their session tokens and share links are known, and they always
 * have the same few projects. Reports are live: they have no body, and nothing is stored about their findings.
 */
import { DAY_MS, HOUR_MS } from '@svc/contract/durations';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startServiceProcess, wholePolicy } from '@svc/testkit';

export const ACTIVE = 500;
const PROJECTS_OF_ACTIVE = 20;
const POLICY = JSON.stringify(wholePolicy);

const SLUG_LENGTH = 27;

export interface ScaleOptions {
  readonly dataDir: string;
  readonly people: number;
}

/** The value of a Cookie header. */
export function cookieOfActive(index: number): string {
  return `svc_session=${tokenOf(index)}`;
}

/** The report of the active person. */
export function reportOfActive(index: number, people: number): string {
  return numbered('rep', numberOfActive(index, people));
}

/** The slug of a share of that report. It is open to everyone, and names the next active person. */
export function slugOfActive(index: number): string {
  return tokenOf(index).replaceAll(/[-_]/g, '0').slice(0, SLUG_LENGTH);
}

export async function fillDatabase({ dataDir, people }: ScaleOptions): Promise<void> {
  // The service itself creates the tables.
  const service = await startServiceProcess({ program: 'bundle', dataDir });
  await service.stop();
  const database = new DatabaseSync(path.join(dataDir, 'svc.db'));
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN');
    fillEveryone(database, people, Date.now());
    fillActive(database, people);
    database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

function fillEveryone(database: DatabaseSync, people: number, now: number): void {
  const id = (prefix: string) => `printf('${prefix}_%026d', n)`;
  const everyone = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${people})`;
  const dayStartsAt = now - ((now - 6 * HOUR_MS) % DAY_MS);
  const rows = {
    users: `${id('usr')}, printf('person-%d@example.test', n), 'Person', '-', '-', 0, ${now}`,
    'sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)': `${id('ses')}, ${id('usr')}, randomblob(32), ${now}, ${now - (now % HOUR_MS)}, ${now + 30 * DAY_MS}`,
    workspaces: `${id('ws')}, 'Personal', 'personal', 'free', ${now}`,
    memberships: `${id('ws')}, ${id('usr')}, 'owner', ${now}`,
    projects: `${id('prj')}, ${id('ws')}, 'Project', printf('binding-%d', n), ${now}, NULL, NULL`,
    quota_usage: `${id('usr')}, 'daily', ${dayStartsAt}, 1`,
    quota_reservations: `${id('res')}, ${id('usr')}, ${dayStartsAt}, ${dayStartsAt}, ${now + DAY_MS} + n`,
    'reports (id, owner_id, created_by, local_report_id, workspace_id, project_id, state, project_name, effort_requested, effort_resolved, created_at, expires_at, last_event_number)': `${id('rep')}, ${id('usr')}, ${id('usr')}, ${id('local')}, ${id('ws')}, ${id('prj')}, 'live', 'Project', 'auto', 'high', ${now}, ${now + 21 * DAY_MS}, 0`,
    'shares (id, report_id, slug_hash, mode, anonymous_allowed, default_policy, created_at, view_count)': `${id('shr')}, ${id('rep')}, randomblob(32), 'anyone_with_link', 1, '${POLICY}', ${now}, 0`,
    'share_principals (share_id, position, type, value, policy)': `${id('shr')}, 0, 'user', ${id('usr')}, '${POLICY}'`,
  };
  for (const [table, values] of Object.entries(rows)) {
    database.exec(`${everyone} INSERT INTO ${table} SELECT ${values} FROM numbers`);
  }
}

function fillActive(database: DatabaseSync, people: number): void {
  const session = database.prepare('UPDATE sessions SET token_hash = ? WHERE id = ?');
  const project = database.prepare(
    "INSERT INTO projects SELECT ?, ?, 'Project', ?, created_at, NULL, NULL FROM users WHERE id = ?",
  );
  const link = database.prepare('UPDATE shares SET slug_hash = ? WHERE id = ?');
  const principal = database.prepare('UPDATE share_principals SET value = ? WHERE share_id = ?');
  for (let index = 0; index < ACTIVE; index += 1) {
    const number = numberOfActive(index, people);
    link.run(createHash('sha256').update(slugOfActive(index)).digest(), numbered('shr', number));
    const next = numberOfActive((index + 1) % ACTIVE, people);
    principal.run(numbered('usr', next), numbered('shr', number));
    session.run(createHash('sha256').update(tokenOf(index)).digest(), numbered('ses', number));
    for (let more = 1; more < PROJECTS_OF_ACTIVE; more += 1) {
      const key = people + index * PROJECTS_OF_ACTIVE + more;
      project.run(numbered('prj', key), numbered('ws', number), `binding-${key}`, numbered('usr', number));
    }
  }
}

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

function tokenOf(index: number): string {
  return createHash('sha256').update(`active ${index}`).digest('base64url');
}
