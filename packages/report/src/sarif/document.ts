/** Reads a SARIF log of up to 512 MiB. The results of a large log are parsed only when they are needed. */
import { withoutDeepParts } from './deep-parts.ts';
import { LIST, LogSyntaxError, scanLog, type ByteSource, type LongList } from './log-scanner.ts';
import { fields, items, objectIn, text, type Fields } from './parts.ts';
import type { Slices } from './slices.ts';

export type { ByteSource } from './log-scanner.ts';

/** Why a log cannot be imported, and what to do about it. Contains nothing of the log. */
export class SarifError extends Error {
  override readonly name = 'SarifError';
  /** The log is truncated: its scanner, or the program that copied the file, was interrupted. */
  readonly isTruncated: boolean;

  constructor(message: string, { isTruncated = false }: { readonly isTruncated?: boolean } = {}) {
    super(message);
    this.isTruncated = isTruncated;
  }
}

export interface LogRun {
  /** The run without its results, and with only those fields of its artifacts that the import reads. */
  readonly fields: Fields;
  /** Undefined where the run has no list of results. */
  readonly results: Results | undefined;
}

/** For a large log only the positions of the results are kept, and each result is read when needed. */
export interface Results {
  readonly length: number;
  /**
   * Undefined for a result that is not an object and, in a large log, for a result longer than 8 MiB.
   * @throws SarifError for invalid JSON
   */
  at(index: number): Fields | undefined;
}

const LOG_BYTES_MAX = 512 * 1024 * 1024;
/** A log in UTF-16 is converted to UTF-8 in memory, where both have to fit. */
const UTF16_BYTES_MAX = 64 * 1024 * 1024;
const ELEMENT_BYTES_MAX = 8 * 1024 * 1024;
/** Smaller logs are parsed whole, which is faster; values take several times the bytes of their text. */
const WHOLE_BYTES_MAX = 16 * 1024 * 1024;

export interface SarifLog {
  readonly runs: readonly LogRun[];
  /** Properties of runs that the log keeps outside of them, in `inlineExternalProperties`. */
  readonly externalParts: unknown;
  /** The number of values that were left out because they are nested too deep. */
  readonly deepParts: number;
  /** The number of runs that were left out because there are too many. */
  readonly runsLeftOut: number;
}

/** A log of several tools has a few runs. Each run costs more memory here than an empty object in the log. */
const RUNS_MAX = 10_000;

/** @throws SarifError when it is not a SARIF 2.1.0 log. */
export function readSarif(input: string | Uint8Array | ByteSource): SarifLog {
  const source = sourceOf(input);
  if (source.length > LOG_BYTES_MAX)
    throw new SarifError(
      'The log is larger than 512 MiB. Configure the scanner to leave out file contents and snippets.',
    );
  const small = source.length <= WHOLE_BYTES_MAX ? parsed(source) : undefined;
  if (small !== undefined) {
    rejectOthers(small.log);
    return readLog(small.log, small.deepParts, wholeRun);
  }
  try {
    const { rest, runs, deepParts } = scanLog(source);
    const log = fields(JSON.parse(rest));
    rejectOthers(log);
    const whole = deepParts === 0 ? source : shallow(source);
    return readLog(log, deepParts, (run, index) => runOf(run, runs[index]?.lists ?? {}, whole));
  } catch (error) {
    if (error instanceof SarifError) throw error;
    throw syntaxErrorOf(error, source);
  }
}

function readLog(log: Fields, deepParts: number, read: (run: Fields, index: number) => LogRun): SarifLog {
  const all = items(log['runs']);
  return {
    runs: all.slice(0, RUNS_MAX).map((run, index) => read(fields(run), index)),
    externalParts: log['inlineExternalProperties'],
    deepParts,
    runsLeftOut: Math.max(0, all.length - RUNS_MAX),
  };
}

/** Undefined for invalid JSON; `scanLog` then finds the reason. */
function parsed(source: ByteSource): { readonly log: Fields; readonly deepParts: number } | undefined {
  const { json, removed } = withoutDeepParts(source.read(0, source.length));
  try {
    return { log: fields(JSON.parse(new TextDecoder().decode(json))), deepParts: removed };
  } catch {
    return undefined;
  }
}

/** Removes what is nested too deep from the elements of long lists. */
function shallow(source: ByteSource): ByteSource {
  return {
    length: source.length,
    read: (start, end) => withoutDeepParts(source.read(start, end), LIST).json,
  };
}

function wholeRun(run: Fields): LogRun {
  const { results, artifacts } = run;
  const kept = Array.isArray(results) ? results.map(objectIn) : undefined;
  return {
    fields: {
      ...run,
      results: [],
      artifacts: items(artifacts).map((artifact) => reducedArtifact(fields(artifact))),
    },
    results: kept && { length: kept.length, at: (index) => kept[index] },
  };
}

/** Keeps only what the import reads of an artifact. */
function reducedArtifact({ location, parentIndex }: Fields): Fields {
  return { location, parentIndex };
}

function rejectOthers(log: Fields): void {
  const version = text(log['version']) ?? versionOfSchema(log['$schema']);
  if (!Array.isArray(log['runs']) || version === undefined)
    throw new SarifError(
      'The file is JSON but not a SARIF log: it has no version or no runs. Configure the scanner to write SARIF 2.1.0.',
    );
  if (version !== '2.1.0')
    throw new SarifError(
      'The log is not SARIF 2.1.0. Update the scanner, or convert the log with the SARIF Multitool (sarif transform).',
    );
}

/** Some tools give the schema instead of the version. */
function versionOfSchema(schema: unknown): string | undefined {
  return text(schema)?.includes('sarif-2.1.0') ? '2.1.0' : undefined;
}

function syntaxErrorOf(error: unknown, source: ByteSource): SarifError {
  if (error instanceof LogSyntaxError && error.isTruncated)
    return new SarifError('The log is truncated. Check whether the scanner finished.', {
      isTruncated: true,
    });
  if (error instanceof LogSyntaxError && error.isTooLong)
    return new SarifError(
      'The log has more than 64 MiB besides its results, or millions of other values. Configure the scanner to write less.',
    );
  return new SarifError(
    isBlank(source)
      ? 'The file is empty. Check whether the scanner finished.'
      : 'The file is not JSON. Configure the scanner to write SARIF, often with --format sarif.',
  );
}

const BLANK_BYTES_MAX = 64 * 1024;

function isBlank(source: ByteSource): boolean {
  return (
    source.length <= BLANK_BYTES_MAX && new TextDecoder().decode(source.read(0, source.length)).trim() === ''
  );
}

function runOf(rest: Fields, lists: Partial<Record<LongList, Slices>>, source: ByteSource): LogRun {
  const { results, artifacts, logicalLocations, threadFlowLocations } = lists;
  const all = (slices: Slices | undefined, reduced: (element: Fields) => Fields) =>
    slices &&
    Array.from({ length: slices.length }, (_, index) => reduced(elementAt(source, slices, index) ?? {}));
  return {
    fields: {
      ...rest,
      artifacts: all(artifacts, reducedArtifact),
      logicalLocations: all(logicalLocations, (element) => element),
      threadFlowLocations: all(threadFlowLocations, (element) => element),
    },
    results: results && new Elements(source, results),
  };
}

function elementAt(source: ByteSource, slices: Slices, index: number): Fields | undefined {
  return elementsBetween(source, slices, index, index + 1)[0];
}

/** Elements that are read in their order are parsed many at a time, which is faster. */
class Elements implements Results {
  readonly length: number;
  readonly #source: ByteSource;
  readonly #slices: Slices;
  #parsed: { readonly first: number; readonly elements: readonly (Fields | undefined)[] };

  constructor(source: ByteSource, slices: Slices) {
    this.length = slices.length;
    this.#source = source;
    this.#slices = slices;
    this.#parsed = { first: 0, elements: [] };
  }

  at(index: number): Fields | undefined {
    const { first, elements } = this.#parsed;
    const behind = first + elements.length;
    if (index < first || index >= behind) {
      const end = index === behind ? this.#slices.endWithin(index, BATCH_BYTES) : index + 1;
      const next = elementsBetween(this.#source, this.#slices, index, end);
      this.#parsed = { first: index, elements: next };
      return next[0];
    }
    return elements[index - first];
  }
}

const BATCH_BYTES = 64 * 1024;

/** @param end the index after the last element; only elements with few bytes are read together. */
function elementsBetween(
  source: ByteSource,
  slices: Slices,
  first: number,
  end: number,
): readonly (Fields | undefined)[] {
  const [from, to] = [slices.startOf(first), slices.endOf(end - 1)];
  if (to - from > ELEMENT_BYTES_MAX) return [undefined];
  try {
    const elements: unknown = JSON.parse(`[${new TextDecoder().decode(source.read(from, to))}]`);
    return items(elements).map(objectIn);
  } catch {
    throw new SarifError(
      'The file is not JSON. Configure the scanner to write SARIF, often with --format sarif.',
    );
  }
}

/** UTF-8, or UTF-16 with a byte-order mark. Invalid bytes lose single characters, not the whole log. */
function sourceOf(input: string | Uint8Array | ByteSource): ByteSource {
  const given = typeof input === 'string' ? new TextEncoder().encode(input) : input;
  const source = given instanceof Uint8Array ? bytesIn(given) : given;
  const [first, second, third] = source.read(0, Math.min(3, source.length));
  if (first === 0xef && second === 0xbb && third === 0xbf) return without(source, 3);
  const encoding =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined;
  if (encoding === undefined) return source;
  if (source.length > UTF16_BYTES_MAX)
    throw new SarifError('The log is larger than 64 MiB and in UTF-16. Write it in UTF-8.');
  const decoded = new TextDecoder(encoding).decode(source.read(0, source.length));
  return bytesIn(new TextEncoder().encode(decoded));
}

function bytesIn(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

function without(source: ByteSource, count: number): ByteSource {
  return {
    length: source.length - count,
    read: (start, end) => source.read(start + count, end + count),
  };
}
