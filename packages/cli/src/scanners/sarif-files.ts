/** Results that scanners have already written: `--sarif results.sarif`, a pipe, and `-` for standard input. */
import {
  importSarif,
  redactText,
  SarifError,
  type ByteSource,
  type FileIndex,
  type SarifImport,
} from '@svc/report';
import type { ImportedFile } from '@svc/report/making/imported-file';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { CliError } from '../errors.ts';
import { pipeAt } from '../files/pipe.ts';
import { copyStream } from '../files/copy-stream.ts';
import { openParts } from '../files/read-bounded.ts';
import { keepMemorySmall } from '../files/heap-size.ts';
import { withPrivateFolder } from '../files/private-folder.ts';
import type { LinesOf } from './checkout-lines.ts';

const BYTES_MAX = 512 * 1024 * 1024;
/** From this size on, memory matters more than time. */
const LARGE_BYTES = 32 * 1024 * 1024;
const STANDARD_INPUT = '-';

export interface SarifFilesOptions {
  /** The base of relative paths. */
  readonly folder: string;
  /** Folders of the repository; absolute. Paths in the log under one of them become relative. */
  readonly roots: readonly string[];
  readonly linesOf: LinesOf;
  /** The files of the checkout. Paths from other machines in the log are matched with them. */
  readonly files?: FileIndex;
  /** Removes the paths of this machine. */
  readonly withoutLocalPaths: (text: string) => string;
  readonly standardInput: Readable;
  /** On abort the input is destroyed, because its writer may wait forever. */
  readonly signal: AbortSignal;
}

/**
 * Imports all files, or none. A file that ends too early is not imported, and only recorded as a gap.
 *
 * @throws CliError `rejected` with the file and what to do; `usage` when standard input is named twice; `interrupted`
 * when the signal is aborted.
 */
export async function importSarifFiles(
  files: readonly string[],
  options: SarifFilesOptions,
): Promise<ImportedFile[]> {
  if (files.filter((file) => file === STANDARD_INPUT).length > 1)
    throw new CliError('usage', 'Standard input can be read only once.', { hint: 'Give --sarif - once.' });
  const imported: ImportedFile[] = [];
  for (const file of files) imported.push(await importOne(file, options));
  return imported;
}

async function importOne(file: string, options: SarifFilesOptions): Promise<ImportedFile> {
  const { roots, linesOf, files, withoutLocalPaths } = options;
  const name = file === STANDARD_INPUT ? 'standard input' : redactText(path.basename(file)).text;
  const shown = file === STANDARD_INPUT ? 'Standard input' : redactText(file).text;
  return withLog(file, shown, options, async (log) => {
    if (log.length > LARGE_BYTES) keepMemorySmall();
    try {
      const given = { roots, linesOf, withoutLocalPaths, ...(files && { files }) };
      return { name, imported: importSarif(log, given) };
    } catch (error) {
      if (!(error instanceof SarifError)) throw error;
      if (error.isTruncated) return { name, imported: nothingIn(error), isTruncated: true };
      const { rejectedLog } = await import('@svc/report/making/rejected-log');
      const { message, ...explained } = rejectedLog(shown, error, log);
      throw new CliError('rejected', message, { ...explained, cause: error });
    }
  });
}

function nothingIn({ message: sentence }: SarifError): SarifImport {
  const failure = { isPartial: false, sentence };
  return { findings: [], tools: [], toolRuns: [], failure, warnings: [sentence], redactions: 0 };
}

/** A pipe is first copied to a file of our own, because a log is read more than once. */
async function withLog<Result>(
  file: string,
  shown: string,
  options: SarifFilesOptions,
  use: (log: ByteSource) => Promise<Result>,
): Promise<Result> {
  try {
    options.signal.throwIfAborted();
    const place = path.resolve(options.folder, file);
    const stream = file === STANDARD_INPUT ? options.standardInput : await pipeAt(place);
    if (!stream) {
      using log = openParts(place);
      return await use(log);
    }
    return await withPrivateFolder(async (folder) => {
      const copy = path.join(folder, 'log.sarif');
      if ((await copyStream(addAbortSignal(options.signal, stream), copy, BYTES_MAX)) === 'too_large') {
        throw new CliError('rejected', `${shown} is larger than 512 MiB.`, {
          hint: 'Have the scanner leave file contents and snippets out, or split its results.',
        });
      }
      using log = openParts(copy);
      return await use(log);
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (options.signal.aborted) throw new CliError('interrupted', 'Interrupted.', { cause: error });
    throw new CliError('rejected', `${shown} cannot be read: ${reasonOf(error)}.`, {
      hint: 'Give the path of a SARIF file that a scanner wrote.',
      cause: error,
    });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EACCES: 'its permissions do not allow it',
  EISDIR: 'it is a folder',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? 'it is not a readable file';
}
