/**
 * Finds the folders that contain a path. They are looked up by name, so the time does not depend on how many there are.
 */
import { parsedPath, writtenFile, type Path } from './location.ts';

/** Limits the matches among nested folders. */
const FOUND_MAX = 16;

export class Folders {
  readonly #orders = new Map<string, number>();
  /** The different numbers of segments that the folders have. */
  readonly #depths = new Set<number>();
  readonly #isEmpty: boolean;

  /** @param folders absolute, in any spelling; relative ones contain nothing. */
  constructor(folders: readonly string[]) {
    this.#isEmpty = folders.length === 0;
    folders.forEach((folder, order) => {
      const path = parsedPath(folder);
      const key = keyOf(path, path.segments.length);
      if (path.anchor === '' || this.#orders.has(key)) return;
      this.#orders.set(key, order);
      this.#depths.add(path.segments.length);
    });
  }

  /**
   * The path relative to each folder that contains it, in the order of the folders. A relative path is returned alone.
   */
  relative(given: string): string[] {
    if (this.#isEmpty) return [];
    const path = parsedPath(given);
    // Some tools write `file:` before a relative path.
    if (path.anchor === '') return [writtenFile(path)];
    const found: { readonly order: number; readonly depth: number }[] = [];
    for (const depth of this.#depths) {
      const order = depth > path.segments.length ? undefined : this.#orders.get(keyOf(path, depth));
      if (order !== undefined) found.push({ order, depth });
    }
    return found
      .toSorted((one, other) => one.order - other.order)
      .slice(0, FOUND_MAX)
      .map(({ depth }) => path.segments.slice(depth).join('/') || '.');
  }
}

/** Only Windows paths ignore case. */
function keyOf({ anchor, segments }: Path, depth: number): string {
  const folder = segments.slice(0, depth).join('/');
  return `${anchor}/${anchor === '/' ? folder : folder.toLowerCase()}`;
}
