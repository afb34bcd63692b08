/** The canonical report of a local one. It is built only from the store, and cleaned of this machine's paths. */
import { limits } from '@svc/contract';
import type { FindingSet } from '@svc/report';
import { InvalidReportError, madeReport, type MadeReport } from '@svc/report/making/canonical-report';
import { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import { ownPaths } from './own-paths.ts';

export { reportIssues } from '@svc/report/making/canonical-report';

export interface CanonicalOptions {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Absolute paths of home folders; the person's own when absent. */
  readonly homes?: readonly string[];
  /** Repairs nothing, because what a person has just given should be rejected instead. */
  readonly isStrict?: boolean;
}

/** @throws CliError when a required part is invalid; `details` name it. */
export function canonicalReport(
  local: LocalReport,
  { findings }: Pick<FindingSet, 'findings'>,
  { at, homes, isStrict = false }: CanonicalOptions,
): MadeReport {
  const paths = ownPaths(local.repositoryRoot, homes);
  const sizeBytesMax = local.sync.reportBytesMax ?? limits.reportBytesMaxDefault;
  try {
    return madeReport(local, findings, { at, paths, sizeBytesMax, isStrict });
  } catch (error) {
    if (!(error instanceof InvalidReportError)) throw error;
    throw new CliError(
      'failed',
      `The report ${local.localReportId} can't be created: parts of it are not valid.`,
      { details: error.issues.map(({ path, message }) => `${path || '/'}: ${message}`), cause: error },
    );
  }
}
