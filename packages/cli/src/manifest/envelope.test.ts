import { sign } from 'node:crypto';
import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { limits, RELEASE_PAYLOAD_TYPE, type ReleaseEnvelope } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { openEnvelope, preAuthEncoding, sealed, signersOf } from './envelope.ts';
import { generateKey, privateKeyText, publicKeyFrom } from './keys.ts';

const [old, next, stranger] = [generateKey(), generateKey(), generateKey()];
const payload = Buffer.from('{"schemaVersion":1,"version":"1.2.3"}');
const bytesOf = (envelope: unknown) => Buffer.from(JSON.stringify(envelope));

/** The payload, if a trusted key has signed it; null when it is rejected for any reason. */
function accepted(bytes: Uint8Array, trusted = [old.publicKey]): Uint8Array | null {
  try {
    const envelope = openEnvelope(bytes);
    return signersOf(envelope, trusted).length > 0 ? envelope.payload : null;
  } catch {
    return null;
  }
}

describe('the signed bytes', () => {
  test('[D14] are the pre-authentication encoding of DSSE, with lengths in bytes', () => {
    const encoded = (type: string, text: string) =>
      Buffer.from(preAuthEncoding(type, Buffer.from(text))).toString();
    // The example in the protocol's own specification.
    expect(encoded('http://example.com/HelloWorld', 'hello world')).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
    expect(encoded('ä', 'ö')).toBe('DSSEv1 2 ä 2 ö');
    expect(encoded('', '')).toBe('DSSEv1 0  0 ');
  });

  test('[D14] differ for any two different pairs of type and payload', () => {
    const pair = fc.tuple(anyText({ maxLength: 12 }), fc.uint8Array({ maxLength: 12 }));
    fc.assert(
      fc.property(pair, pair, ([type, bytes], [otherType, otherBytes]) => {
        const isSame =
          Buffer.compare(Buffer.from(type), Buffer.from(otherType)) === 0 &&
          Buffer.compare(bytes, otherBytes) === 0;
        const encodings = [preAuthEncoding(type, bytes), preAuthEncoding(otherType, otherBytes)] as const;
        expect(Buffer.compare(...encodings) === 0).toBe(isSame);
      }),
    );
  });
});

describe('keys', () => {
  test('[D14] a public key is one line, and its id is the digest of the decoded line', () => {
    const { line, keyId } = old.publicKey;
    expect(line).toMatch(/^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{43}=$/);
    expect(keyId).toMatch(/^[0-9a-f]{64}$/);
    expect(publicKeyFrom(` ${line}\n`)?.keyId).toBe(keyId);
  });

  test.each([
    ['nothing', ''],
    ['a word', 'key'],
    ['a line cut short', old.publicKey.line.slice(0, -4)],
    ['a line with more', `${old.publicKey.line}AAAA`],
    ['a private key', privateKeyText(old)],
    ['a key of another kind', 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaw=='],
  ])('[D14] %s is not a public key', (_, line) => {
    expect(publicKeyFrom(line)).toBeUndefined();
  });
});

describe('signatures', () => {
  test('[D14] by several keys are accepted if any of the keys is trusted', () => {
    const both = bytesOf(sealed(payload, [old, next]));
    for (const trusted of [[old], [next], [old, next], [stranger, next]]) {
      const keys = trusted.map(({ publicKey }) => publicKey);
      expect(accepted(both, keys)).toEqual(payload);
    }
    expect(accepted(both, [stranger.publicKey])).toBeNull();
    expect(accepted(both, [])).toBeNull();
  });

  test('[D14] that are added later keep the existing ones, and each key signs once', () => {
    const first = sealed(payload, [old]);
    const again = sealed(payload, [next, old], first.signatures);
    expect(again.signatures.map(({ keyid }) => keyid)).toEqual([next, old].map((key) => key.publicKey.keyId));
    expect(accepted(bytesOf(again), [next.publicKey])).toEqual(payload);
  });

  test('[D14] a key id is a hint, and a wrong one has no effect', () => {
    const envelope = sealed(payload, [old]);
    const renamed = envelope.signatures.map(({ sig }) => ({ sig, keyid: stranger.publicKey.keyId }));
    expect(accepted(bytesOf({ ...envelope, signatures: renamed }))).toEqual(payload);
  });

  test('[D14] unknown fields in the envelope and its signatures have no effect', () => {
    const { signatures, ...envelope } = sealed(payload, [old]);
    const more = { ...envelope, comment: 1, signatures: signatures.map((one) => ({ ...one, cert: 'x' })) };
    expect(accepted(bytesOf(more))).toEqual(payload);
  });
});

describe('a valid envelope with a change', () => {
  const right = sealed(payload, [old]);
  const text = JSON.stringify(right);

  test('[T21] of its bytes is rejected, or gives the same payload', () => {
    const change = fc.record({
      at: fc.nat({ max: text.length }),
      removed: fc.nat({ max: 40 }),
      added: fc.oneof(fc.string({ maxLength: 8 }), fc.base64String({ maxLength: 8 })),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        let bytes = Buffer.from(text);
        for (const { at, removed, added } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(added), bytes.subarray(at + removed)]);
        }
        expect([null, payload.toString()]).toContainEqual(accepted(bytes)?.toString() ?? null);
      }),
    );
  });

  test('[T21] of one bit in payload or signature is rejected', () => {
    const flipped = (base64: string, bit: number) => {
      const bytes = Buffer.from(base64, 'base64');
      const at = Math.floor(bit / 8) % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
      return bytes.toString('base64');
    };
    const { keyid, sig } = right.signatures[0]!;
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (bit, isPayload) => {
        const changed: ReleaseEnvelope = isPayload
          ? { ...right, payload: flipped(right.payload, bit) }
          : { ...right, signatures: [{ keyid, sig: flipped(sig, bit) }] };
        expect(accepted(bytesOf(changed))).toBeNull();
      }),
    );
  });

  test('[T21] of its type, payload or signatures to those of another envelope is rejected', () => {
    const other = Buffer.from('{"schemaVersion":1,"version":"6.6.6"}');
    const raw = (bytes: Uint8Array) => sign(null, bytes, old.key).toString('base64');
    const signatures = [
      sealed(other, [old]).signatures[0]?.sig ?? '',
      sealed(other, [stranger]).signatures[0]?.sig ?? '',
      sealed(payload, [stranger]).signatures[0]?.sig ?? '',
      raw(payload),
      raw(preAuthEncoding('application/json', payload)),
      '',
    ];
    const part = {
      payloadType: fc.constantFrom(RELEASE_PAYLOAD_TYPE, 'application/json', ''),
      payload: fc
        .constantFrom(payload, Buffer.from('{}'), Buffer.alloc(0))
        .map((bytes) => bytes.toString('base64')),
      signatures: fc.array(
        fc.record({ keyid: fc.constantFrom(old.publicKey.keyId, 'x'), sig: fc.constantFrom(...signatures) }),
        { maxLength: limits.release.signaturesMax + 1 },
      ),
    };
    fc.assert(
      fc.property(fc.record(part), (envelope) => {
        expect(accepted(bytesOf(envelope))).toBeNull();
      }),
    );
  });
});
