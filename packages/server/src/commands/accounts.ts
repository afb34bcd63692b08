/** The options with which a command names one account. */
import { findAccountId, type AccountName } from '#features/auth';
import type { Db } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import { StartError } from '#start-error';
import type { Invocation } from './frame/command.ts';

/**
 * Null when no option names an account.
 * @throws StartError when both options name one, or when the id does not have the form of an account's id.
 */
export function accountNameIn({ email, userId }: Invocation['options']): AccountName | null {
  if (email !== undefined && userId !== undefined)
    throw new StartError('Give --email or --user-id, not both.');
  if (typeof email === 'string') return { email };
  if (typeof userId !== 'string') return null;
  if (!isRecordId('usr', userId))
    throw new StartError('--user-id must be the id of an account, such as usr_ and 26 characters.');
  return { userId };
}

/** @throws StartError when there is no such account. */
export async function requireAccountId(db: Db, name: AccountName): Promise<string> {
  const userId = await findAccountId(db, name);
  if (userId !== null) return userId;
  throw new StartError(
    'email' in name
      ? 'There is no account with this address. Addresses are compared without case.'
      : 'There is no account with this id.',
  );
}
