/** The format and destination of an export, from the options of `svc export`. */
import path from 'node:path';
import { exportFormats } from '@svc/contract/enums';
import type { ExportFormat } from '@svc/contract';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';

export const STANDARD_OUTPUT = '-';

export interface ExportWish {
  readonly format: ExportFormat;
  readonly profile?: 'github';
  /** A path, or `-`; undefined for the report's own name in the current folder. */
  readonly output?: string;
}

const formatOfExtension: Readonly<Record<string, ExportFormat>> = {
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.sarif': 'sarif',
};

/** @throws CliError `usage` for conflicting options, or a file name without a known extension. */
export function exportWish({ options }: Pick<Invocation, 'options'>, isJson: boolean): ExportWish {
  const output = textOption(options['output']);
  const profile = textOption(options['profile']) as 'github' | undefined;
  const format = formatOf(options['format'], output, profile);
  if (profile !== undefined && format !== 'sarif')
    throw usage(`--profile is for SARIF, and not for ${format}.`, 'Leave it out, or give --format sarif.');
  if (format === 'json' && options['baseline'] !== undefined)
    throw usage(
      'JSON exports do not support a baseline.',
      'Omit it, or list new findings: svc compare --json',
    );
  if (isJson && output === STANDARD_OUTPUT && (format === 'html' || format === 'markdown'))
    throw usage(
      'With --json, standard output contains JSON.',
      `Leave --json out, or write the ${format} to a file.`,
    );
  return {
    format,
    ...(profile !== undefined && { profile }),
    ...(output !== undefined && { output }),
  };
}

function formatOf(given: unknown, output: string | undefined, profile: string | undefined): ExportFormat {
  if (given !== undefined) return given as ExportFormat;
  if (output === undefined || output === STANDARD_OUTPUT) return profile === undefined ? 'html' : 'sarif';
  const name = path.basename(output).toLowerCase();
  const extension = name.endsWith('.sarif.json') ? '.sarif' : path.extname(name);
  const format = Object.hasOwn(formatOfExtension, extension) ? formatOfExtension[extension] : undefined;
  if (format !== undefined) return format;
  throw usage(
    `The name ${safeLine(path.basename(output))} does not end in a known format.`,
    `Give one: --format ${exportFormats.join(', ')}.`,
  );
}

function textOption(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}

function usage(message: string, hint: string): CliError {
  return new CliError('usage', message, { hint });
}
