/** Users and sessions. */
import type { ExpressionBuilder } from 'kysely';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import { deleteFact, findFact, putFact } from '#platform/database/deployment';
import type { SessionsTable, Tables, UsersTable } from '#platform/database/schema';
import type { PasswordHash } from '#platform/password-hash';
import type { TokenHash } from '#platform/tokens';

export type UserRow = UsersTable;
export type SessionRow = SessionsTable;

/** False when the address is taken. */
export async function insertUser(db: Db, user: UserRow): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()) ?? null;
}

/** Reads no row of the account, so that the response takes the same time whether it exists or not. */
export async function isAddressTaken(db: Db, email: string): Promise<boolean> {
  return (
    (await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
  );
}

export async function findUser(db: Db, userId: string): Promise<UserRow | null> {
  return (await db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()) ?? null;
}

/** Locks the account, so that its password cannot change until the transaction ends. */
export async function lockUser(tx: Tx, userId: string): Promise<UserRow | null> {
  return (
    (await tx.selectFrom('users').selectAll().where('id', '=', userId).forUpdate().executeTakeFirst()) ?? null
  );
}

/** Sets password and recovery code if the stored code is still the given one; false when another call was first. */
export async function replaceSecrets(
  tx: Tx,
  userId: string,
  from: { readonly recoveryCodeHash: PasswordHash },
  to: { readonly recoveryCodeHash: PasswordHash; readonly passwordHash: PasswordHash },
): Promise<boolean> {
  const replaced = await tx
    .updateTable('users')
    .set(to)
    .where('id', '=', userId)
    .where('recoveryCodeHash', '=', from.recoveryCodeHash)
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}

/** Like `replaceSecrets`, for one secret, if the stored password is still the given one. */
export async function replaceSecret(
  tx: Tx,
  userId: string,
  from: { readonly passwordHash: PasswordHash },
  to: { readonly recoveryCodeHash: PasswordHash } | { readonly passwordHash: PasswordHash },
): Promise<boolean> {
  const replaced = await tx
    .updateTable('users')
    .set(to)
    .where('id', '=', userId)
    .where('passwordHash', '=', from.passwordHash)
    .returning('id')
    .executeTakeFirst();
  return replaced !== undefined;
}

/** The token with which the administrator signs up; see setup-service.ts. */
export interface SetupToken {
  /** The digest of the address that the token is for. */
  readonly address: string;
  /** The hash in hexadecimal. */
  readonly hash: string;
  /** What the token is derived from; null for a configured token. */
  readonly nonce: string | null;
}

const SETUP_TOKEN_NAME = 'setup-token';

/** Also returns the stored text, for `deleteSetupToken`. */
export async function findSetupToken(
  db: Db,
): Promise<{ readonly token: SetupToken; readonly stored: string } | null> {
  const stored = await findFact(db, SETUP_TOKEN_NAME);
  return stored === null ? null : { token: JSON.parse(stored) as SetupToken, stored };
}

export async function replaceSetupToken(tx: Tx, token: SetupToken): Promise<void> {
  await putFact(tx, SETUP_TOKEN_NAME, JSON.stringify(token));
}

/** @param stored deletes only this token; null for any. @returns false when there was none. */
export async function deleteSetupToken(tx: Tx, stored: string | null): Promise<boolean> {
  return deleteFact(tx, SETUP_TOKEN_NAME, stored);
}

export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).execute();
}

export async function insertSession(db: Db, session: SessionRow): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** Also finds a session that has ended and was not deleted yet. */
export async function findSession(db: Db, tokenHash: TokenHash): Promise<SessionRow | null> {
  const [row] = await byToken(db, { tokenHash });
  return row ?? null;
}

const byToken = compiledOnce((db, { tokenHash }: { tokenHash: TokenHash }) =>
  db.selectFrom('sessions').selectAll().where('tokenHash', '=', tokenHash),
);

/** The current time, and how long a session may stay unused. */
export interface SessionBounds {
  readonly now: number;
  readonly idleMs: number;
}

/** The same rule as in session-policy.ts. */
function isOpen({ now, idleMs }: SessionBounds) {
  return (eb: ExpressionBuilder<Tables, 'sessions'>) =>
    eb.and([
      eb('expiresAt', '>', now),
      eb.or([eb('lastSeenAt', '>', now - idleMs), eb('createdAt', '>', now - idleMs)]),
    ]);
}

export async function touchSession(db: Db, sessionId: string, lastSeenAt: number): Promise<void> {
  await db.updateTable('sessions').set({ lastSeenAt }).where('id', '=', sessionId).execute();
}

export async function listSessions(db: Db, userId: string, bounds: SessionBounds): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .where(isOpen(bounds))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function listOpen(
  db: Db,
  sessionIds: readonly string[],
  bounds: SessionBounds,
): Promise<Pick<SessionRow, 'id' | 'createdAt' | 'lastSeenAt' | 'expiresAt' | 'confirmedAt'>[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'createdAt', 'lastSeenAt', 'expiresAt', 'confirmedAt'])
    .where('id', 'in', sessionIds)
    .where(isOpen(bounds))
    .execute();
}

/** False when the session no longer exists. */
export async function confirmSession(db: Db, sessionId: string, confirmedAt: number): Promise<boolean> {
  const confirmed = await db
    .updateTable('sessions')
    .set({ confirmedAt })
    .where('id', '=', sessionId)
    .returning('id')
    .executeTakeFirst();
  return confirmed !== undefined;
}

/** False when the user has no such session. */
export async function deleteSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/**
 * @param keep the id of a session to keep.
 * @returns how many were deleted.
 */
export async function deleteSessionsOf(tx: Tx, userId: string, keep: string | null): Promise<number> {
  let query = tx.deleteFrom('sessions').where('userId', '=', userId);
  if (keep !== null) query = query.where('id', '!=', keep);
  return (await query.returning('id').execute()).length;
}

/** The accounts with a session, and on request also those with a device that is not revoked. */
export async function listAccountsInUse(db: Db, withDevices: boolean): Promise<string[]> {
  const withSession = db.selectFrom('sessions').select('userId');
  const withDevice = db.selectFrom('devices').select('userId').where('revokedAt', 'is', null);
  const rows = await (withDevices ? withSession.union(withDevice) : withSession.distinct())
    .orderBy('userId')
    .execute();
  return rows.map(({ userId }) => userId);
}

/** Deletes the sessions that have ended. Each condition has an index. */
export async function deleteEndedSessions(db: Db, { now, idleMs }: SessionBounds): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('expiresAt', '<=', now),
        eb.and([eb('lastSeenAt', '<=', now - idleMs), eb('createdAt', '<=', now - idleMs)]),
      ]),
    )
    .execute();
}
