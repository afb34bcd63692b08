/**
 * The texts of a report's findings, for lists over many reports. They are stored beside the upload, compressed and
 * sealed under the report's key. They are deleted with the record of the upload, and unreadable without the key.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { packedTexts, unpackedTexts, type FindingText } from '@svc/report';

/** Level 1: the service compresses while a client waits. */
export function compressedTexts(texts: readonly FindingText[]): Uint8Array {
  return deflateRawSync(packedTexts(texts), { level: 1 });
}

/** @throws TypeError or Error for what `compressedTexts` did not write. */
export function decompressedTexts(bytes: Uint8Array): FindingText[] {
  return unpackedTexts(inflateRawSync(bytes).toString());
}
