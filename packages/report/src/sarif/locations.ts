/**
 * The location of a result: a file of the repository, an address, or a name within the code, with lines and their
 * text.
 */
import { decodedUri, isTooLong, isWeb } from './addresses.ts';
import { fields, itemAt, items, natural, text, type Fields } from './parts.ts';
import { RunFiles, type RunFilesOptions } from './run-files.ts';

export { isAbsolute } from './addresses.ts';

export interface FindingLocation {
  /** The file relative to the repository, with forward slashes, if that is known. */
  readonly file?: string;
  readonly origin?: string;
  readonly route?: string;
  /** The name of what contains the location: a function, a resource, a package. */
  readonly within?: string;
  readonly lineStart?: number;
  readonly lineEnd?: number;
  readonly snippet?: string;
  /** The first line of the location, as the tool quotes it. */
  readonly line?: string;
  /**
   * Whether the tool means a line of code. Tools also write line 1 when they have no line, so line 1 counts only with
   * columns or with its text.
   */
  readonly isLineMeant?: boolean;
}

export class FindingLocations {
  readonly #run: Fields;
  readonly #files: RunFiles;
  readonly #tooLong = new Set<string>();
  readonly #shared = new Map<unknown, FindingLocation>();

  constructor(run: Fields, options: RunFilesOptions) {
    this.#run = run;
    this.#files = new RunFiles(run, options);
  }

  /**
   * Learns what the paths of results reveal about each other. Call it with all results of the run that become findings,
   * before locating any of them. Without the files of the checkout it does nothing.
   */
  learnFrom(results: Iterable<unknown>): void {
    if (!this.#files.canLearn) return;
    for (const artifact of items(this.#run['artifacts'])) this.#learn(fields(fields(artifact)['location']));
    for (const result of results) {
      const { locations, relatedLocations } = fields(result);
      for (const location of [...items(locations), ...items(relatedLocations)])
        this.#learn(this.#artifactLocationOf(fields(fields(location)['physicalLocation'])));
    }
  }

  /** The number of paths that match several files of the checkout, so that no file was chosen. */
  get ambiguousPaths(): number {
    return this.#files.ambiguous;
  }

  /**
   * The number of distinct paths and addresses that are too long, and of folders in the log that are too long or too
   * many.
   */
  get pathsLeftOut(): number {
    return this.#tooLong.size + this.#files.foldersLeftOut;
  }

  /** Caches the location, since several results refer to it. */
  sharedLocationOf(location: unknown): FindingLocation {
    let known = this.#shared.get(location);
    if (known === undefined) this.#shared.set(location, (known = this.locationOf(location)));
    return known;
  }

  locationOf(location: unknown): FindingLocation {
    const { physicalLocation, logicalLocations, logicalLocation } = fields(location);
    const physical = fields(physicalLocation);
    const logical = itemAt(logicalLocations, 0) ?? fields(logicalLocation);
    const within = this.#nameOf(logical);
    return {
      ...this.#addressOf(physical),
      ...(within !== undefined && { within }),
      ...linesOf(physical),
    };
  }

  #nameOf(logical: Fields): string | undefined {
    const known = itemAt(this.#run['logicalLocations'], logical['index']) ?? {};
    for (const { fullyQualifiedName, name } of [logical, known]) {
      const found = text(fullyQualifiedName) ?? text(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #artifactLocationOf(physical: Fields): Fields {
    const given = fields(physical['artifactLocation']);
    const listed = fields(itemAt(this.#run['artifacts'], given['index'])?.['location']);
    return text(given['uri']) === undefined ? listed : given;
  }

  #learn({ uri, uriBaseId }: Fields): void {
    const given = text(uri);
    if (given !== undefined && !isTooLong(given) && !isWeb(given)) this.#files.learn(given, uriBaseId);
  }

  #addressOf(physical: Fields): Pick<FindingLocation, 'file' | 'origin' | 'route' | 'within'> {
    const location = this.#artifactLocationOf(physical);
    const uri = text(location['uri']);
    if (uri === undefined) return {};
    if (isTooLong(uri)) {
      this.#tooLong.add(uri);
      return {};
    }
    if (isWeb(uri)) return webAddress(uri);
    const { file, entry } = this.#files.fileOf(uri, location['uriBaseId']);
    return file === '.' || file === '' ? {} : { file, ...(entry !== undefined && { within: entry }) };
  }
}

function webAddress(uri: string): Pick<FindingLocation, 'file' | 'origin' | 'route'> {
  try {
    const { origin, pathname } = new URL(uri);
    return { origin, route: decodedUri(pathname) };
  } catch {
    return {};
  }
}

type LineLocation = Pick<FindingLocation, 'lineStart' | 'lineEnd' | 'snippet' | 'line' | 'isLineMeant'>;

function linesOf(physical: Fields): LineLocation {
  const region = fields(physical['region']);
  const context = fields(physical['contextRegion']);
  const lineStart = lineNumber(region['startLine']);
  const lineEnd = lineNumber(region['endLine']);
  const quoted = snippetOf(region);
  const around = snippetOf(context);
  const line = quoted === undefined ? lineWithin(around, context, lineStart) : firstLine(quoted);
  const snippet = quoted ?? around;
  const isLineMeant = (lineStart ?? 0) > 1 || line !== undefined || hasColumns(region);
  return {
    ...(lineStart !== undefined && {
      lineStart,
      lineEnd: lineEnd === undefined || lineEnd < lineStart ? lineStart : lineEnd,
    }),
    ...(snippet !== undefined && { snippet }),
    ...(line !== undefined && { line }),
    ...(isLineMeant && { isLineMeant }),
  };
}

/** Whether a column is beyond the first. Tools that know no line often write line 1 and column 1. */
function hasColumns({ startColumn, endColumn }: Fields): boolean {
  return [startColumn, endColumn].some((column) => (natural(column) ?? 0) > 1);
}

/** Lines are counted from 1. */
function lineNumber(value: unknown): number | undefined {
  return value === 0 ? undefined : natural(value);
}

function snippetOf(region: Fields): string | undefined {
  return text(fields(region['snippet'])['text']);
}

function firstLine(snippet: string): string | undefined {
  return snippet.split('\n').find((line) => line.trim() !== '');
}

/** The first line of a location, found by its number in the quoted lines around the location. */
function lineWithin(around: string | undefined, context: Fields, lineStart: number | undefined) {
  const first = natural(context['startLine']);
  if (around === undefined || first === undefined || lineStart === undefined) return undefined;
  return text(around.split('\n')[lineStart - first]);
}
