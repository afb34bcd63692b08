/**
 * The folders that a run names: bases of its addresses (`originalUriBaseIds`), the folders that its tools worked in
 * (`invocations[].workingDirectory`), and where the repository was checked out (`versionControlProvenance[].mappedTo`).
 */
import { fields, items, text, type Fields } from './parts.ts';
import { decodedUri, isAbsolute, isTooLong, isWeb } from './addresses.ts';

/** Limited, because any relative path may be in each working directory. Tools have few of them. */
const WORKING_MAX = 32;
/** The limit for a chain of bases, each relative to the next. */
const CHAIN_LENGTH_MAX = 32;

export interface BasedPath {
  /** The absolute base, as in the log; undefined when the chain of bases leads to no absolute address. */
  readonly base?: string;
  /** The part below the base, decoded. */
  readonly path: string;
}

export class Bases {
  readonly #given: Fields;
  readonly #known = new Map<string, BasedPath>();
  /** Absolute folders, as in the log. */
  readonly absolute: readonly string[];
  readonly repositories: readonly string[];
  /** Absolute folders, and folders relative to the repository. */
  readonly working: readonly string[];
  /** The number of folders that are too long or too many. */
  leftOut = 0;

  constructor(run: Fields) {
    this.#given = fields(run['originalUriBaseIds']);
    this.absolute = distinct(
      Object.values(this.#given).flatMap((base) => this.#addressIn(fields(base)) ?? []),
    ).filter((uri) => isAbsolute(uri));
    this.repositories = this.#folders(
      items(run['versionControlProvenance']).map((details) => fields(details)['mappedTo']),
    ).filter((folder) => isAbsolute(folder));
    const working = this.#folders(
      items(run['invocations']).map((invocation) => fields(invocation)['workingDirectory']),
    );
    this.working = working.slice(0, WORKING_MAX);
    this.leftOut += working.length - this.working.length;
  }

  #addressIn({ uri }: Fields): string | undefined {
    const given = text(uri);
    if (given === undefined || !isTooLong(given)) return given;
    this.leftOut += 1;
    return undefined;
  }

  /** @param path relative and decoded. */
  resolve(path: string, baseId: unknown): BasedPath {
    const id = text(baseId);
    if (id === undefined) return { path };
    const base = this.#known.get(id) ?? this.#chainOf(id);
    this.#known.set(id, base);
    return { ...base, path: base.path === '' ? path : `${base.path}/${path}` };
  }

  #chainOf(first: string): BasedPath {
    const chain = this.#chainFrom(first);
    if (!isTooLong(chain.path)) return chain;
    this.leftOut += 1;
    return { path: '' };
  }

  /** Each base counts once, even if it is relative to itself. A web address is not a folder. */
  #chainFrom(first: string): BasedPath {
    const seen = new Set<string>();
    const parts: string[] = [];
    let id: string | undefined = first;
    while (
      id !== undefined &&
      seen.size < CHAIN_LENGTH_MAX &&
      !seen.has(id) &&
      Object.hasOwn(this.#given, id)
    ) {
      seen.add(id);
      const { uri, uriBaseId } = fields(this.#given[id]);
      const stated = text(uri);
      const given = stated === undefined || isTooLong(stated) ? undefined : stated;
      if (given !== undefined && isWeb(given)) break;
      if (given !== undefined && isAbsolute(given))
        return { base: given, path: parts.toReversed().join('/') };
      if (given !== undefined) parts.push(decodedUri(given));
      id = text(uriBaseId);
    }
    return { path: parts.toReversed().join('/') };
  }

  #folders(locations: readonly unknown[]): string[] {
    const folders = locations.flatMap((location) => {
      const { uri, uriBaseId } = fields(location);
      const given = this.#addressIn({ uri });
      if (given !== undefined && isWeb(given)) return [];
      if (given !== undefined && isAbsolute(given)) return [given];
      const { base, path } = this.resolve(given === undefined ? '' : decodedUri(given), uriBaseId);
      const folder = base === undefined ? path : `${base}/${path}`;
      return folder === '' ? [] : [folder];
    });
    return distinct(folders);
  }
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
