/**
 * Checks whether the bytes of an upload are an acceptable report. A rejection names paths, never values: a value may be
 * the very secret for which the upload is rejected.
 */
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { limits, type ErrorCode, type Issue, type SeverityCounts } from '@svc/contract';
import {
  CanonicalReport,
  factsOf,
  inconsistencies,
  openCounts,
  snapshotsOf,
  mayHoldSecret,
  packedFacts,
  packedSnapshots,
  redactPointer,
  reportTextsOf,
  secretPaths,
  type RecordedReport,
} from '@svc/report';
import { parseInPieces } from '#platform/json-pieces';
import { shapeOf, type JsonShape } from '#platform/json-shape';
import { sealInPlace, type Sealed, type Sealing } from '#platform/sealing';
import { bodyBounds, DEPTH_MAX } from './body-bounds.ts';
import { compressedTexts } from './finding-texts.ts';
import { namesIn } from './json-names.ts';
import { recordedReportIn } from './recorded-report.ts';

export interface BodyRejection {
  readonly code: Extract<ErrorCode, 'BAD_REQUEST' | 'REPORT_SCHEMA_UNSUPPORTED' | 'UNSAFE_PAYLOAD_REJECTED'>;
  readonly message?: string;
  readonly issues?: readonly Issue[];
}

/** What is stored of an upload besides its sealed body. */
export interface BodyFacts {
  readonly openFindings: SeverityCounts;
  /** Packed. */
  readonly findingSnapshots: Uint8Array;
  readonly findingFacts: Uint8Array;
  /** Packed and compressed; to be sealed. */
  readonly findingTexts: Uint8Array;
}

export type BodyOutcome =
  | { readonly ok: true; readonly facts: BodyFacts; readonly sealed: Sealed }
  | { readonly ok: false; readonly rejection: BodyRejection };

const PATH_TOLD_LENGTH_MAX = 199;

export interface BodyToCheck {
  /** The only content of their buffer, which can therefore be transferred to a worker. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The local id of the report that the upload is for. */
  readonly localReportId: string;
  /** The key of the report's project, for finding snapshots. */
  readonly findingKey: Uint8Array;
  readonly sealing: Sealing;
}

/** Checks a body, and seals it in place if it is accepted. */
export function checkBody(body: BodyToCheck): BodyOutcome {
  const { bytes, localReportId } = body;
  const shape = shapeOf(bytes, bodyBounds(bytes.length));
  if (shape.excess === 'depth') return unreadable(`The report is nested more than ${DEPTH_MAX} levels deep.`);
  if (shape.excess === 'parts') return unreadable('The report has too many parts for its size.');
  try {
    const report = recordedReportIn(bytes, shape);
    if (report?.localReportId === localReportId && !mayHoldSecret(bytes, shape.escapesPlainly))
      return accepted(report, body);
    return checkWhole(parseInPieces(bytes, shape.pieces), shape, body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unreadable('The report is not JSON in UTF-8.');
  }
}

/** Says what is wrong with a body, unless it only looked as if it contained a secret. */
function checkWhole(value: unknown, { names, escapesPlainly }: JsonShape, body: BodyToCheck): BodyOutcome {
  if (namesIn(value) !== names) return unreadable('The report has an object with a duplicate field.');
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (version !== CanonicalReport.properties.schemaVersion.const)
    return { ok: false, rejection: { code: 'REPORT_SCHEMA_UNSUPPORTED' } };
  const validator = validatorOf(CanonicalReport);
  const isValid = validator.Check(value);
  const issues: Issue[] = isValid
    ? inconsistencies(value as CanonicalReport)
    : issuesOf(validator, value).map((issue) => ({ ...issue, rule: 'schema' }));
  if (isValid && (value as CanonicalReport).localReportId !== body.localReportId)
    issues.unshift({
      path: '/localReportId',
      message: 'is not the local id that the report was created with',
      rule: 'schema',
    });
  if (mayHoldSecret(body.bytes, escapesPlainly)) {
    for (const path of secretPaths(value))
      issues.push({ path, message: 'contains a secret', rule: 'secret' });
  }
  if (isValid && issues.length === 0) return accepted(value as CanonicalReport, body);
  const shown = issues
    .slice(0, limits.issuesMax)
    .map(({ path, ...issue }) => ({ path: withoutSecrets(path), ...issue }));
  return { ok: false, rejection: { code: 'UNSAFE_PAYLOAD_REJECTED', issues: shown } };
}

function accepted(report: RecordedReport, { bytes, findingKey, sealing }: BodyToCheck): BodyOutcome {
  const marks = snapshotsOf(report.findings, findingKey);
  return {
    ok: true,
    facts: {
      openFindings: openCounts(marks),
      findingSnapshots: packedSnapshots(marks),
      findingFacts: packedFacts(factsOf(report, findingKey)),
      findingTexts: compressedTexts(reportTextsOf(report)),
    },
    sealed: sealInPlace(sealing, bytes),
  };
}

/** A path that was cut off may end in a part of a secret that no check recognizes. Its last part is then left out. */
function withoutSecrets(path: string): string {
  return redactPointer(path.length <= PATH_TOLD_LENGTH_MAX ? path : path.slice(0, path.lastIndexOf('/')));
}

function unreadable(message: string): BodyOutcome {
  return { ok: false, rejection: { code: 'BAD_REQUEST', message } };
}
