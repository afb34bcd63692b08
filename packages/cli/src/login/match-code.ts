/** The code by which a person recognizes that the page in the browser is about the device link that began here. */
import { createHash } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;

/** The first 40 bits of the SHA-256 of the id in Crockford base32, as `XXXX-XXXX`. */
export function matchCode(publicRequestId: string): string {
  const number = createHash('sha256').update(publicRequestId, 'utf8').digest().readUIntBE(0, 5);
  let rest = number;
  let code = '';
  while (code.length < LENGTH) {
    code = `${CROCKFORD[rest % 32]}${code}`;
    rest = Math.floor(rest / 32);
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
