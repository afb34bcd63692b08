/** Detects the form of a report in a file, from its content; the name of the file does not matter. */
import { closed, LocalReportId, ReportProjection, type Issue } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { redactPointer, secretPaths } from '@svc/report';

/** `canonical`: as it is uploaded; `projection`: what a viewer gets, in JSON; `sarif`: of any tool. */
export type ReportForm = 'canonical' | 'projection' | 'sarif';

/** The names of the forms, for sentences. */
export const formNames: Readonly<Record<ReportForm, string>> = {
  canonical: 'a canonical report',
  projection: 'a report exported as JSON',
  sarif: 'SARIF',
};

/** Undefined for anything else. */
export function formOf(value: unknown): ReportForm | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, 'runs')) return 'sarif';
  if (Object.hasOwn(value, 'projectedFor')) return 'projection';
  return ['localReportId', 'methodologyVersion', 'findings'].some((name) => Object.hasOwn(value, name))
    ? 'canonical'
    : undefined;
}

/** An export from a machine has the local id of its report. */
const Projection = closed({ ...ReportProjection.properties, id: LocalReportId });

/** The issues repeat no value of the report. */
export function projectionIssues(value: unknown): Issue[] {
  const shape = issuesOf(validatorOf(Projection), value).map(({ path, message }) => ({
    path: redactPointer(path),
    message,
  }));
  return [...shape, ...secretPaths(value).map((path) => ({ path, message: 'contains a secret' }))];
}
