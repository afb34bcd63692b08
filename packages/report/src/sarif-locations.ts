/** Where a result is: a file of the repository, an address, or a name within the code, with lines and what stands there. */
import { normalizedFile } from './location.ts';
import { fields, itemAt, natural, text, type Fields } from './sarif-document.ts';

export interface Place {
  /** Relative to the repository, with forward slashes, where that is known. */
  readonly file?: string;
  readonly origin?: string;
  readonly route?: string;
  /** The name of what holds it: a function, a resource, a package. */
  readonly within?: string;
  readonly lineStart?: number;
  readonly lineEnd?: number;
  readonly snippet?: string;
  /** The first line of the place, as the tool quotes it. */
  readonly line?: string;
}

/** Bases may be given relative to others. */
const BASES_MAX = 8;

export class Places {
  readonly #run: Fields;
  readonly #roots: readonly string[];

  /** @param roots absolute paths under which the repository lies, or lay when it was scanned. */
  constructor(run: Fields, roots: readonly string[]) {
    this.#run = run;
    const bases = Object.values(fields(run['originalUriBaseIds'])).map((base) => text(fields(base)['uri']));
    this.#roots = [...roots, ...bases.filter((uri) => uri !== undefined && isAbsolute(uri))] as string[];
  }

  placeOf(location: unknown): Place {
    const { physicalLocation, logicalLocations, logicalLocation } = fields(location);
    const physical = fields(physicalLocation);
    const logical = itemAt(logicalLocations, 0) ?? fields(logicalLocation);
    const within = this.#nameOf(logical);
    return {
      ...this.#addressOf(fields(physical['artifactLocation'])),
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

  #addressOf(given: Fields): Pick<Place, 'file' | 'origin' | 'route'> {
    const listed = fields(itemAt(this.#run['artifacts'], given['index'])?.['location']);
    const location = text(given['uri']) === undefined ? listed : given;
    const uri = text(location['uri']);
    if (uri === undefined) return {};
    if (/^https?:/i.test(uri)) return webAddress(uri);
    const file = isAbsolute(uri)
      ? this.#relative(uri)
      : this.#underBase(decodedUri(uri), location['uriBaseId']);
    return file === '.' || file === '' ? {} : { file };
  }

  /** Relative to the first root that it is under. */
  #relative(path: string): string {
    for (const root of this.#roots) {
      const file = normalizedFile(path, root);
      if (!isAbsolute(file)) return file;
    }
    return normalizedFile(path);
  }

  /** A base counts as far as it lies within the repository; where its machine had the repository says nothing. */
  #underBase(path: string, baseId: unknown): string {
    const bases = fields(this.#run['originalUriBaseIds']);
    let joined = path;
    let id = text(baseId);
    for (let depth = 0; depth < BASES_MAX && id !== undefined && Object.hasOwn(bases, id); depth += 1) {
      const base = fields(bases[id]);
      const uri = text(base['uri']);
      if (uri !== undefined && isAbsolute(uri)) {
        const folder = this.#relative(uri);
        return normalizedFile(isAbsolute(folder) || folder === '.' ? joined : `${folder}/${joined}`);
      }
      if (uri !== undefined) joined = `${decodedUri(uri)}/${joined}`;
      id = text(base['uriBaseId']);
    }
    return normalizedFile(joined);
  }
}

/** A `file:` address, a path from the root, a drive or a share. */
export function isAbsolute(path: string): boolean {
  return /^(?:file:|[/\\]|[A-Za-z]:[/\\])/i.test(path);
}

function webAddress(uri: string): Pick<Place, 'file' | 'origin' | 'route'> {
  try {
    const { origin, pathname } = new URL(uri);
    return { origin, route: decodedUri(pathname) };
  } catch {
    return {};
  }
}

function decodedUri(uri: string): string {
  try {
    return decodeURIComponent(uri).toWellFormed();
  } catch {
    return uri;
  }
}

function linesOf(physical: Fields): Pick<Place, 'lineStart' | 'lineEnd' | 'snippet' | 'line'> {
  const region = fields(physical['region']);
  const context = fields(physical['contextRegion']);
  const lineStart = lineNumber(region['startLine']);
  const lineEnd = lineNumber(region['endLine']);
  const quoted = snippetOf(region);
  const around = snippetOf(context);
  const line = quoted === undefined ? lineWithin(around, context, lineStart) : firstLine(quoted);
  const snippet = quoted ?? around;
  return {
    ...(lineStart !== undefined && {
      lineStart,
      lineEnd: lineEnd === undefined || lineEnd < lineStart ? lineStart : lineEnd,
    }),
    ...(snippet !== undefined && { snippet }),
    ...(line !== undefined && { line }),
  };
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

/** The quoted lines around a place begin at a line of their own. */
function lineWithin(around: string | undefined, context: Fields, lineStart: number | undefined) {
  const first = natural(context['startLine']);
  if (around === undefined || first === undefined || lineStart === undefined) return undefined;
  return text(around.split('\n')[lineStart - first]);
}
