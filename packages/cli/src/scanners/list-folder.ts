/**
 * The files of a folder without git, except those that a `.gitignore` in it excludes. Links are neither listed nor
 * followed. Names are read as bytes, so that a file with an invalid name is not overlooked.
 */
import * as fs from 'node:fs/promises';
import type { Ignore } from 'ignore';
import { readScanned } from '../files/read-bounded.ts';
import { listedFile, placeOf, type ListedFile } from './listed-file.ts';

export interface FolderList {
  readonly files: readonly ListedFile[];
  /** Folders that are not readable. */
  readonly unreadable: number;
}

interface Rules {
  /** The length of the path before the part that the rules apply to. */
  readonly from: number;
  readonly ignore: Ignore;
}

export interface WalkOptions {
  /** Folders with these names are skipped. */
  readonly without: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

export async function filesOfFolder(root: string, { without, signal }: WalkOptions): Promise<FolderList> {
  const { default: makeIgnore } = await import('ignore');
  const files: ListedFile[] = [];
  let unreadable = 0;
  await walk(Buffer.alloc(0), []);
  return { files, unreadable };

  async function walk(prefix: Buffer, above: readonly Rules[]): Promise<void> {
    signal.throwIfAborted();
    const entries = await entriesOf(prefix);
    const rules = entries.some((entry) => entry.isFile() && entry.name.equals(RULES))
      ? [...above, await rulesIn(prefix)]
      : above;
    for (const entry of entries) {
      const bytes = Buffer.concat([prefix, entry.name]);
      if (entry.isDirectory()) {
        if (!without.has(entry.name.toString())) await walk(Buffer.concat([bytes, SLASH]), rules);
      } else if (entry.isFile()) {
        const file = listedFile(bytes);
        if (!isIgnored(file.path, rules)) files.push(file);
      }
    }
  }

  async function entriesOf(prefix: Buffer) {
    try {
      const place = placeOf(root, listedFile(prefix));
      return await fs.readdir(place, { encoding: 'buffer', withFileTypes: true });
    } catch {
      unreadable += 1;
      return [];
    }
  }

  async function rulesIn(prefix: Buffer): Promise<Rules> {
    const place = placeOf(root, listedFile(Buffer.concat([prefix, RULES])));
    const text = await readScanned(place, RULES_BYTES_MAX).catch(() => '');
    return {
      from: prefix.toString().length,
      ignore: makeIgnore().add(text === 'too_large' ? '' : text.toString()),
    };
  }
}

const RULES_BYTES_MAX = 1024 * 1024;
const RULES = Buffer.from('.gitignore');
const SLASH = Buffer.from('/');

/** The rules of the deepest folder with a matching rule decide. */
function isIgnored(file: string, rules: readonly Rules[]): boolean {
  for (const { from, ignore } of rules.toReversed()) {
    const verdict = ignore.test(file.slice(from));
    if (verdict.ignored || verdict.unignored) return verdict.ignored;
  }
  return false;
}
