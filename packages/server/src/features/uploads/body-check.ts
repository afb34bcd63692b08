/**
 * Whether the bytes of an upload are a report that may be kept. What is refused is told by places, never by values: a
 * value may be the very secret for which it is refused.
 */
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { limits, type ErrorCode, type Issue, type SeverityCounts } from '@svc/contract';
import {
  CanonicalReport,
  inconsistencies,
  isUnsettled,
  marksOf,
  mayHoldSecret,
  packedMarks,
  redactPointer,
  secretPaths,
  statusOf,
} from '@svc/report';
import type { JsonShape } from '#platform/json-shape';
import { DEPTH_MAX } from './body-bounds.ts';

export interface BodyRefusal {
  readonly code: Extract<ErrorCode, 'BAD_REQUEST' | 'REPORT_SCHEMA_UNSUPPORTED' | 'UNSAFE_PAYLOAD_REJECTED'>;
  readonly message?: string;
  readonly issues?: readonly Issue[];
}

/** What is kept of an upload besides its sealed text. */
export interface BodyFacts {
  readonly openFindings: SeverityCounts;
  /** Packed. */
  readonly findingMarks: Uint8Array;
}

export type BodyOutcome =
  | { readonly ok: true; readonly facts: BodyFacts }
  | { readonly ok: false; readonly refusal: BodyRefusal };

const PATH_TOLD_LENGTH_MAX = 199;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export interface BodyToCheck {
  readonly bytes: Uint8Array;
  readonly shape: JsonShape;
  /** Of the report that the upload is for. */
  readonly localReportId: string;
  /** Of the report's project, for the marks of its findings. */
  readonly findingKey: Uint8Array;
}

export function checkBody(body: BodyToCheck): BodyOutcome {
  const { bytes, shape } = body;
  if (shape.excess === 'depth') return unreadable(`The report is nested deeper than ${DEPTH_MAX}.`);
  if (shape.excess === 'parts') return unreadable('The report has too many parts for its size.');
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return unreadable('The report is not JSON in UTF-8.');
  }
  if (namesIn(value) !== shape.names)
    return unreadable('The report has an object with two fields of one name.');
  return checkReport(value, body, () => mayHoldSecret(bytes, shape.escapesPlainly));
}

function checkReport(
  value: unknown,
  { localReportId, findingKey }: BodyToCheck,
  mayHold: () => boolean,
): BodyOutcome {
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (version !== CanonicalReport.properties.schemaVersion.const)
    return { ok: false, refusal: { code: 'REPORT_SCHEMA_UNSUPPORTED' } };
  const validator = validatorOf(CanonicalReport);
  const isValid = validator.Check(value);
  const issues = isValid
    ? contradictions(value as CanonicalReport, localReportId)
    : issuesOf(validator, value);
  if (mayHold()) {
    for (const path of secretPaths(value)) issues.push({ path, message: 'holds a secret' });
  }
  if (!isValid || issues.length > 0) {
    const told = issues
      .slice(0, limits.issuesMax)
      .map(({ path, message }) => ({ path: withoutSecrets(path), message }));
    return { ok: false, refusal: { code: 'UNSAFE_PAYLOAD_REJECTED', issues: told } };
  }
  const report = value as CanonicalReport;
  const findingMarks = packedMarks(marksOf(report.findings, findingKey));
  return { ok: true, facts: { openFindings: openFindingsOf(report), findingMarks } };
}

function contradictions(report: CanonicalReport, localReportId: string): Issue[] {
  const issues = inconsistencies(report);
  if (report.localReportId !== localReportId)
    issues.unshift({ path: '/localReportId', message: 'is not the one that the report was made with' });
  return issues;
}

/** A path that was cut may end in a part of a secret, which nothing tells from other text. */
function withoutSecrets(path: string): string {
  return redactPointer(path.length <= PATH_TOLD_LENGTH_MAX ? path : path.slice(0, path.lastIndexOf('/')));
}

function unreadable(message: string): BodyOutcome {
  return { ok: false, refusal: { code: 'BAD_REQUEST', message } };
}

/** How many fields there are, at every depth. */
function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const item of value) names += namesIn(item);
    return names;
  }
  for (const name of Object.keys(value)) names += 1 + namesIn((value as Record<string, unknown>)[name]);
  return names;
}

function openFindingsOf({ findings }: CanonicalReport): SeverityCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const finding of findings) {
    if (isUnsettled(statusOf(finding))) counts[finding.severity] += 1;
  }
  return counts;
}
