/** Results that scanners have written already: `--sarif results.sarif`, and `-` for standard input. */
import { importSarif, redactText, SarifError, type SarifImport } from '@svc/report';
import path from 'node:path';
import { CliError } from '../errors.ts';
import { readBounded, readStream } from './read-bounded.ts';

const BYTES_MAX = 64 * 1024 * 1024;
const STANDARD_INPUT = '-';

export interface SarifFilesOptions {
  /** That relative paths start from. */
  readonly folder: string;
  /** Of the repository; absolute. What the log names under one of them becomes relative. */
  readonly roots: readonly string[];
  readonly standardInput: AsyncIterable<unknown>;
}

export interface ImportedFile {
  /** As it is shown: without the folders that it lies in. */
  readonly name: string;
  readonly imported: SarifImport;
}

/**
 * All of them, or none.
 *
 * @throws CliError `rejected`, which names the file and says what to do.
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

async function importOne(file: string, { folder, roots, standardInput }: SarifFilesOptions) {
  const name = file === STANDARD_INPUT ? 'standard input' : redactText(path.basename(file)).text;
  const shown = file === STANDARD_INPUT ? 'Standard input' : redactText(file).text;
  let bytes: Buffer | 'too_large';
  try {
    bytes = await (file === STANDARD_INPUT
      ? readStream(standardInput, BYTES_MAX)
      : readBounded(path.resolve(folder, file), BYTES_MAX));
  } catch (error) {
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
    return { name, imported: importSarif(bytes, { roots }) };
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    throw new CliError('rejected', `${shown} can not be imported.`, { hint: error.message, cause: error });
  }
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
