/** Lets the operator find accounts from outside the service, and end their sessions and devices. */
import { normalizeEmail } from '@svc/contract';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Database, Db, Tx } from '#platform/database/database';
import { lockAccount } from './service.ts';
import * as store from './store.ts';

export interface EndedCount {
  readonly sessions: number;
  readonly devices: number;
}

export interface EndingService {
  /** Accounts with a session, and on request also those with a device, in the order of their ids. */
  listAccounts(withDevices: boolean): Promise<string[]>;
  /** Ends all sessions of an account, and on request its devices. A sign-in under way may still create a session. */
  endAll(userId: string, withDevices: boolean): Promise<EndedCount>;
}

export interface EndingPorts {
  readonly database: Database;
  readonly bus: Bus;
  /** Revokes all devices of an account on behalf of the operator, and returns how many. */
  readonly revokeDevices: (tx: Tx, userId: string) => Promise<number>;
}

export type AccountName = { readonly email: string } | { readonly userId: string };

/** Null when there is no such account. */
export async function findAccountId(db: Db, name: AccountName): Promise<string | null> {
  const user =
    'email' in name
      ? await store.findUserByEmail(db, normalizeEmail(name.email))
      : await store.findUser(db, name.userId);
  return user?.id ?? null;
}

export function createEndingService({ database, bus, revokeDevices }: EndingPorts): EndingService {
  return {
    listAccounts: (withDevices) => store.listAccountsInUse(database.read, withDevices),
    endAll: (userId, withDevices) =>
      database.transaction(async (tx) => {
        await lockAccount(database, tx, userId);
        const devices = withDevices ? await revokeDevices(tx, userId) : 0;
        const sessions = await store.deleteSessionsOf(tx, userId, null);
        await bus.publish(tx, topics.user(userId));
        return { sessions, devices };
      }),
  };
}
