/**
 * The principals of a share. An address stands for one account: the account that has it when the address is named, or
 * else the first account that signs up with it. Addresses are not verified, so the account never changes after that,
 * even when it is deleted. Naming an address and signing up with it lock each other out, so that neither misses the
 * other.
 */
import { policyDigestOf } from '#features/projections';
import type { Database, Tx } from '#platform/database/database';
import type { Principal } from './principals-policy.ts';
import * as store from './store.ts';

type Locks = Pick<Database, 'lockNames'>;

const lockOf = (email: string) => `share principal ${email}`;

/** Replaces the principals of the share. Addresses that stay keep their account. */
export async function replacePrincipals(
  tx: Tx,
  locks: Locks,
  shareId: string,
  principals: readonly Principal[],
): Promise<void> {
  const emails = principals.filter(({ type }) => type === 'email').map(({ value }) => value);
  if (emails.length > 0) await locks.lockNames(tx, emails.map(lockOf));
  const accounts = await store.accountsByEmail(tx, emails);
  const before = await store.listPrincipals(tx, { shareId });
  const pinned = new Map(before.map(({ type, value, userId }) => [type === 'email' ? value : '', userId]));
  await store.deletePrincipals(tx, shareId);
  await store.insertPrincipals(
    tx,
    principals.map(({ type, value, label, policy }, position) => ({
      shareId,
      position,
      type,
      value,
      userId: type === 'email' ? (pinned.get(value) ?? accounts.get(value) ?? null) : null,
      label,
      policy: JSON.stringify(policy),
      policyDigest: policyDigestOf(policy),
    })),
  );
}

/** Binds principals that name the address of a new account to it, within the transaction that creates the account. */
export async function pinAddress(
  tx: Tx,
  locks: Locks,
  { userId, email }: { readonly userId: string; readonly email: string },
): Promise<void> {
  await locks.lockNames(tx, [lockOf(email)]);
  await store.pinAddress(tx, email, userId);
}
