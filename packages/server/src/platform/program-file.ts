/**
 * The built CLI, on disk beside the service. It is read only on request, and its digest is computed once for each
 * build. Bytes and digest are always of the same build, even if another one replaces the file meanwhile.
 */
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, stat } from 'node:fs/promises';

export interface ProgramDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

export interface ProgramFile {
  /** Null when the file was not built. */
  digest(): Promise<ProgramDigest | null>;
  /** Null when the file was not built. */
  read(): Promise<(ProgramDigest & { readonly bytes: Uint8Array }) | null>;
}

export function createProgramFile(file: string): ProgramFile {
  let known: (ProgramDigest & { readonly build: string }) | undefined;

  async function read() {
    const handle = await open(file).catch(nullIfAbsent);
    if (handle === null) return null;
    try {
      const build = buildOf(await handle.stat({ bigint: true }));
      const bytes = await handle.readFile();
      if (known?.build !== build || known.sizeBytes !== bytes.length) {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        known = { build, sha256, sizeBytes: bytes.length };
      }
      const { sha256, sizeBytes } = known;
      return { sha256, sizeBytes, bytes };
    } finally {
      await handle.close();
    }
  }

  return {
    read,
    async digest() {
      const found = await stat(file, { bigint: true }).catch(nullIfAbsent);
      if (found === null) return null;
      return known?.build === buildOf(found) ? known : read();
    },
  };
}

/** The build replaces the file by a rename, so another build is another file. */
function buildOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
