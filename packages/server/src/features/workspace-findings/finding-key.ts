/**
 * The key of a finding, and its identity of 16 bytes, from which the key is made. Both sort in the same order. Views hold
 * identities, because making fifty thousand keys would take longer than selecting from them.
 */
import { IDENTITY_BYTES } from '@svc/report';
import { crockford, fromCrockford } from '#platform/encoding';

const KEY_LENGTH = Math.ceil((IDENTITY_BYTES * 8) / 5);

/** @param identity in hexadecimal digits. */
export function findingKeyOf(identity: string): string {
  return crockford(Buffer.from(identity, 'hex'), KEY_LENGTH).toLowerCase();
}

/** The identity in hexadecimal digits. Null for a text that is not the key of any identity. */
export function identityOf(findingKey: string): string | null {
  const bytes = fromCrockford(findingKey.toUpperCase(), IDENTITY_BYTES);
  if (bytes === null) return null;
  const identity = Buffer.from(bytes).toString('hex');
  return findingKeyOf(identity) === findingKey ? identity : null;
}
