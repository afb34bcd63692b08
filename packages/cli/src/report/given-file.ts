/** A report in a given file, in any form in which this program or the service writes reports (report-form.ts). */
import type { Issue, ReportProjection } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import { CliError } from '../errors.ts';
import { reportIssues } from './canonical.ts';
import { readJson, type InputSource } from './json-input.ts';
import { issueLine, REPORT_FILE_BYTES_MAX } from './report-file.ts';
import { formOf, projectionIssues } from './report-form.ts';

export type GivenFile =
  | { readonly form: 'canonical'; readonly report: CanonicalReport }
  | { readonly form: 'projection'; readonly projection: ReportProjection }
  /** A SARIF log, whose content was not examined. */
  | { readonly form: 'sarif'; readonly bytes: Uint8Array };

/** @throws CliError `rejected`, with the fault, when the file is not a report. */
export async function readGivenFile(file: string, given: InputSource): Promise<GivenFile> {
  const input = await readJson({ file, sizeBytesMax: REPORT_FILE_BYTES_MAX }, given);
  const shown = file === '-' ? 'Standard input' : file;
  if (!input.isJson) throw rejected(shown, [{ path: '', message: `is ${input.reason}` }]);
  const { value, bytes } = input;
  const form = formOf(value);
  if (form === 'sarif') return { form, bytes };
  if (form === 'projection') {
    const issues = projectionIssues(value);
    if (issues.length > 0) throw rejected(shown, issues);
    return { form, projection: value as ReportProjection };
  }
  const issues = reportIssues(value);
  if (issues.length > 0) throw rejected(shown, issues);
  return { form: 'canonical', report: value as CanonicalReport };
}

function rejected(shown: string, issues: readonly Issue[]): CliError {
  return new CliError('rejected', `${shown} is not a valid report.`, {
    details: issues.map(issueLine),
    hint: 'Use a report written by svc export --format json or svc report show --json.',
  });
}
