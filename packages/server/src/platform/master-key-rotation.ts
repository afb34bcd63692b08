/**
 * The beginning and the end of the replacement of the master key. In between, every key of a report is wrapped again.
 *
 * From the beginning on, all processes wrap with the new key: a transaction that wraps a key shares a lock until it
 * ends, and the beginning waits for that lock. So no key is wrapped by the old one later, and a single pass finds them
 * all.
 */
import { StartError } from '#start-error';
import type { Database } from './database/database.ts';
import { deleteFact, findFacts, putFact } from './database/deployment.ts';
import { openKeptKeys, sealKeptKeys } from './kept-keys.ts';
import { KEPT_KEYS, keyOf, MARK, markOf, MASTER_KEY_LOCK, REPLACED_MARK } from './master-key.ts';
import type { Random } from './random.ts';

export interface RotationState {
  /** The key that the deployment uses; undefined when it is not among the known ones. */
  readonly inUse: Uint8Array | undefined;
  /** Whether keys of reports may still be wrapped by an older key. */
  readonly isUnderWay: boolean;
  /** False when the older key is needed and not among the known ones. */
  readonly knowsReplaced: boolean;
}

export async function findRotation(database: Database, known: readonly Uint8Array[]): Promise<RotationState> {
  const facts = await findFacts(database.read, [MARK, REPLACED_MARK]);
  const replaced = facts[REPLACED_MARK];
  return {
    inUse: keyOf(known, facts[MARK] ?? ''),
    isUnderWay: replaced !== undefined,
    knowsReplaced: replaced === undefined || keyOf(known, replaced) !== undefined,
  };
}

/**
 * Makes the new key the one in use. Does nothing when another process has done so.
 * @throws StartError when another process has begun to replace the key with yet another one.
 */
export async function beginRotation(
  database: Database,
  { from, to }: { readonly from: Uint8Array; readonly to: Uint8Array },
  random: Random,
): Promise<void> {
  await database.transaction(async (tx) => {
    await database.lockNames(tx, [MASTER_KEY_LOCK]);
    const facts = await findFacts(tx, [MARK, REPLACED_MARK, KEPT_KEYS]);
    if (facts[MARK] === markOf(to)) return;
    if (facts[MARK] !== markOf(from) || facts[REPLACED_MARK] !== undefined)
      throw new StartError('The master key is being replaced by another one. Finish that rotation first.');
    const kept = openKeptKeys(facts[KEPT_KEYS] ?? null, from);
    await putFact(tx, KEPT_KEYS, sealKeptKeys(kept, to, random));
    await putFact(tx, REPLACED_MARK, markOf(from));
    await putFact(tx, MARK, markOf(to));
  });
}

/** Call this when the old master key wraps no key of a report any more. */
export async function finishRotation(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await deleteFact(tx, REPLACED_MARK, null);
  });
}
