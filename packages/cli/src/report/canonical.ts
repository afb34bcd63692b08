/**
 * The canonical report of a local one: what leaves the machine. It is made of what the store holds and of nothing else,
 * cleaned once more of secrets and of this machine's paths, and held against everything that the service will hold it
 * against. A report that does not pass is not made.
 */
import os from 'node:os';
import { REPORT_SCHEMA_VERSION, type Issue } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import {
  CanonicalReport,
  inconsistencies,
  redactCategory,
  redactPointer,
  secretPaths,
  statusOf,
  summarize,
  type FindingSet,
} from '@svc/report';
import { CliError } from '../errors.ts';
import { realPathSync } from '../files/places.ts';
import type { LocalReport } from '../store/local-report.ts';
import { redactedToFit } from './fit-redacted.ts';
import { pathCleaner, type PathCleaner } from './local-paths.ts';
import { cut, definedOnly } from './texts.ts';

/** Of how scans are made and findings told apart; raised when reports of two versions no longer compare. */
const METHODOLOGY_VERSION = '1';

export interface CanonicalOptions {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Absolute; the person's own when absent. */
  readonly homes?: readonly string[];
}

export interface MadeReport {
  readonly report: CanonicalReport;
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array;
}

/** @throws CliError when it can not be made so that the service would take it; `details` say where. */
export function canonicalReport(
  local: LocalReport,
  set: Pick<FindingSet, 'findings'>,
  { at, homes = ownHomes() }: CanonicalOptions,
): MadeReport {
  const paths = pathCleaner({ repositoryRoot: local.repositoryRoot, homes });
  const report = redactedToFit(drafted(local, set, at, paths));
  const issues = reportIssues(report);
  if (issues.length > 0) {
    throw new CliError(
      'failed',
      `The report ${local.localReportId} can not be made: parts of it are not valid.`,
      {
        details: issues.map(({ path, message }) => `${path || '/'}: ${message}`),
      },
    );
  }
  return { report, bytes: Buffer.from(JSON.stringify(report)) };
}

/** Everything that is wrong with what should be a canonical report, at most twenty of each kind; no value is repeated. */
export function reportIssues(value: unknown): Issue[] {
  const shape = issuesOf(validatorOf(CanonicalReport), value).map(({ path, message }) => ({
    path: redactPointer(path),
    message,
  }));
  const secrets = secretPaths(value).map((path) => ({ path, message: 'holds a secret' }));
  return [...shape, ...(shape.length === 0 ? inconsistencies(value as CanonicalReport) : []), ...secrets];
}

function drafted(
  local: LocalReport,
  { findings }: Pick<FindingSet, 'findings'>,
  at: string,
  paths: PathCleaner,
): CanonicalReport {
  const { scan, candidateCount, duplicateCount, redactions } = local;
  const text = (given: string, lengthMax: number) => cut(paths.text(given), lengthMax);
  const clean = findings
    .map(paths.finding)
    .map((finding) => ({ ...finding, category: redactCategory(finding.category).text }));
  const fixedCount = clean.filter((finding) => statusOf(finding) === 'fixed_verified').length;
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    localReportId: local.localReportId,
    generatedAt: at,
    methodologyVersion: METHODOLOGY_VERSION,
    project: definedOnly({
      name: text(local.projectName, 200),
      repositoryUrl: scan.repositoryUrl,
      defaultBranch: scan.defaultBranch && text(scan.defaultBranch, 200),
      languages: scan.languages && [...scan.languages],
      fileCount: scan.fileCount,
    }),
    scan: definedOnly({
      startedAt: scan.startedAt,
      finishedAt: scan.finishedAt ?? at,
      effortRequested: local.effortRequested,
      effortResolved: local.effortResolved,
      commit: scan.commit,
      branch: scan.branch && text(scan.branch, 200),
      agent: local.agent,
      host: local.host,
      tools: scan.tools.length > 0 ? scan.tools.map((tool) => ({ ...tool })) : undefined,
    }),
    authorization: {
      ...local.authorization,
      scope: local.authorization.scope.map((item) => text(item, 500)),
    },
    summary: summarize(clean, { candidateCount, duplicateCount, fixedCount }),
    findings: clean,
    coverage: local.coverage.map((item) => text(item, 500)),
    coverageAreas: local.coverageAreas.map((area) =>
      definedOnly({ ...area, name: text(area.name, 200), note: area.note && text(area.note, 1000) }),
    ),
    limitations: local.limitations.map((item) => text(item, 2000)),
    ...(redactions > 0 && { redactionNotice: noticeOf(redactions) }),
  };
}

function noticeOf(redactions: number): string {
  const items = redactions === 1 ? '1 secret-shaped item was' : `${redactions} secret-shaped items were`;
  return `${items} taken out of the text before it was stored.`;
}

/** The home folder, by its own name and by the one that links to it. */
function ownHomes(): string[] {
  const home = os.homedir();
  try {
    return [...new Set([home, realPathSync(home)])];
  } catch {
    return [home];
  }
}
