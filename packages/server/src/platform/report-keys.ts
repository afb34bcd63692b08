/**
 * The keys of reports. What is kept of a report's text is sealed under a key of its own, and of that key only the form
 * wrapped by the deployment's master key is kept. Forgetting the wrapped key makes every copy of the text unreadable,
 * wherever it may be left.
 */
import type { Random } from './random.ts';
import { deriveKey, KEY_BYTES, seal, unseal } from './sealing.ts';

export interface ReportKeys {
  /** A new key, and the form in which it is kept. */
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

/** What the report filtered under a policy is sealed as. */
export function projectionContext(reportId: string, blobName: string): readonly string[] {
  return ['report projection', reportId, blobName];
}

/** What a report's text is sealed as: neither another report's nor another upload's can stand in its place. */
export function bodyContext(reportId: string, blobName: string): readonly string[] {
  return ['report body', reportId, blobName];
}
