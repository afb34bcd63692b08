/**
 * Finds the file of the checkout that is meant by a path written elsewhere: in a container, on another machine,
 * above or below the root of the repository.
 *
 * A path means the file with which it shares the most trailing segments, at least two, if exactly one file does.
 * What precedes the common end is a mapping, such as from `/ci/work` to the root, or from the root to
 * `packages/shop`. A mapping that at least two files of a run support independently is learned, and applies to other
 * paths of the run:
 *
 * - A path that matches no file or several, or one by its own mapping only, means the file to which the learned
 *   mappings lead. Where they lead to different files, it means none.
 * - Under a folder that is mapped to the root, a path means the file at that position, even if it does not exist
 *   now: it was deleted since the scan, and a file elsewhere with the same end is a different one.
 *
 * A path in a folder of installed code (installed-code.ts) and a URI with a scheme other than `file` mean no file.
 * A wrong file is worse than none: an uncertain path stays unresolved.
 */
import type { FileIndex } from './file-index.ts';
import { isInstalled } from './installed-code.ts';

export interface WrittenPath {
  /** The beginning: empty for a relative path, `/`, a drive such as `c:`, or `//` for a share. */
  readonly anchor: string;
  readonly segments: readonly string[];
  /** Whether it comes from a system that ignores case. */
  readonly ignoresCase: boolean;
  /** Whether it is a URI that does not name a file on a disk, such as `pkg:npm/x`. */
  readonly isForeign: boolean;
}

export type MappedPath = 'ambiguous' | { readonly file: string };

/** This many leading segments of a path are replaced by this folder of the checkout, which is empty for the root. */
interface Mapping {
  readonly dropped: number;
  readonly folder: string;
}

type Match = Mapping & { readonly file: string };

const SEGMENTS_MIN = 2;
const FILES_MIN = 2;

export class PathMappings {
  readonly #files: FileIndex;
  /** The supporting files of the run, by the removed segments of a path, then by the folder that replaces them. */
  readonly #votes = new Map<string, Map<string, Set<string>>>();

  constructor(files: FileIndex) {
    this.#files = files;
  }

  /** Learns what a path of the run reveals about the others. */
  learn(path: WrittenPath): void {
    if (path.isForeign) return;
    const match = this.#matchOf(path);
    if (match === undefined || match === 'ambiguous' || this.#hasRival(path, match)) return;
    const key = keyOf(path, match.dropped);
    const folders = this.#votes.get(key) ?? new Map<string, Set<string>>();
    this.#votes.set(key, folders);
    const files = folders.get(match.folder) ?? new Set<string>();
    folders.set(match.folder, files);
    if (files.size < FILES_MIN) files.add(match.file);
  }

  find(path: WrittenPath): MappedPath | undefined {
    if (path.isForeign) return undefined;
    const match = this.#matchOf(path);
    const learned = this.#learnedFor(path);
    if (typeof match === 'object' && learned.some((mapping) => isSame(mapping, match))) return match;
    const there = new Set(
      learned.flatMap((mapping) => this.#files.find(under(mapping, path), path.ignoresCase) ?? []),
    );
    const [file] = there;
    if (file !== undefined) return there.size === 1 ? { file } : 'ambiguous';
    const root = learned.findLast((mapping) => decidesAlone(mapping, path));
    return root === undefined ? match : { file: under(root, path) };
  }

  /** Whether other files of the run support the mapping that leads a path to a file. */
  isLearned(path: WrittenPath, file: string): boolean {
    const mapping = mappingTo(path, file);
    return this.#learnedFor(path).some((other) => isSame(other, mapping));
  }

  #matchOf(path: WrittenPath): Match | 'ambiguous' | undefined {
    const { segments, ignoresCase } = path;
    const found = this.#files.match(segments, ignoresCase);
    const length = found?.length ?? 0;
    // An unlisted file, such as an ignored one, is known only by its whole path.
    for (let dropped = 0; segments.length - dropped > Math.max(length, SEGMENTS_MIN - 1); dropped += 1) {
      const rest = segments.slice(dropped);
      if (this.#files.find(rest.join('/')) === undefined) continue;
      return isInstalled(path, dropped) ? undefined : { file: rest.join('/'), dropped, folder: '' };
    }
    if (found === undefined || length < SEGMENTS_MIN) return undefined;
    if (found.file === undefined) return 'ambiguous';
    const dropped = segments.length - length;
    const folder = found.file.split('/').slice(0, -length).join('/');
    return isInstalled(path, dropped) ? undefined : { file: found.file, dropped, folder };
  }

  /** Whether a shorter end of the path is the complete path of another file. */
  #hasRival({ segments, ignoresCase }: WrittenPath, { file, dropped }: Match): boolean {
    for (let from = dropped + 1; segments.length - from >= SEGMENTS_MIN; from += 1) {
      const other = this.#files.find(segments.slice(from).join('/'), ignoresCase);
      if (other !== undefined && other !== file) return true;
    }
    return false;
  }

  /** The learned mappings for a path, those of its shortest beginnings first. */
  #learnedFor(path: WrittenPath): Mapping[] {
    if (this.#votes.size === 0) return [];
    return path.segments.flatMap((_, dropped) =>
      [...(this.#votes.get(keyOf(path, dropped)) ?? [])].flatMap(([folder, files]) =>
        files.size < FILES_MIN ? [] : [{ dropped, folder }],
      ),
    );
  }
}

function keyOf({ anchor, segments, ignoresCase }: WrittenPath, dropped: number): string {
  const key = [anchor, ...segments.slice(0, dropped)].join('/');
  return ignoresCase ? key.toLowerCase() : key;
}

function under({ dropped, folder }: Mapping, { segments }: WrittenPath): string {
  return [...(folder === '' ? [] : [folder]), ...segments.slice(dropped)].join('/');
}

function isSame(one: Mapping, other: Mapping): boolean {
  return one.dropped === other.dropped && one.folder === other.folder;
}

/** The root of a disk is not a folder of the repository, and reveals nothing about other paths on the disk. */
function decidesAlone({ dropped, folder }: Mapping, { anchor, segments }: WrittenPath): boolean {
  return folder === '' && (dropped > 0 || anchor === '') && segments[dropped] !== '..';
}

function mappingTo({ segments, ignoresCase }: WrittenPath, file: string): Mapping {
  const fold = (segment = '') => (ignoresCase ? segment.toLowerCase() : segment);
  const others = file.split('/');
  let length = 0;
  while (
    length < Math.min(segments.length, others.length) &&
    fold(segments.at(-1 - length)) === fold(others.at(-1 - length))
  )
    length += 1;
  return {
    dropped: segments.length - length,
    folder: others.slice(0, others.length - length).join('/'),
  };
}
