/** Who is the platform's administrator: the one place that decides it. */
import type { Db } from '#platform/database/database';
import * as store from './store.ts';
import type { UserRow } from './store.ts';

/** An account that was flagged when it signed up, and that is named now. */
export function isAdministrator(
  { adminFlag, email }: Pick<UserRow, 'adminFlag' | 'email'>,
  administratorEmail: string | null,
): boolean {
  return adminFlag === 1 && email === administratorEmail;
}

/** Whether an account has the address without ever becoming the administrator by it. */
export async function isAdministratorMissed(db: Db, administratorEmail: string): Promise<boolean> {
  const user = await store.findUserByEmail(db, administratorEmail);
  return user !== null && !isAdministrator(user, administratorEmail);
}

/** Costs a deployment without an administrator nothing. */
export async function isAdministratorId(
  db: Db,
  userId: string,
  administratorEmail: string | null,
): Promise<boolean> {
  if (administratorEmail === null) return false;
  const user = await store.findUser(db, userId);
  return user !== null && isAdministrator(user, administratorEmail);
}
