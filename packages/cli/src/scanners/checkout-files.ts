/**
 * The files of a checkout for the import of SARIF: those of the inventory, and other existing files, such as ignored ones,
 * which only a path from the root can name.
 */
import { FileIndex } from '@svc/report';
import path from 'node:path';
import { isThere } from '../files/paths.ts';
import type { Inventory } from './inventory.ts';

const known = new WeakMap<Inventory, FileIndex>();

/**
 * Built once for an inventory.
 * @param root of the inventory; absolute, with symbolic links resolved.
 */
export function checkoutFiles(root: string, inventory: Inventory): FileIndex {
  const before = known.get(inventory);
  if (before !== undefined) return before;
  const names = inventory.files.map((file) => file.path);
  const index = new FileIndex(names, { isOnDisk: onDisk(root) });
  known.set(inventory, index);
  return index;
}

/**
 * Checks on disk only paths that begin with a folder of the root, which few paths of a log do. Folders are cached,
 * because a path with repeated folder names is looked up with many of its endings.
 */
function onDisk(root: string): (file: string) => boolean {
  const folders = new Map<string, boolean>();
  const isKnown = (folder: string): boolean => {
    let isFolder = folders.get(folder);
    if (isFolder === undefined) folders.set(folder, (isFolder = exists(root, folder)));
    return isFolder;
  };
  return (file) => {
    const [first = '', second] = file.split('/', 2);
    if (!isKnown(first)) return false;
    return second === undefined || (isKnown(`${first}/${second}`) && exists(root, file));
  };
}

function exists(root: string, file: string): boolean {
  if (file === '' || file === '..' || file.startsWith('../') || file.includes('\0')) return false;
  try {
    return isThere(path.join(root, file));
  } catch {
    // A name that is too long, or a folder that is not readable.
    return false;
  }
}
