/** Results that scanners have written already: `--sarif results.sarif`, a pipe, and `-` for standard input. */
import { importSarif, redactText, SarifError, type SarifImport } from '@svc/report';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { CliError } from '../errors.ts';
import { pipeAt } from '../files/pipe.ts';
import { readBounded, readStream } from '../files/read-bounded.ts';

const BYTES_MAX = 64 * 1024 * 1024;
const STANDARD_INPUT = '-';

export interface SarifFilesOptions {
  /** That relative paths start from. */
  readonly folder: string;
  /** Of the repository; absolute. What the log names under one of them becomes relative. */
  readonly roots: readonly string[];
  readonly standardInput: Readable;
  /** Aborted, what is read from is destroyed: its writer may be waiting for something that never comes. */
  readonly signal: AbortSignal;
}

export interface ImportedFile {
  /** As it is shown: without the folders that it lies in. */
  readonly name: string;
  readonly imported: SarifImport;
}

/**
 * All of them, or none.
 *
 * @throws CliError `rejected`, which names the file and says what to do; `interrupted` when the signal is aborted.
 */
export async function importSarifFiles(
  files: readonly string[],
  options: SarifFilesOptions,
): Promise<ImportedFile[]> {
  if (files.filter((file) => file === STANDARD_INPUT).length > 1)
    throw new CliError('usage', 'Standard input can be read once only.', { hint: 'Give --sarif - once.' });
  const imported: ImportedFile[] = [];
  for (const file of files) imported.push(await importOne(file, options));
  return imported;
}

async function importOne(file: string, options: SarifFilesOptions) {
  const name = file === STANDARD_INPUT ? 'standard input' : redactText(path.basename(file)).text;
  const shown = file === STANDARD_INPUT ? 'Standard input' : redactText(file).text;
  let bytes: Buffer | 'too_large';
  try {
    bytes = await contentOf(file, options);
  } catch (error) {
    if (options.signal.aborted) throw new CliError('interrupted', 'Interrupted.', { cause: error });
    throw new CliError('rejected', `${shown} can not be read: ${reasonOf(error)}.`, {
      hint: 'Give the path of a SARIF file that a scanner wrote.',
      cause: error,
    });
  }
  if (bytes === 'too_large') {
    throw new CliError('rejected', `${shown} is larger than 64 MiB.`, {
      hint: 'Have the scanner leave file contents and snippets out, or split its results.',
    });
  }
  try {
    return { name, imported: importSarif(bytes, { roots: options.roots }) };
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    throw new CliError('rejected', `${shown} can not be imported.`, { hint: error.message, cause: error });
  }
}

async function contentOf(file: string, { folder, standardInput, signal }: SarifFilesOptions) {
  signal.throwIfAborted();
  const place = path.resolve(folder, file);
  const stream = file === STANDARD_INPUT ? standardInput : await pipeAt(place);
  return stream ? readStream(addAbortSignal(signal, stream), BYTES_MAX) : readBounded(place, BYTES_MAX);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'its permissions do not allow it',
  EISDIR: 'it is a folder',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? 'it is no file that can be read';
}
