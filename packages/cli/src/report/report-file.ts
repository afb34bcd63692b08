/** A canonical report in a given file. */
import type { CanonicalReport } from '@svc/report';
import type { Issue } from '@svc/contract';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { reportIssues } from './canonical.ts';
import { readJson, type InputSource } from './json-input.ts';
import { formNames, formOf } from './report-form.ts';

/** More than any service accepts, so that all other faults of a report that is too large are also reported. */
export const REPORT_FILE_BYTES_MAX = 64 * 1024 * 1024;

/** @throws CliError `rejected` when the report is not valid. */
export async function readReportFile(file: string, given: InputSource): Promise<CanonicalReport> {
  const shown = shownName(file);
  const input = await readJson({ file, sizeBytesMax: REPORT_FILE_BYTES_MAX }, given);
  if (!input.isJson) throw new CliError('rejected', `${shown} is ${input.reason}.`);
  const form = formOf(input.value);
  if (form === 'projection' || form === 'sarif') {
    throw new CliError('rejected', `${shown} is ${formNames[form]}, and not a canonical report.`, {
      hint: 'Give the output of svc report show --json.',
    });
  }
  const issues = reportIssues(input.value);
  if (issues.length === 0) return input.value as CanonicalReport;
  throw new CliError('rejected', `${shown} is not a valid report.`, { details: issues.map(issueLine) });
}

/** The name of the file for the beginning of a sentence. */
export function shownName(file: string): string {
  return file === '-' ? 'Standard input' : safeLine(file);
}

export function issueLine({ path, message }: Issue): string {
  return `${path || '/'}: ${message}`;
}
