/** A canonical report in a file that somebody hands in. */
import type { Issue } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import { CliError } from '../errors.ts';
import { reportIssues } from './canonical.ts';
import { readJson, type Given } from './json-input.ts';

/** More than any service takes, so that one is also told what else is wrong with a report that is too large. */
export const REPORT_FILE_BYTES_MAX = 64 * 1024 * 1024;

/** @throws CliError with the reason `rejected` when it is not valid. */
export async function readReportFile(file: string, given: Given): Promise<CanonicalReport> {
  const { value, issues } = await checkedReportFile(file, given);
  if (issues.length === 0) return value as CanonicalReport;
  throw new CliError('rejected', 'The file is not a valid report.', {
    details: issues.map(issueLine),
    hint: 'svc report validate FILE lists the same for a script, with --json.',
  });
}

export async function checkedReportFile(
  file: string,
  given: Given,
): Promise<{ readonly value: unknown; readonly issues: readonly Issue[] }> {
  const input = await readJson({ file, sizeBytesMax: REPORT_FILE_BYTES_MAX }, given);
  if (!input.isJson) return { value: null, issues: [{ path: '', message: `is ${input.reason}` }] };
  return { value: input.value, issues: reportIssues(input.value) };
}

export function issueLine({ path, message }: Issue): string {
  return `${path || '/'}: ${message}`;
}
