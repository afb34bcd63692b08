/** The tools that found the findings of a project: digests in hexadecimal digits. */
import { toolDigest } from '@svc/report';

/** The digest of a tool's name. */
export function toolKeyOf(name: string, key: Uint8Array): string {
  return hexOf(toolDigest(name, key));
}

export function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
