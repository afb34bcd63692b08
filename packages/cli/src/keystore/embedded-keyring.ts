/**
 * The keyring's native library out of the one file that is shipped. The system loads libraries from files only, so it is
 * written once into the cache folder, under its digest. A file found there is loaded only if it is still what was built,
 * in a folder that nobody else can write to. Whatever goes wrong here, the credential is kept in a file instead.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type * as Keyring from '@napi-rs/keyring';
import { readOwn } from '../files/own-file.ts';
import { makeFolder, refuseSharedFolder } from '../files/own-folders.ts';
import { foldersOf } from '../folders.ts';
import { writePrivateFile } from '../files/private-file.ts';

const LIBRARY_BYTES_MAX = 64 * 1024 * 1024;

export interface EmbeddedLibrary {
  /** `linux-x64`: what it was built for. */
  readonly platform: string;
  /** Of the library, in hexadecimal. */
  readonly sha256: string;
  /** The library, compressed with Brotli, in base64. */
  readonly load: () => Promise<string>;
}

/** @throws when this machine can not use it. */
export async function loadEmbedded({ platform, sha256, load }: EmbeddedLibrary): Promise<typeof Keyring> {
  if (platform !== `${process.platform}-${process.arch}`) throw new Error(`It was built for ${platform}.`);
  const folder = path.join(foldersOf(process.env).cache, 'native');
  const file = path.join(folder, `${sha256}.node`);
  makeFolder(folder);
  refuseSharedFolder(folder);
  if (!(await holds(file, sha256))) {
    const library = brotliDecompressSync(Buffer.from(await load(), 'base64'));
    if (digest(library) !== sha256) throw new Error('It is damaged.');
    await writePrivateFile(file, library);
  }
  return createRequire(import.meta.url)(file) as typeof Keyring;
}

async function holds(file: string, sha256: string): Promise<boolean> {
  try {
    const kept = await readOwn(file, LIBRARY_BYTES_MAX);
    return kept !== null && digest(kept) === sha256;
  } catch {
    return false;
  }
}

function digest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
