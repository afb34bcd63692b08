/**
 * A file by its name. On most systems a name is bytes: where those are no text, they are what the file is opened by, and what
 * is shown has a mark in the place of each that can not be.
 */
import { isUtf8 } from 'node:buffer';
import path from 'node:path';

export interface ListedFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  /** The same as bytes, where they are no UTF-8. */
  readonly bytes?: Buffer;
}

export function listedFile(bytes: Buffer): ListedFile {
  return isUtf8(bytes) ? { path: bytes.toString() } : { path: bytes.toString(), bytes };
}

/** What the file system knows it by. */
export function placeOf(root: string, file: ListedFile): string | Buffer {
  if (file.bytes === undefined) return path.join(root, file.path);
  return Buffer.concat([Buffer.from(`${root}/`), file.bytes]);
}

export function folderOf({ path: name, bytes }: ListedFile): ListedFile {
  if (bytes === undefined) return { path: path.posix.dirname(name) };
  const end = bytes.lastIndexOf('/');
  return end === -1 ? { path: '.' } : listedFile(bytes.subarray(0, end));
}
