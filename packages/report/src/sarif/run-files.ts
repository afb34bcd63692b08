/**
 * The files that the addresses of a run mean, relative to the repository if that can be known. An address is resolved
 * in this order:
 *
 * 1. By the caller and the log: under a root of the caller, where the repository was checked out, under a base of the
 *    log, or in the tool's working directory. The first that leads to a file of the checkout wins.
 * 2. By the end of its path (path-mappings.ts).
 * 3. By the log alone, although no such file exists. Without the files of the checkout, this is the only way.
 */
import { Folders } from '../identity/folders.ts';
import { normalizedFile } from '../identity/location.ts';
import {
  archivedIn,
  decodedUri,
  hasForeignScheme,
  isAbsolute,
  spellingsOf,
  withoutArchiveScheme,
  writtenPath,
} from './addresses.ts';
import { Bases } from './bases.ts';
import { text, type Fields } from './parts.ts';
import type { FileIndex } from './file-index.ts';
import { isInstalled } from './installed-code.ts';
import { PathMappings, type MappedPath, type WrittenPath } from './path-mappings.ts';

export interface RunFilesOptions {
  /** Absolute paths or `file:` addresses of the repository, now or at the time of the scan. */
  readonly roots?: readonly string[];
  /** The files of the checkout that the log is about. */
  readonly files?: FileIndex;
  /**
   * The tool ran on this machine, in the first root: an absolute path that is not under a root means a file elsewhere.
   */
  readonly isFromHere?: boolean;
}

export interface RunFile {
  /** Relative to the repository, or absolute if that is unknown. */
  readonly file: string;
  /** The path within the file, if that is an archive. */
  readonly entry?: string;
}

interface Reading {
  /** Candidates relative to the repository; the most certain first. */
  readonly candidates: readonly string[];
  /** Whether the first candidate is certain. */
  readonly isCertain: boolean;
  /** The path, as much of it as is known. */
  readonly path: WrittenPath;
  /** The path of a file that is not in the checkout. */
  readonly stated: string;
}

export class RunFiles {
  readonly #bases: Bases;
  readonly #roots: Folders;
  readonly #repositories: Folders;
  readonly #basesOfLog: Folders;
  readonly #working: Folders;
  /** The roots of the caller, then those of the log. */
  readonly #rootsOfAll: Folders;
  readonly #folders: Folders;
  readonly #index: FileIndex | undefined;
  readonly #mappings: PathMappings | undefined;
  readonly #isFromHere: boolean;
  readonly #learned = new Set<string>();
  readonly #found = new Map<string, RunFile>();
  /** Distinct paths that match several files of the checkout. */
  ambiguous = 0;

  constructor(run: Fields, { roots = [], files, isFromHere = false }: RunFilesOptions) {
    this.#bases = new Bases(run);
    const { repositories, absolute, working } = this.#bases;
    this.#roots = new Folders(roots);
    this.#repositories = new Folders(repositories);
    this.#basesOfLog = new Folders(absolute);
    this.#working = new Folders(working.filter(isFolderOfItsOwn));
    this.#rootsOfAll = new Folders([...roots, ...repositories]);
    this.#folders = new Folders([...roots, ...repositories, ...absolute]);
    this.#index = files;
    this.#mappings = files && new PathMappings(files);
    this.#isFromHere = isFromHere;
  }

  /** Folders that the log names and that are too long or too many. */
  get foldersLeftOut(): number {
    return this.#bases.leftOut;
  }

  get canLearn(): boolean {
    return this.#mappings !== undefined;
  }

  learn(uri: string, baseId: unknown): void {
    const key = keyOf(uri, baseId);
    if (this.#mappings === undefined || this.#learned.has(key)) return;
    this.#learned.add(key);
    const { path } = this.#readingOf(spellingsOf(withoutArchiveScheme(uri))[0] ?? uri, baseId);
    if (!this.#isElsewhere(path)) this.#mappings.learn(path);
  }

  fileOf(uri: string, baseId: unknown): RunFile {
    const key = keyOf(uri, baseId);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const given = withoutArchiveScheme(uri);
    const found = this.#inCheckout(given, baseId) ?? {
      file: this.#readingOf(spellingsOf(given)[0] ?? given, baseId).stated,
    };
    this.#found.set(key, found);
    return found;
  }

  #inCheckout(uri: string, baseId: unknown): RunFile | undefined {
    if (this.#index === undefined || this.#mappings === undefined) return undefined;
    const readings = spellingsOf(uri).map((spelling) => this.#readingOf(spelling, baseId));
    for (const reading of readings) {
      const file = this.#statedIn(this.#index, reading);
      if (file !== undefined) return { file };
    }
    const archived = archivedIn(uri);
    const inArchive = archived && this.#archived(this.#index, archived.archive, archived.entry, baseId);
    if (inArchive !== undefined) return inArchive;
    let isAmbiguous = false;
    for (const { path } of readings) {
      const found = this.#isElsewhere(path) ? undefined : this.#mappings.find(path);
      if (found === 'ambiguous') isAmbiguous = true;
      else if (found !== undefined) return found;
    }
    if (isAmbiguous) this.ambiguous += 1;
    return undefined;
  }

  /** The first candidate that exists. If several exist, the one that the other paths of the run support. */
  #statedIn(index: FileIndex, { candidates, isCertain, path }: Reading): string | undefined {
    const there = candidates.flatMap((candidate) => index.find(candidate, path.ignoresCase) ?? []);
    const [first] = there;
    if (first === undefined || (isCertain && first === candidates[0])) return first;
    return there.find((file) => this.#mappings?.isLearned(path, file) === true) ?? first;
  }

  /** The archive if it is in the checkout, otherwise the source file of the entry. */
  #archived(index: FileIndex, archive: string, entry: string, baseId: unknown): RunFile | undefined {
    const [spelling = archive] = spellingsOf(archive);
    const reading = this.#readingOf(spelling, baseId);
    const found = this.#isElsewhere(reading.path) ? undefined : this.#mappings?.find(reading.path);
    const file = this.#statedIn(index, reading) ?? listedIn(index, found);
    if (file !== undefined) return { file, entry: decodedUri(entry) };
    if (isInstalled(reading.path) || reading.path.isForeign) return undefined;
    if (this.#isFromHere || /(?:^|\/)META-INF\//i.test(entry)) return undefined;
    const source = this.#mappings?.find({ ...writtenPath(decodedUri(entry)), anchor: `${archive}!` });
    const listed = listedIn(index, source);
    return listed === undefined ? undefined : { file: listed };
  }

  #isElsewhere({ anchor, segments }: WrittenPath): boolean {
    return this.#isFromHere && (anchor !== '' || segments[0] === '..');
  }

  /** @param given decoded, except for a `file:` address. */
  #readingOf(given: string, baseId: unknown): Reading {
    if (isAbsolute(given)) return this.#absolute(given, baseId);
    const reading = this.#relative(given, baseId);
    return hasForeignScheme(given) ? { ...reading, path: { ...reading.path, isForeign: true } } : reading;
  }

  #absolute(given: string, baseId: unknown): Reading {
    const path = writtenPath(given);
    const ofCaller = this.#roots.relative(given);
    const candidates = [
      ...ofCaller,
      ...this.#repositories.relative(given),
      ...this.#basesOfLog.relative(given),
      ...this.#working.relative(given),
    ];
    const stated = candidates[0] ?? normalizedFile(given);
    // Some tools write a path from the root of the repository with a leading slash.
    const isBased = text(baseId) !== undefined;
    return {
      candidates: isBased ? [...candidates, path.segments.join('/')] : candidates,
      isCertain: ofCaller.length > 0,
      path,
      stated,
    };
  }

  #relative(given: string, baseId: unknown): Reading {
    const { base, path } = this.#bases.resolve(given, baseId);
    const joined = normalizedFile(path);
    if (base !== undefined) return this.#based(`${base}/${encodedAs(base, path)}`, base, joined);
    const { working } = this.#bases;
    const fullPaths = working.map((folder) => `${folder}/${encodedAs(folder, path)}`);
    const inWorking = fullPaths.flatMap((full) =>
      isAbsolute(full) ? this.#rootsOfAll.relative(full) : [normalizedFile(full)],
    );
    const [full = path] = fullPaths.length === 1 && isAbsolute(fullPaths[0] ?? '') ? fullPaths : [path];
    return {
      candidates: [...inWorking, joined],
      isCertain: false,
      path: writtenPath(full),
      stated: joined.startsWith('../') ? (inWorking[0] ?? joined) : joined,
    };
  }

  /**
   * A base counts only as far as it is within the repository; the repository's location on the scanning machine is
   * irrelevant.
   */
  #based(full: string, base: string, joined: string): Reading {
    const ofCaller = this.#roots.relative(full);
    const ofLog = [...this.#repositories.relative(full), ...this.#basesOfLog.relative(full)];
    const [folder] = this.#folders.relative(base);
    return {
      candidates: [...ofCaller, ...ofLog, joined],
      isCertain: ofCaller.length > 0,
      path: writtenPath(full),
      stated: folder === undefined || folder === '.' ? joined : normalizedFile(`${folder}/${joined}`),
    };
  }
}

function keyOf(uri: string, baseId: unknown): string {
  return `${text(baseId) ?? ''}\n${uri}`;
}

function listedIn(index: FileIndex, found: MappedPath | undefined): string | undefined {
  return typeof found === 'object' ? index.find(found.file) : undefined;
}

/** The root of a disk does not count: any tool may have been started there, so it says nothing about the files. */
function isFolderOfItsOwn(folder: string): boolean {
  return isAbsolute(folder) && writtenPath(folder).segments.length > 0;
}

/** The path was decoded already, and a `file:` address is decoded later. */
function encodedAs(base: string, path: string): string {
  return /^file:/i.test(base) ? path.replaceAll('%', '%25') : path;
}
