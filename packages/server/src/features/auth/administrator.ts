/** Decides who is the platform administrator; no other code does. */
import type { Db } from '#platform/database/database';
import * as store from './store.ts';
import type { UserRow } from './store.ts';

/** True for an account that was flagged at sign-up and has the configured address now. */
export function isAdministrator(
  { adminFlag, email }: Pick<UserRow, 'adminFlag' | 'email'>,
  administratorEmail: string | null,
): boolean {
  return adminFlag === 1 && email === administratorEmail;
}

/** Whether an account has the address but can never become the administrator. */
export async function isAdministratorMissed(db: Db, administratorEmail: string): Promise<boolean> {
  const user = await store.findUserByEmail(db, administratorEmail);
  return user !== null && !isAdministrator(user, administratorEmail);
}

/** Needs no query in a deployment without an administrator. */
export async function isAdministratorId(
  db: Db,
  userId: string,
  administratorEmail: string | null,
): Promise<boolean> {
  if (administratorEmail === null) return false;
  const user = await store.findUser(db, userId);
  return user !== null && isAdministrator(user, administratorEmail);
}
