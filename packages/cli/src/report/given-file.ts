/**
 * A report in a file that somebody hands in, in any form that a report leaves this program or the service in. What is
 * inside says which form it is; its name does not matter.
 */
import { closed, LocalReportId, ReportProjection, type Issue } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { redactPointer, secretPaths, type CanonicalReport } from '@svc/report';
import { CliError } from '../errors.ts';
import { reportIssues } from './canonical.ts';
import { readJson, type Given } from './json-input.ts';
import { issueLine, REPORT_FILE_BYTES_MAX } from './report-file.ts';

export type GivenFile =
  | { readonly form: 'canonical'; readonly report: CanonicalReport }
  | { readonly form: 'projection'; readonly projection: ReportProjection }
  /** Not looked into any further. */
  | { readonly form: 'sarif'; readonly bytes: Uint8Array };

/** Exported here it bears the local id of its report. */
const Projection = closed({ ...ReportProjection.properties, id: LocalReportId });

/** @throws CliError: `rejected`, with what is wrong, when it is no report. */
export async function readGivenFile(file: string, given: Given): Promise<GivenFile> {
  const input = await readJson({ file, sizeBytesMax: REPORT_FILE_BYTES_MAX }, given);
  const shown = file === '-' ? 'Standard input' : file;
  if (!input.isJson) throw rejected(shown, [{ path: '', message: `is ${input.reason}` }]);
  const { value, bytes } = input;
  const has = (name: string) => typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  if (has('runs')) return { form: 'sarif', bytes };
  if (has('projectedFor')) {
    const issues = projectionIssues(value);
    if (issues.length > 0) throw rejected(shown, issues);
    return { form: 'projection', projection: value as ReportProjection };
  }
  const issues = reportIssues(value);
  if (issues.length > 0) throw rejected(shown, issues);
  return { form: 'canonical', report: value as CanonicalReport };
}

function projectionIssues(value: unknown): Issue[] {
  const shape = issuesOf(validatorOf(Projection), value).map(({ path, message }) => ({
    path: redactPointer(path),
    message,
  }));
  return [...shape, ...secretPaths(value).map((path) => ({ path, message: 'holds a secret' }))];
}

function rejected(shown: string, issues: readonly Issue[]): CliError {
  return new CliError('rejected', `${shown} is not a valid report.`, {
    details: issues.map(issueLine),
    hint: 'Give a report as svc export --format json, or svc report show --json, writes it.',
  });
}
