/**
 * Makes the canonical report, which is what leaves the machine: from the CLI, and from the page on which a log is
 * dropped. It is cleaned again of secrets and of the machine's paths, and checked by every rule of the service,
 * including the size. Invalid fields are repaired one by one, and a report that is too large is shortened.
 */
import {
  REPORT_SCHEMA_VERSION,
  type EffortRequested,
  type EffortResolved,
  type Finding,
  type Issue,
} from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { redactCategory } from '../intake/redact-category.ts';
import { CanonicalReport, inconsistencies, summarize } from '../model/canonical.ts';
import { statusOf } from '../model/status.ts';
import { redactPointer, secretPaths } from '../secrets/redact.ts';
import { mayHoldSecret } from '../secrets/secrets-in-json.ts';
import { distinctFindings, withAllowedTags } from './distinct-findings.ts';
import { redactedToFit } from './fit-redacted.ts';
import { fittedToSize, type SizeReduction } from './fit-size.ts';
import type { PathCleaner } from './local-paths.ts';
import { repairedReport, usableFindings } from './repaired-report.ts';
import { jsonBytes } from './report-json.ts';
import { cut, definedOnly } from './texts.ts';

/**
 * The version of the scan method and of finding identities. Raised when reports of two versions can no longer be
 * compared.
 */
const METHODOLOGY_VERSION = '1';

type Tool = NonNullable<CanonicalReport['scan']['tools']>[number];

/** Everything in a report except its findings. Times are RFC 3339, UTC. */
export interface ReportFacts {
  readonly localReportId: string;
  readonly projectName: string;
  readonly effortRequested: EffortRequested;
  readonly effortResolved: EffortResolved;
  readonly agent: CanonicalReport['scan']['agent'];
  readonly host: CanonicalReport['scan']['host'];
  readonly authorization: CanonicalReport['authorization'];
  readonly scan: ScannedFacts;
  /** The number of accepted submissions and imported results. `duplicateCount` of them were merged into findings. */
  readonly candidateCount: number;
  readonly duplicateCount: number;
  readonly coverage: readonly string[];
  readonly coverageAreas: readonly CanonicalReport['coverageAreas'][number][];
  readonly limitations: readonly string[];
  /** The number of secrets removed from what was stored. */
  readonly redactions: number;
}

export interface ScannedFacts {
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly commit?: string;
  readonly branch?: string;
  /** The URL without credentials. */
  readonly repositoryUrl?: string;
  readonly defaultBranch?: string;
  readonly languages?: readonly string[];
  readonly fileCount?: number;
  readonly tools: readonly Tool[];
}

export interface MakingOptions {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly paths: PathCleaner;
  readonly sizeBytesMax: number;
  /** Repairs nothing, because what a person has just given should be rejected instead. */
  readonly isStrict?: boolean;
}

export interface MadeReport {
  readonly report: CanonicalReport;
  /** Sentences about what was changed to make it valid. */
  readonly repairs: readonly string[];
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The texts and findings that were cut to make it fit; null if none were. */
  readonly fitted: SizeReduction | null;
  /** The findings that were left out, in canonical form. */
  readonly leftOut: readonly Finding[];
}

/** A part of a report is invalid, and cannot or may not be repaired. */
export class InvalidReportError extends Error {
  override readonly name = 'InvalidReportError';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super('Parts of the report are not valid.');
    this.issues = issues;
  }
}

/** @throws InvalidReportError */
export function madeReport(
  facts: ReportFacts,
  findings: readonly Finding[],
  { at, paths, sizeBytesMax, isStrict = false }: MakingOptions,
): MadeReport {
  const draftOf = (kept: readonly Finding[]) => checked(drafted(facts, kept, at, paths));
  const made = isStrict ? draftOf(findings) : validOrRepaired(findings, draftOf);
  if (made.issues.length > 0) throw new InvalidReportError(made.issues);
  return { ...fittedToSize(made, sizeBytesMax), repairs: made.repairs };
}

interface Checked {
  readonly report: CanonicalReport;
  readonly bytes: Uint8Array<ArrayBuffer>;
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

/**
 * The issues of a supposed canonical report: at most twenty of its schema, and twenty secrets. They never contain a
 * value of the report.
 */
export function reportIssues(value: unknown): Issue[] {
  const secrets = secretPaths(value).map((path) => ({ path, message: 'contains a secret' }));
  return [...contentIssues(value), ...secrets];
}

/** The issues of a report except its secrets. */
function contentIssues(value: unknown): Issue[] {
  const shape = issuesOf(validatorOf(CanonicalReport), value).map(({ path, message }) => ({
    path: redactPointer(path),
    message,
  }));
  return shape.length > 0 ? shape : inconsistencies(value as CanonicalReport);
}

function drafted(
  facts: ReportFacts,
  findings: readonly Finding[],
  at: string,
  paths: PathCleaner,
): CanonicalReport {
  const { scan, candidateCount, redactions } = facts;
  const text = (given: string, lengthMax: number) => cut(paths.text(given), lengthMax);
  const cleaned = findings
    .map(paths.finding)
    .map((finding) => ({ ...finding, category: redactCategory(finding.category).text }));
  const cleanTool = (tool: Tool) =>
    definedOnly({ ...tool, name: text(tool.name, 120), version: tool.version && text(tool.version, 120) });
  const scanned: CanonicalReport['scan'] = definedOnly({
    startedAt: scan.startedAt,
    finishedAt: scan.finishedAt ?? at,
    effortRequested: facts.effortRequested,
    effortResolved: facts.effortResolved,
    commit: scan.commit,
    branch: scan.branch && text(scan.branch, 200),
    agent: facts.agent,
    host: facts.host,
    tools: scan.tools.length > 0 ? scan.tools.map(cleanTool) : undefined,
  });
  const clean = withAllowedTags(distinctFindings(cleaned, at), scanned);
  const duplicateCount = facts.duplicateCount + cleaned.length - clean.length;
  const fixedCount = clean.filter((finding) => statusOf(finding) === 'fixed_verified').length;
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    localReportId: facts.localReportId,
    generatedAt: at,
    methodologyVersion: METHODOLOGY_VERSION,
    project: definedOnly({
      name: text(facts.projectName, 200),
      repositoryUrl: scan.repositoryUrl,
      defaultBranch: scan.defaultBranch && text(scan.defaultBranch, 200),
      languages: scan.languages && [...scan.languages],
      fileCount: scan.fileCount,
    }),
    scan: scanned,
    authorization: {
      ...facts.authorization,
      scope: facts.authorization.scope.map((item) => text(item, 500)),
    },
    summary: summarize(clean, { candidateCount, duplicateCount, fixedCount }),
    findings: clean,
    coverage: facts.coverage.map((item) => text(item, 500)),
    coverageAreas: facts.coverageAreas.map((area) =>
      definedOnly({
        ...area,
        id: text(area.id, 120),
        name: text(area.name, 200),
        note: area.note && text(area.note, 1000),
      }),
    ),
    limitations: facts.limitations.map((item) => text(item, 2000)),
    ...(redactions > 0 && { redactionNotice: noticeOf(redactions) }),
  };
}

function noticeOf(redactions: number): string {
  const items = redactions === 1 ? '1 secret-shaped item was' : `${redactions} secret-shaped items were`;
  return `${items} removed from the text before it was stored.`;
}
