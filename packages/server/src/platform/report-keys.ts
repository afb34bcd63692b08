/**
 * The keys of reports. Each report body is sealed under a key of its own, which is stored only as wrapped by the
 * deployment's master key. Deleting the wrapped key makes every copy of the body unreadable, wherever it may be.
 *
 * While the master key is being replaced, some keys are wrapped by the old one and some by the new one. Each known
 * master key is tried: the seal decides which of them it was.
 */
import type { Tx } from './database/database.ts';
import type { KnownKeys, MasterKeys } from './master-key.ts';
import type { Random } from './random.ts';
import { deriveKey, KEY_BYTES, seal, SealBrokenError, unseal } from './sealing.ts';

export interface ReportKeys {
  make(): Uint8Array;
  /** The wrapped form, for the transaction that stores it. */
  wrap(tx: Tx, reportId: string, key: Uint8Array): Promise<Uint8Array>;
  /** @throws SealBrokenError when it is not the wrapped key of that report. */
  unwrap(reportId: string, wrapped: Uint8Array): Uint8Array;
}

const contextOf = (reportId: string) => ['report key', reportId];
export const wrappingKeyOf = (masterKey: Uint8Array) => deriveKey(masterKey, 'svc wrapping of report keys');

export function createReportKeys(masterKeys: MasterKeys, random: Random): ReportKeys {
  const wrappingKeyFor = rememberedWrappingKeys();
  return {
    make: () => random.bytes(KEY_BYTES),
    wrap: async (tx, reportId, key) =>
      wrapReportKey(wrappingKeyFor(await masterKeys.inUse(tx)), reportId, key, random),
    ...createUnwrapping(masterKeys),
  };
}

/** Derives each wrapping key once. */
function rememberedWrappingKeys(): (masterKey: Uint8Array) => Uint8Array {
  const wrappingKeys = new Map<Uint8Array, Uint8Array>();
  return (masterKey) => {
    const made = wrappingKeys.get(masterKey) ?? wrappingKeyOf(masterKey);
    wrappingKeys.set(masterKey, made);
    return made;
  };
}

export function createUnwrapping({ known, knownNow }: KnownKeys): Pick<ReportKeys, 'unwrap'> {
  const wrappingKeyFor = rememberedWrappingKeys();
  return {
    unwrap(reportId, wrapped) {
      const tried = new Set<Uint8Array>();
      for (const list of [known, knownNow]) {
        for (const masterKey of list()) {
          if (tried.has(masterKey)) continue;
          tried.add(masterKey);
          const key = unwrapWith(wrappingKeyFor(masterKey), reportId, wrapped);
          if (key !== null) return key;
        }
      }
      throw new SealBrokenError('No known master key unwraps it.');
    },
  };
}

export function wrapReportKey(
  wrapping: Uint8Array,
  reportId: string,
  key: Uint8Array,
  random: Random,
): Uint8Array {
  return Buffer.concat(seal(wrapping, contextOf(reportId), key, random));
}

function unwrapWith(wrapping: Uint8Array, reportId: string, wrapped: Uint8Array): Uint8Array | null {
  try {
    return unseal(wrapping, contextOf(reportId), wrapped);
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

/**
 * Returns the key as wrapped by the new master key, or null when it already is.
 * @throws SealBrokenError when no known master key unwraps it.
 */
export type Rewrapping = (reportId: string, wrapped: Uint8Array) => Uint8Array | null;

export function createRewrapping(
  oldKeys: readonly Uint8Array[],
  newKey: Uint8Array,
  random: Random,
): Rewrapping {
  const [newWrapping, ...oldWrappings] = [newKey, ...oldKeys].map(wrappingKeyOf) as [
    Uint8Array,
    ...Uint8Array[],
  ];
  return (reportId, wrapped) => {
    if (unwrapWith(newWrapping, reportId, wrapped) !== null) return null;
    for (const oldWrapping of oldWrappings) {
      const key = unwrapWith(oldWrapping, reportId, wrapped);
      if (key !== null) return wrapReportKey(newWrapping, reportId, key, random);
    }
    throw new SealBrokenError('No known master key unwraps it.');
  };
}

/** The sealing context of a report filtered under a policy. */
export function projectionContext(reportId: string, blobName: string): readonly string[] {
  return ['report projection', reportId, blobName];
}

/** The sealing context of the texts of an upload's findings. */
export function textsContext(reportId: string, uploadId: string): readonly string[] {
  return ['finding texts', reportId, uploadId];
}

/** The sealing context of a report body, so that neither another report's nor another upload's can replace it. */
export function bodyContext(reportId: string, blobName: string): readonly string[] {
  return ['report body', reportId, blobName];
}
