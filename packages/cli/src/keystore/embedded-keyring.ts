/**
 * The keyring's native library, embedded in the program's single file. Systems load libraries from files only, so it is
 * written once into the cache folder, under its digest. An existing file is loaded only if it still has that digest and
 * nobody else can write to its folder. If anything fails, the credential is stored in a file instead.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type * as Keyring from '@napi-rs/keyring';
import { readOwn } from '../files/own-file.ts';
import { makeFolder, rejectSharedFolder } from '../files/own-folders.ts';
import { foldersOf } from '../folders.ts';
import { writePrivateFile } from '../files/private-file.ts';

const LIBRARY_BYTES_MAX = 64 * 1024 * 1024;

export interface EmbeddedLibrary {
  /** The platform it was built for, such as `linux-x64`. */
  readonly platform: string;
  /** The digest of the library, in hexadecimal. */
  readonly sha256: string;
  /** The library, compressed with Brotli, in base64. */
  readonly load: () => Promise<string>;
}

/** @throws when this machine cannot use the library. */
export async function loadEmbedded({ platform, sha256, load }: EmbeddedLibrary): Promise<typeof Keyring> {
  if (platform !== `${process.platform}-${process.arch}`) throw new Error(`It was built for ${platform}.`);
  const folder = path.join(foldersOf(process.env).cache, 'native');
  const file = path.join(folder, `${sha256}.node`);
  makeFolder(folder);
  rejectSharedFolder(folder);
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
