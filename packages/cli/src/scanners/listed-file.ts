/**
 * A file by its name. On most systems a name is bytes. If these are not valid UTF-8, the bytes open the file, and the shown
 * name has a replacement character for each invalid byte.
 */
import { isUtf8 } from 'node:buffer';
import path from 'node:path';

export interface ListedFile {
  /** The path from the root, with forward slashes. */
  readonly path: string;
  /** The path as bytes, if they are not valid UTF-8. */
  readonly bytes?: Buffer;
}

export function listedFile(bytes: Buffer): ListedFile {
  return isUtf8(bytes) ? { path: bytes.toString() } : { path: bytes.toString(), bytes };
}

/** The path for the file system. */
export function placeOf(root: string, file: ListedFile): string | Buffer {
  if (file.bytes === undefined) return path.join(root, file.path);
  return Buffer.concat([Buffer.from(`${root}/`), file.bytes]);
}

/**
 * Turns a file relative to `folder` into the same file relative to a folder above.
 * @param folder relative to the folder above, with forward slashes
 */
export function listedBelow(folder: string, { path: name, bytes }: ListedFile): ListedFile {
  return {
    path: `${folder}/${name}`,
    ...(bytes && { bytes: Buffer.concat([Buffer.from(`${folder}/`), bytes]) }),
  };
}

export function folderOf({ path: name, bytes }: ListedFile): ListedFile {
  if (bytes === undefined) return { path: path.posix.dirname(name) };
  const end = bytes.lastIndexOf('/');
  return end === -1 ? { path: '.' } : listedFile(bytes.subarray(0, end));
}
