/**
 * The setup token. Addresses aren't verified, so a sign-up with the administrator's address proves nothing. The token
 * is the proof, because only the operator can read it. It exists as long as that address has no account, and works
 * once.
 *
 * The database stores the token's keyed hash, a digest of the address, and a nonce. Every replica derives the same
 * token from the nonce for its own file, so the next start replaces a lost or outdated file.
 */
import { timingSafeEqual } from 'node:crypto';
import type { AccountKeys } from '#platform/account-keys';
import type { Database, Tx } from '#platform/database/database';
import { describeError, type Log } from '#platform/log';
import type { Random } from '#platform/random';
import type { SetupTokenFile } from '#platform/setup-token-file';
import type { Job } from '#platform/sweeper';
import * as store from './store.ts';

export interface SetupPorts {
  readonly database: Database;
  readonly random: Random;
  readonly log: Log;
  readonly accountKeys: AccountKeys;
  readonly platformAdminEmail: string | null;
  /** The token from the configuration; then no file is written. */
  readonly setupToken: string | null;
  readonly setupTokenFile: SetupTokenFile;
}

/** What the setup token says about a sign-up. */
export type SetupVerdict =
  /** The sign-up is not for the administrator's address, so it needs no token. */
  | { readonly kind: 'ordinary' }
  | { readonly kind: 'denied' }
  /** The stored token to spend; null for a local sign-up, which needs none. */
  | { readonly kind: 'admitted'; readonly spends: string | null };

/** A setup token that was not used yet. Without a file it is the configured one. */
export interface PendingSetup {
  readonly file: string | null;
}

export interface SetupService {
  /** Does the same work for every address and token, so that the response time reveals nothing. */
  judge(
    email: string,
    given: { readonly setupToken: string | undefined; readonly isLocal: boolean },
  ): Promise<SetupVerdict>;
  /** Deletes the token within the sign-up's transaction. False when another sign-up used it first. */
  spend(tx: Tx, spends: string | null): Promise<boolean>;
  /** Call before the service listens. */
  prepare(): Promise<PendingSetup | null>;
  /** Call after the administrator's account was created or deleted. Never fails, because the job tries again. */
  refresh(): Promise<void>;
  readonly jobs: readonly Job[];
}

const LOCK = 'setup token';
const NONCE_BYTES = 16;
const NO_HASH = new Uint8Array(32);

export function createSetupService(ports: SetupPorts): SetupService {
  const { database, accountKeys, platformAdminEmail, setupToken: configured, setupTokenFile: file } = ports;
  const address = platformAdminEmail === null ? '' : accountKeys.addressDigest(platformAdminEmail);

  function newToken(): store.SetupToken {
    const nonce = configured === null ? Buffer.from(ports.random.bytes(NONCE_BYTES)).toString('hex') : null;
    return {
      address,
      nonce,
      hash: hashOf(nonce === null ? (configured ?? '') : accountKeys.setupToken(nonce)),
    };
  }

  const hashOf = (token: string) => Buffer.from(accountKeys.setupTokenHash(token)).toString('hex');

  /** False after the address or `SVC_SETUP_TOKEN` was changed, and on a replica with another configuration. */
  function isOurs(kept: store.SetupToken): boolean {
    if (kept.address !== address) return false;
    return configured === null
      ? kept.nonce !== null && kept.hash === hashOf(accountKeys.setupToken(kept.nonce))
      : kept.nonce === null && kept.hash === hashOf(configured);
  }

  function isRight(kept: store.SetupToken | null, given: string | undefined): boolean {
    const expected = kept ? Buffer.from(kept.hash, 'hex') : NO_HASH;
    const isEqual = timingSafeEqual(accountKeys.setupTokenHash(given?.trim() ?? ''), expected);
    return isEqual && kept?.address === address;
  }

  /** Only a start replaces a token. A job would undo what a replica with another configuration has just stored. */
  function settle(email: string, replaces: boolean): Promise<store.SetupToken | null> {
    return database.transaction(async (tx) => {
      await database.lockNames(tx, [LOCK]);
      if (await store.findUserByEmail(tx, email)) {
        await store.deleteSetupToken(tx, null);
        return null;
      }
      const kept = (await store.findSetupToken(tx))?.token;
      if (kept && (isOurs(kept) || !replaces)) return kept;
      const made = newToken();
      await store.replaceSetupToken(tx, made);
      return made;
    });
  }

  async function update(replaces: boolean): Promise<{ pending: PendingSetup | null; isNewFile: boolean }> {
    const kept = platformAdminEmail === null ? null : await settle(platformAdminEmail, replaces);
    if (kept && kept.nonce !== null && isOurs(kept)) {
      const isNewFile = file.write(accountKeys.setupToken(kept.nonce));
      return { pending: { file: file.path }, isNewFile };
    }
    file.remove();
    return { pending: kept && { file: null }, isNewFile: false };
  }

  async function updateAndLog(): Promise<void> {
    const { isNewFile } = await update(false);
    if (isNewFile) ports.log.info('setup token created', { setupTokenFile: file.path });
  }

  return {
    async judge(email, { setupToken, isLocal }) {
      if (platformAdminEmail === null) return { kind: 'ordinary' };
      const kept = await store.findSetupToken(database.read);
      const right = isRight(kept?.token ?? null, setupToken);
      if (email !== platformAdminEmail) return { kind: 'ordinary' };
      if (isLocal) return { kind: 'admitted', spends: null };
      return kept && right ? { kind: 'admitted', spends: kept.stored } : { kind: 'denied' };
    },

    async spend(tx, spends) {
      await database.lockNames(tx, [LOCK]);
      return (await store.deleteSetupToken(tx, spends)) || spends === null;
    },

    prepare: async () => (await update(true)).pending,

    async refresh() {
      try {
        await updateAndLog();
      } catch (error) {
        ports.log.error('the setup token could not be updated', { error: describeError(error) });
      }
    },

    jobs:
      platformAdminEmail === null
        ? []
        : [{ name: 'setup token', everyMs: 60_000, isLocal: true, run: updateAndLog }],
  };
}
