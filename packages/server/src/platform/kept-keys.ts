/**
 * The keys of digests: derived from the deployment's first master key, and kept when the master key is replaced.
 *
 * A digest cannot be computed again under another key: its input is not stored, or people already compare the digest.
 * So a rotation of the master key derives these keys from the old one for the last time and stores them, sealed under
 * the new one. None of them opens a report, and none reveals the master key that it was derived from.
 */
import { deriveKey, KEY_BYTES, seal, unseal } from './sealing.ts';
import type { Random } from './random.ts';

/** Every purpose, as it is given to the derivation. A name and its position never change; a new one comes last. */
export const keptPurposes = [
  'svc keys of projects',
  'svc keys of shares',
  'svc memory of counted events',
  'svc setup token',
  'svc hash of setup token',
  'svc digests of email addresses',
  'svc names of counters',
] as const;
export type KeptPurpose = (typeof keptPurposes)[number];

/** The key for one purpose. */
export type DeriveKey = (purpose: KeptPurpose) => Uint8Array;

/** The keys of a deployment whose master key was never replaced. */
export const derivingFrom =
  (masterKey: Uint8Array): DeriveKey =>
  (purpose) =>
    deriveKey(masterKey, purpose);

const CONTEXT = ['kept keys'];
const sealingKeyOf = (masterKey: Uint8Array) => deriveKey(masterKey, 'svc sealing of kept keys');

/** @returns text for the database, which only that master key opens. */
export function sealKeptKeys(derive: DeriveKey, masterKey: Uint8Array, random: Random): string {
  const keys = Buffer.concat(keptPurposes.map(derive));
  return Buffer.concat(seal(sealingKeyOf(masterKey), CONTEXT, keys, random)).toString('base64');
}

/**
 * @param sealed null when the master key was never replaced.
 * @throws SealBrokenError when it was sealed under another master key.
 */
export function openKeptKeys(sealed: string | null, masterKey: Uint8Array): DeriveKey {
  if (sealed === null) return derivingFrom(masterKey);
  const keys = unseal(sealingKeyOf(masterKey), CONTEXT, Buffer.from(sealed, 'base64'));
  return (purpose) => {
    const at = keptPurposes.indexOf(purpose) * KEY_BYTES;
    // The rotation stored no key for a purpose that was added after it.
    return at < keys.length ? keys.subarray(at, at + KEY_BYTES) : deriveKey(masterKey, purpose);
  };
}
