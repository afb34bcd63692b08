/**
 * The files of a checkout, searchable by their whole path or by its end. Paths are relative to the root, with
 * forward slashes, in Unicode's composed form (NFC), as in findings.
 */

export interface SuffixMatch {
  /** The largest number of trailing segments that the path shares with any file. */
  readonly length: number;
  /** Undefined when several files share that end. */
  readonly file?: string;
}

export interface FileIndexOptions {
  /**
   * Whether an unlisted file or folder exists, such as an ignored one. Takes a path relative to the root, with
   * forward slashes, from an untrusted source.
   */
  readonly isOnDisk?: (file: string) => boolean;
}

export class FileIndex {
  readonly #files: ReadonlySet<string>;
  readonly #isOnDisk: (file: string) => boolean;
  #exact: Endings | undefined;
  #folded: Endings | undefined;

  constructor(files: Iterable<string>, { isOnDisk = () => false }: FileIndexOptions = {}) {
    this.#files = new Set(Array.from(files, (file) => file.normalize('NFC')));
    this.#isOnDisk = isOnDisk;
  }

  /** The file in the checkout's spelling. With `ignoresCase`, case is ignored if exactly one file matches. */
  find(file: string, ignoresCase = false): string | undefined {
    if (this.#files.has(file) || this.#isOnDisk(file)) return file;
    if (!ignoresCase) return undefined;
    const [found, another] = this.#foldedEndings().filesOf(file.split('/'));
    return another === undefined ? found : undefined;
  }

  /** The files that share the most trailing segments with a path; undefined when there are none. */
  match(segments: readonly string[], ignoresCase = false): SuffixMatch | undefined {
    return (ignoresCase ? this.#foldedEndings() : this.#exactEndings()).match(segments);
  }

  #exactEndings(): Endings {
    return (this.#exact ??= new Endings(this.#files, (path) => path));
  }

  #foldedEndings(): Endings {
    return (this.#folded ??= new Endings(this.#files, (path) => path.toLowerCase()));
  }
}

/**
 * Reversed paths, sorted: paths with the same end are neighbours, and the closest matches of a given path are beside
 * its own position. Each reversed path is followed by its file, after a character that no path contains.
 */
class Endings {
  readonly #fold: (path: string) => string;
  readonly #entries: readonly string[];

  constructor(files: Iterable<string>, fold: (path: string) => string) {
    this.#fold = fold;
    this.#entries = Array.from(files, (file) => `${this.#keyOf(file.split('/'))}\0${file}`).toSorted();
  }

  /** The files with this whole path: several where only their case differs. */
  filesOf(segments: readonly string[]): readonly string[] {
    const key = `${this.#keyOf(segments)}\0`;
    const files: string[] = [];
    for (let at = this.#positionOf(key); this.#entries[at]?.startsWith(key) === true; at += 1)
      files.push(this.#fileAt(at));
    return files;
  }

  match(segments: readonly string[]): SuffixMatch | undefined {
    const key = this.#keyOf(segments);
    if (key.includes('\0')) return undefined;
    const at = this.#positionOf(key);
    const shared = [this.#entries[at - 1], this.#entries[at]].map((other = '') => sharedLength(key, other));
    const common = key.slice(0, Math.max(...shared));
    const length = common.split('/').length - 1;
    if (length === 0) return undefined;
    const first = this.#positionOf(common);
    const isAlone = this.#entries[first + 1]?.startsWith(common) !== true;
    return isAlone ? { length, file: this.#fileAt(first) } : { length };
  }

  #fileAt(at: number): string {
    const entry = this.#entries[at] ?? '';
    return entry.slice(entry.indexOf('\0') + 1);
  }

  /**
   * Each segment ends with a slash, which no segment contains, so a key that is a prefix of another ends between two
   * segments.
   */
  #keyOf(segments: readonly string[]): string {
    return this.#fold(`${segments.toReversed().join('/')}/`);
  }

  /** The position of the first entry that is not before the key. */
  #positionOf(key: string): number {
    let from = 0;
    let to = this.#entries.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#entries[middle] ?? '') < key) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The length of the common prefix of two keys, in whole segments. */
function sharedLength(one: string, other: string): number {
  const lengthMax = Math.min(one.length, other.length);
  let whole = 0;
  for (let at = 0; at < lengthMax && one[at] === other[at]; at += 1) if (one[at] === '/') whole = at + 1;
  return whole;
}
