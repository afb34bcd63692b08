/** Which tools found the findings of a project: digests in hexadecimal digits. */
import { toolDigest } from '@svc/report';
import { toolsOf } from '#features/findings';
import type { PresentRow } from './store.ts';

/** The digest of a tool's name. */
export function toolKeyOf(name: string, key: Uint8Array): string {
  return hexOf(toolDigest(name, key));
}

/** Findings of the same tools share one array, because thousands of findings have few different ones. */
export function sharedToolKeys(): (row: Pick<PresentRow, 'tool' | 'several'>) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return ({ tool, several }) => {
    const key = `${tool} ${several ?? ''}`;
    const areas = several === null ? null : bytesOf(several);
    const keys = known.get(key) ?? toolsOf({ tool: bytesOf(tool), areas }).map(hexOf);
    known.set(key, keys);
    return keys;
  };
}

/** The digests that are packed one after the other. */
export function includesTool(packed: Uint8Array, tool: string): boolean {
  const digits = hexOf(packed);
  for (let at = 0; at < digits.length; at += tool.length) if (digits.startsWith(tool, at)) return true;
  return false;
}

function bytesOf(digits: string): Uint8Array {
  return Buffer.from(digits, 'hex');
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex');
}
