/** Questions about what lies at a path. Nothing is opened here. */
import { lstatSync, realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import path from 'node:path';

/** Without following a link: one that leads nowhere is there. */
export function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

/** With every link resolved; a path that leads nowhere comes back absolute. */
export function realFolderOf(folder: string): Promise<string> {
  return fs.realpath(folder).catch(() => path.resolve(folder));
}

export function realFolderSync(folder: string): string {
  return realpathSync(folder);
}
