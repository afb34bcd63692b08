/**
 * The deployment's master key: 32 bytes from `SVC_MASTER_KEY`, or from a file created at the first start.
 *
 * What it wraps can never be read without it. So the database stores a mark of the key. A start with another key or
 * without one (a lost file, a backup of half the folder) fails before anything is written.
 *
 * While one key replaces another (master-key-rotation.ts), a process knows both. The mark says which of them is in use.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { StartError } from '#start-error';
import type { Database, ReadingDatabase, Tx } from './database/database.ts';
import { findFact, findFacts, putFactOnce } from './database/deployment.ts';
import { openKeptKeys, type DeriveKey } from './kept-keys.ts';
import { createKeyFile, MASTER_KEY_BYTES, readKeyFile } from './master-key-file.ts';
import type { Random } from './random.ts';
import { UnavailableError } from './unavailable.ts';

export interface KnownKeys {
  /** Every master key that this process knows, the newest first. */
  known(): readonly Uint8Array[];
  /** Reads the file again first, unless keys are configured. A key that was known once stays known. */
  knownNow(): readonly Uint8Array[];
}

export interface MasterKeys extends KnownKeys {
  /** The key in use when the process started. */
  readonly atStart: Uint8Array;
  /** The keys of digests, which are the same under every master key of the deployment. */
  readonly derive: DeriveKey;
  /**
   * The key in use, until the transaction ends.
   * @throws UnavailableError when this process does not know it.
   */
  inUse(tx: Tx): Promise<Uint8Array>;
}

export interface MasterKeySources {
  readonly database: Database;
  /** The keys from the configuration, the newest first. Any of them takes precedence over the file. */
  readonly configured: readonly Uint8Array[];
  /** Read when no key is configured, and created at the first start. */
  readonly file: string;
  readonly random: Random;
}

type ReadSources = Pick<MasterKeySources, 'configured' | 'file'> & { readonly database: ReadingDatabase };

/** Facts of the deployment, in the database. */
export const MARK = 'master-key-mark';
/** The mark of the key that is being replaced. Exists until that key wraps no key of a report. */
export const REPLACED_MARK = 'master-key-replaced';
/** The keys of digests, sealed under the key in use. Absent until the first rotation. */
export const KEPT_KEYS = 'kept-keys';

/** Locked to change the mark, shared to wrap a key. */
export const MASTER_KEY_LOCK = 'master key';

/** @throws StartError when there is no usable key, or not the one of this deployment. */
export async function openMasterKeys({
  database,
  configured,
  file,
  random,
}: MasterKeySources): Promise<MasterKeys> {
  const isNew = await isNewDeployment(database);
  const keys = configuredOrFile(configured, file) ?? (isNew ? [makeKey(file, random)] : lost(file));
  if (isNew && keys[0]) await putFactOnce(database.read, MARK, markOf(keys[0]));
  const { atStart, derive } = await chosen({ database, configured, file }, keys);

  let known = keys;
  const knownNow = () => {
    const found = configured.length > 0 ? [] : (readKeyFile(file) ?? []);
    const fresh = found.filter((key) => !known.some((other) => isSame(key, other)));
    if (fresh.length > 0) known = [...fresh, ...known];
    return known;
  };
  return {
    atStart,
    derive,
    known: () => known,
    knownNow,
    async inUse(tx) {
      await database.shareName(tx, MASTER_KEY_LOCK);
      const mark = (await findFact(tx, MARK)) ?? '';
      const key = keyOf(known, mark) ?? keyOf(knownNow(), mark);
      if (key) return key;
      throw new UnavailableError(
        'The master key was replaced by one that this process does not know. Restart it with the new key.',
      );
    },
  };
}

/** Whether the deployment is new: its database has no mark of a key, and so contains no report. */
export async function isNewDeployment(database: ReadingDatabase): Promise<boolean> {
  return (await findFact(database.read, MARK)) === null;
}

/**
 * The keys of a deployment, for commands that only read.
 * @throws StartError like `openMasterKeys`.
 */
export async function readMasterKeys(
  sources: ReadSources,
): Promise<KnownKeys & Pick<MasterKeys, 'atStart' | 'derive'>> {
  const keys = configuredOrFile(sources.configured, sources.file) ?? lost(sources.file);
  return { ...(await chosen(sources, keys)), ...fixedKeys(keys) };
}

/** Keys that never change, because they are read only once. */
export const fixedKeys = (keys: readonly Uint8Array[]): KnownKeys => ({
  known: () => keys,
  knownNow: () => keys,
});

/** Which of the keys is in use. */
async function chosen(
  { database, configured, file }: ReadSources,
  keys: readonly Uint8Array[],
): Promise<Pick<MasterKeys, 'atStart' | 'derive'>> {
  const facts = await findFacts(database.read, [MARK, REPLACED_MARK, KEPT_KEYS]);
  const atStart = keyOf(keys, facts[MARK] ?? '');
  if (!atStart) throw foreign(configured, file);
  const replaced = facts[REPLACED_MARK];
  if (replaced !== undefined && !keyOf(keys, replaced))
    throw new StartError(
      `The master key is being replaced, and ${sourceOf(configured, file)} lacks the old one. Add it after the new one until "svc-server rotate-master-key" has finished: some reports cannot be read without it.`,
    );
  return { atStart, derive: openKeptKeys(facts[KEPT_KEYS] ?? null, atStart) };
}

export function configuredOrFile(
  configured: readonly Uint8Array[],
  file: string,
): readonly Uint8Array[] | null {
  return configured.length > 0 ? configured : readKeyFile(file);
}

const marks = new WeakMap<Uint8Array, string>();

/** Computed once for each key: each transaction that wraps a key needs it. */
export function markOf(key: Uint8Array): string {
  const known = marks.get(key);
  if (known !== undefined) return known;
  const mark = createHmac('sha256', createSecretKey(key)).update('svc master key mark').digest('hex');
  marks.set(key, mark);
  return mark;
}

export function keyOf(keys: readonly Uint8Array[], mark: string): Uint8Array | undefined {
  return keys.find((key) => sameText(markOf(key), mark));
}

export function foreign(configured: readonly Uint8Array[], file: string): StartError {
  return new StartError(
    `The master key of ${sourceOf(configured, file)} is not the key of this deployment. Restore that key, the same for every replica: reports cannot be read without it.`,
  );
}

const sourceOf = (configured: readonly Uint8Array[], file: string) =>
  configured.length > 0 ? 'SVC_MASTER_KEY' : file;

export function lost(file: string): never {
  throw new StartError(
    `The master key file ${file} is missing. Restore it from a backup, or set SVC_MASTER_KEY to the same key: reports cannot be read without it.`,
  );
}

function makeKey(file: string, random: Random): Uint8Array {
  const key = random.bytes(MASTER_KEY_BYTES);
  createKeyFile(file, key);
  return key;
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return timingSafeEqual(one, other);
}

function sameText(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
