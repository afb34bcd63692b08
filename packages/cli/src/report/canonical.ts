/**
 * The canonical report of a local one, which is what leaves the machine. It is built only from the store, cleaned again of
 * secrets and of this machine's paths, and checked by every rule of the service, including the size. Invalid fields are
 * repaired one by one, and a report that is too large is shortened.
 */
import { limits, REPORT_SCHEMA_VERSION, type Finding, type Issue } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import {
  CanonicalReport,
  inconsistencies,
  mayHoldSecret,
  redactCategory,
  redactPointer,
  secretPaths,
  statusOf,
  summarize,
  type FindingSet,
} from '@svc/report';
import { CliError } from '../errors.ts';
import type { LocalReport, Tool } from '../store/local-report.ts';
import { redactedToFit } from './fit-redacted.ts';
import { fittedToSize, jsonBytes, type SizeReduction } from './fit-size.ts';
import type { PathCleaner } from './local-paths.ts';
import { ownPaths } from './own-paths.ts';
import { repairedReport, usableFindings } from './repaired-report.ts';
import { cut, definedOnly } from './texts.ts';

/**
 * The version of the scan method and of finding identities. Raised when reports of two versions can no longer be compared.
 */
const METHODOLOGY_VERSION = '1';

export interface CanonicalOptions {
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Absolute; the person's own when absent. */
  readonly homes?: readonly string[];
  /** Repairs nothing, because what a person has just given should be rejected instead. */
  readonly isStrict?: boolean;
}

export interface MadeReport {
  readonly report: CanonicalReport;
  /** Sentences about what was changed to make it valid. */
  readonly repairs: readonly string[];
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array;
  /** What was removed to make it fit; null for nothing. */
  readonly fitted: SizeReduction | null;
  /** The findings that were left out, in canonical form. */
  readonly leftOut: readonly Finding[];
}

/** @throws CliError when a required part is invalid; `details` name it. */
export function canonicalReport(
  local: LocalReport,
  set: Pick<FindingSet, 'findings'>,
  { at, homes, isStrict = false }: CanonicalOptions,
): MadeReport {
  const paths = ownPaths(local.repositoryRoot, homes);
  const draftOf = (findings: readonly Finding[]) => checked(drafted(local, { findings }, at, paths));
  const made = isStrict ? draftOf(set.findings) : validOrRepaired(set.findings, draftOf);
  if (made.issues.length > 0) {
    throw new CliError(
      'failed',
      `The report ${local.localReportId} can't be created: parts of it are not valid.`,
      {
        details: made.issues.map(({ path, message }) => `${path || '/'}: ${message}`),
      },
    );
  }
  const sizeBytesMax = local.sync.reportBytesMax ?? limits.reportBytesMaxDefault;
  return { ...fittedToSize(made, sizeBytesMax), repairs: made.repairs };
}

interface Checked {
  readonly report: CanonicalReport;
  readonly bytes: Uint8Array;
  readonly issues: readonly Issue[];
  readonly repairs: readonly string[];
}

function checked(given: CanonicalReport): Checked {
  const bytes = jsonBytes(given);
  // JSON is written without needless escapes.
  if (!mayHoldSecret(bytes, true)) return { report: given, bytes, issues: contentIssues(given), repairs: [] };
  const report = redactedToFit(given);
  return { report, bytes: jsonBytes(report), issues: reportIssues(report), repairs: [] };
}

/** Valid findings are not checked one by one, which would take as long as checking the report. */
function validOrRepaired(
  stored: readonly Finding[],
  draftOf: (findings: readonly Finding[]) => Checked,
): Checked {
  const direct = ifReadable(() => draftOf(stored));
  if (direct?.issues.length === 0) return direct;
  const { findings, repairs } = usableFindings(stored);
  const draft = draftOf(findings);
  if (draft.issues.length === 0 && repairs.length === 0) return draft;
  const made = repairedReport(draft.report, { issuesOf: reportIssues, repairs });
  if (made === undefined) return draft;
  return { report: made.report, bytes: jsonBytes(made.report), issues: [], repairs: made.notes };
}

/** Undefined if parts are missing or have another type. */
function ifReadable<Made>(make: () => Made): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Every issue of a supposed canonical report, at most twenty of each kind; no value is repeated. */
export function reportIssues(value: unknown): Issue[] {
  const secrets = secretPaths(value).map((path) => ({ path, message: 'holds a secret' }));
  return [...contentIssues(value), ...secrets];
}

/** The issues of a report that is known to contain no secret. */
function contentIssues(value: unknown): Issue[] {
  const shape = issuesOf(validatorOf(CanonicalReport), value).map(({ path, message }) => ({
    path: redactPointer(path),
    message,
  }));
  return shape.length > 0 ? shape : inconsistencies(value as CanonicalReport);
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
  const cleanTool = (tool: Tool) =>
    definedOnly({ ...tool, name: text(tool.name, 120), version: tool.version && text(tool.version, 120) });
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
      tools: scan.tools.length > 0 ? scan.tools.map(cleanTool) : undefined,
    }),
    authorization: {
      ...local.authorization,
      scope: local.authorization.scope.map((item) => text(item, 500)),
    },
    summary: summarize(clean, { candidateCount, duplicateCount, fixedCount }),
    findings: clean,
    coverage: local.coverage.map((item) => text(item, 500)),
    coverageAreas: local.coverageAreas.map((area) =>
      definedOnly({
        ...area,
        id: text(area.id, 120),
        name: text(area.name, 200),
        note: area.note && text(area.note, 1000),
      }),
    ),
    limitations: local.limitations.map((item) => text(item, 2000)),
    ...(redactions > 0 && { redactionNotice: noticeOf(redactions) }),
  };
}

function noticeOf(redactions: number): string {
  const items = redactions === 1 ? '1 secret-shaped item was' : `${redactions} secret-shaped items were`;
  return `${items} removed from the text before it was stored.`;
}
