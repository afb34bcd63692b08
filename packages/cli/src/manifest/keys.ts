/**
 * The keys that sign releases: Ed25519, with Node's own crypto.
 *
 * A public key is one line, the base64 of its SPKI form; its id is the SHA-256 of that form, in hexadecimal. A private key
 * is a PKCS#8 file that only its owner can read, and its content is never shown.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { CliError } from '../errors.ts';
import { isOpenToOthers, readGiven } from '../files/given-file.ts';
import { reasonOf } from '../files/reason.ts';
import { safeLine } from '../terminal/safe-text.ts';

export interface PublicKey {
  readonly keyId: string;
  /** The key as one line of text, as people exchange it. */
  readonly line: string;
  readonly key: KeyObject;
}

export interface PrivateKey {
  readonly key: KeyObject;
  readonly publicKey: PublicKey;
}

export const KEY_BYTES_MAX = 64 * 1024;

export function generateKey(): PrivateKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { key: privateKey, publicKey: described(publicKey) };
}

/** Undefined when the line is not a public key. */
export function publicKeyFrom(line: string): PublicKey | undefined {
  const text = line.trim();
  const der = Buffer.from(text, 'base64');
  if (der.toString('base64') !== text) return undefined;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? described(key) : undefined;
  } catch {
    return undefined;
  }
}

export function privateKeyText({ key }: PrivateKey): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** @throws CliError when the file contains no usable key, or when others can read it. */
export async function readPrivateKey(file: string, signal: AbortSignal): Promise<PrivateKey> {
  const reject = (message: string, hint?: string, cause?: unknown) =>
    new CliError('usage', `${safeLine(file)} ${message}`, { ...(hint !== undefined && { hint }), cause });
  let text: string;
  try {
    if (await isOpenToOthers(file)) {
      throw reject('can be read by others, and a private key must not be.', `chmod 600 ${safeLine(file)}`);
    }
    text = (await readGiven(file, KEY_BYTES_MAX, signal)).toString();
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw reject(`cannot be read: ${reasonOf(error)}.`, undefined, error);
  }
  const key = keyIn(text);
  if (!key)
    throw reject(
      'does not contain an Ed25519 private key without a passphrase.',
      'svc manifest keygen creates one.',
    );
  return { key, publicKey: described(createPublicKey(key)) };
}

/** The library's own message may quote the file, so it is dropped. */
function keyIn(text: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: text, format: 'pem' });
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function described(key: KeyObject): PublicKey {
  const der = key.export({ format: 'der', type: 'spki' });
  return { key, line: der.toString('base64'), keyId: createHash('sha256').update(der).digest('hex') };
}
