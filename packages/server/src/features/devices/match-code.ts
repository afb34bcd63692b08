/** The code by which a person recognizes that the link in the browser is the one from their terminal. */
import { createHash } from 'node:crypto';
import { crockford } from '#platform/encoding';

export function matchCode(publicRequestId: string): string {
  const characters = crockford(createHash('sha256').update(publicRequestId, 'utf8').digest(), 8);
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}
