/**
 * The keys of reports. Each report body is sealed under a key of its own, which is stored only as wrapped by the
 * deployment's master key. Deleting the wrapped key makes every copy of the body unreadable, wherever it may be.
 */
import type { Random } from './random.ts';
import { deriveKey, KEY_BYTES, seal, unseal } from './sealing.ts';

export interface ReportKeys {
  /** A new key, and its wrapped form. */
  make(reportId: string): { readonly key: Uint8Array; readonly wrapped: Uint8Array };
  /** @throws SealBrokenError when it is not the wrapped key of that report. */
  unwrap(reportId: string, wrapped: Uint8Array): Uint8Array;
}

const contextOf = (reportId: string) => ['report key', reportId];

export function createReportKeys(masterKey: Uint8Array, random: Random): ReportKeys {
  const wrapping = deriveKey(masterKey, 'svc wrapping of report keys');
  return {
    make(reportId) {
      const key = random.bytes(KEY_BYTES);
      return { key, wrapped: Buffer.concat(seal(wrapping, contextOf(reportId), key, random)) };
    },
    unwrap: (reportId, wrapped) => unseal(wrapping, contextOf(reportId), wrapped),
  };
}

/** The sealing context of a report filtered under a policy. */
export function projectionContext(reportId: string, blobName: string): readonly string[] {
  return ['report projection', reportId, blobName];
}

/** The sealing context of a report body, so that neither another report's nor another upload's can replace it. */
export function bodyContext(reportId: string, blobName: string): readonly string[] {
  return ['report body', reportId, blobName];
}
