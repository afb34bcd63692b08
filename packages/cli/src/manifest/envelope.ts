/**
 * The signature envelope of a release, by DSSE v1 (https://github.com/secure-systems-lab/dsse). A signature covers the
 * bytes of the payload together with their type, so it is never valid for anything else. A client reads nothing in the
 * payload before it has verified a trusted key's signature.
 */
import { sign, verify } from 'node:crypto';
import { limits, ReceivedEnvelope, RELEASE_PAYLOAD_TYPE, type ReleaseEnvelope } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import type { PrivateKey, PublicKey } from './keys.ts';
import { rejected } from './rejections.ts';
import { decodeUtf8 } from '../utf8.ts';

export interface OpenedEnvelope {
  readonly payload: Uint8Array;
  readonly signatures: ReleaseEnvelope['signatures'];
}

/** The bytes that a signature covers. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = Buffer.from(payloadType);
  const head = Buffer.from(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `);
  return Buffer.concat([head, payload]);
}

/** @throws CliError when it is not the signature envelope of a release. Does not verify signatures. */
export function openEnvelope(bytes: Uint8Array): OpenedEnvelope {
  if (bytes.length > limits.release.manifestBytesMax) {
    throw rejected('MANIFEST_TOO_LARGE', 'The release manifest is larger than 1 MiB.');
  }
  const malformed = (what: string) => rejected('MANIFEST_MALFORMED', `The release manifest is ${what}.`);
  const value = jsonIn(bytes);
  if (value === undefined) throw malformed('not JSON in UTF-8');
  if (!validatorOf(ReceivedEnvelope).Check(value)) throw malformed('not a signature envelope');
  const { payloadType, payload, signatures } = value as ReleaseEnvelope;
  if (payloadType !== RELEASE_PAYLOAD_TYPE) {
    throw rejected('MANIFEST_OTHER_TYPE', 'The payload of the release manifest is not a release.');
  }
  if (signatures.length > limits.release.signaturesMax) {
    throw malformed(`signed more than ${limits.release.signaturesMax} times`);
  }
  const decoded = decodedBase64(payload);
  if (!decoded) throw malformed('a signature envelope whose payload is not base64');
  return { payload: decoded, signatures };
}

/** Those of the given keys that signed the envelope. Key ids are unverified hints, so every key is tried. */
export function signersOf({ payload, signatures }: OpenedEnvelope, keys: readonly PublicKey[]): PublicKey[] {
  const signed = preAuthEncoding(RELEASE_PAYLOAD_TYPE, payload);
  const given = signatures.flatMap(({ sig }) => decodedBase64(sig) ?? []);
  return keys.filter(({ key }) => given.some((signature) => verify(null, signed, key, signature)));
}

/** @param earlier signatures of other keys over the same payload, which are kept. */
export function sealed(
  payload: Uint8Array,
  keys: readonly PrivateKey[],
  earlier: ReleaseEnvelope['signatures'] = [],
): ReleaseEnvelope {
  const signed = preAuthEncoding(RELEASE_PAYLOAD_TYPE, payload);
  const ids = new Set(keys.map(({ publicKey }) => publicKey.keyId));
  return {
    payloadType: RELEASE_PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [
      ...earlier.filter(({ keyid }) => !ids.has(keyid)),
      ...keys.map(({ key, publicKey }) => ({
        keyid: publicKey.keyId,
        sig: sign(null, signed, key).toString('base64'),
      })),
    ],
  };
}

/** Undefined unless the text is canonical base64. */
function decodedBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** Undefined when the bytes are not valid JSON. */
export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes)) as unknown;
  } catch {
    return undefined;
  }
}
