/**
 * Takes one submitted finding into a scan, or rejects it with every issue. In order: the schema, on the submission;
 * redaction; the schema and the search for secrets again, on what would be stored; adjustments; deduplication.
 * Nothing of a rejected submission is stored, and no message repeats a value of it.
 */
import { Category, closed, FindingSubmission, type Issue, type SubmissionResult } from '@svc/contract';
import { isReservedTag } from '../reading/tags.ts';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { adjustedSeverity, normalizedCategory } from './adjustments.ts';
import { addFindings, type ArrivalOutcome, type FindingSet } from './deduplication.ts';
import { fingerprintOf, rootCauseOfSubmission } from '../identity/fingerprint.ts';
import { normalizedFile, normalizedLocation } from '../identity/location.ts';

/** Finds secrets in text and redacts them. */
export interface SecretScan {
  readonly redactText: (text: string) => { readonly text: string; readonly count: number };
  /** Redacts a JSON pointer, whose field names are escaped. */
  readonly redactPointer: (path: string) => string;
  /** JSON pointers to remaining secrets, including those in field names. */
  readonly secretPaths: (value: unknown) => readonly string[];
}

export interface IntakeOptions {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly secrets: SecretScan;
  /** An absolute path. Without it, absolute paths stay absolute. */
  readonly repositoryRoot?: string;
}

export interface Intake {
  readonly set: FindingSet;
  readonly result: SubmissionResult;
}

const Submission = closed({ ...FindingSubmission.properties, category: Category });

/** More issues than a submission of known fields can have; the number of unknown fields is unlimited. */
const ISSUES_MAX = 500;

export function submitFinding(set: FindingSet, submission: unknown, options: IntakeOptions): Intake {
  const { secrets, repositoryRoot, at } = options;
  const given = withCategory(submission);
  const clean = redacted(submission, secrets);
  const stored = located(withCategory(clean.value), repositoryRoot);
  const issues = [
    ...issuesOf(validatorOf(Submission), given, ISSUES_MAX),
    ...issuesOf(validatorOf(Submission), stored, ISSUES_MAX),
    // Searches before and after normalization: a secret that normalization changes may no longer look like one.
    ...[...secrets.secretPaths(clean.value), ...secrets.secretPaths(stored)].map((path) => ({
      path,
      message: 'contains a secret that cannot be redacted here',
    })),
  ];
  if (issues.length > 0) return { set, result: rejectedSubmission(errorsOf(issues, secrets), clean.count) };

  const { adjusted, warnings } = adjustedSeverity(withFreeTags(stored as FindingSubmission));
  const rootCause = rootCauseOfSubmission(adjusted);
  const fingerprint = fingerprintOf({ ...adjusted, rootCause }, repositoryRoot);
  const { set: next, outcomes } = addFindings(set, [{ ...adjusted, fingerprint }], at);
  const [outcome = { action: 'rejected' }] = outcomes;
  if (outcome.action === 'rejected') {
    const full = { path: '', message: `the report is full: it holds ${set.findings.length} findings` };
    return { set, result: rejectedSubmission(errorsOf([full], secrets), clean.count) };
  }
  return {
    set: next,
    result: {
      accepted: true,
      findingId: outcome.findingId,
      action: outcome.action === 'created' ? 'created' : 'merged_as_corroboration',
      deduplicatedInto: outcome.action === 'created' ? null : outcome.findingId,
      fingerprint,
      warnings: [
        ...warnings,
        ...warningsOfTags(stored as FindingSubmission),
        ...warningsOf(outcome, adjusted, set),
      ],
      errors: [],
      redactions: clean.count,
    },
  };
}

/** Removes reserved tags, which a submission may not set. */
function withFreeTags({ tags, ...submission }: FindingSubmission): FindingSubmission {
  const free = tags?.filter((tag) => !isReservedTag(tag));
  return free === undefined || (free.length === 0 && tags?.length !== 0)
    ? submission
    : { ...submission, tags: free };
}

function warningsOfTags({ tags = [] }: FindingSubmission): string[] {
  const count = tags.filter(isReservedTag).length;
  if (count === 0) return [];
  return [
    `tags: ${count} not stored, because svc reserves tool:, rule:, area:, identity:, weak-identity, not-in-checkout and decision-lapsed`,
  ];
}

/** The result for a rejected submission. */
export function rejectedSubmission(errors: readonly string[], redactions = 0): SubmissionResult {
  return {
    accepted: false,
    findingId: null,
    action: 'rejected',
    deduplicatedInto: null,
    fingerprint: null,
    warnings: [],
    errors,
    redactions,
  };
}

/** One line for each JSON pointer. The name of an unknown field may itself be secret. */
function errorsOf(issues: readonly Issue[], { redactPointer }: SecretScan): string[] {
  const lines = new Map<string, string>();
  for (const { path, message } of issues) {
    if (!lines.has(path)) lines.set(path, `${redactPointer(path) || '/'}: ${message}`);
  }
  return [...lines.values()];
}

function warningsOf(outcome: ArrivalOutcome, { severity, verification }: FindingSubmission, set: FindingSet) {
  if (outcome.action !== 'merged') return [];
  const { findingId, added, leftOut } = outcome;
  const warnings: string[] = [];
  if (leftOut > 0)
    warnings.push(
      `evidence: ${leftOut} not stored, because ${findingId} already has the maximum of corroboration`,
    );
  else if (added === 0) warnings.push(`evidence: ${findingId} already has all of it`);
  const original = set.findings.find(({ id }) => id === findingId);
  if (original !== undefined && original.severity !== severity)
    warnings.push(`severity: ${findingId} keeps ${original.severity}; ${severity} was submitted`);
  if (original !== undefined && original.verification !== verification)
    warnings.push(`verification: ${findingId} keeps ${original.verification}; ${verification} was submitted`);
  return warnings;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withCategory(submission: unknown): unknown {
  if (!isFields(submission) || typeof submission['category'] !== 'string') return submission;
  return { ...submission, category: normalizedCategory(submission['category']) };
}

/** Removes the path of the repository, which reveals who works on it and where. */
function located(submission: unknown, repositoryRoot?: string): unknown {
  if (!isFields(submission)) return submission;
  const { affected, evidence } = submission;
  return {
    ...submission,
    ...(isFields(affected) &&
      typeof affected['file'] === 'string' && {
        affected: { ...affected, file: normalizedFile(affected['file'], repositoryRoot) },
      }),
    ...(Array.isArray(evidence) && {
      evidence: evidence.map((item: unknown) =>
        isFields(item) && typeof item['location'] === 'string'
          ? { ...item, location: normalizedLocation(item['location'], repositoryRoot) }
          : item,
      ),
    }),
  };
}

/** No submission of known fields is nested deeper; deeper values are rejected with the field that contains them. */
const DEPTH_MAX = 8;

/** Redacts every text except the category, whose pattern allows no redaction marker. */
function redacted(submission: unknown, { redactText }: SecretScan): { value: unknown; count: number } {
  let count = 0;
  const value = isFields(submission) ? mapped(submission, cleanField) : clean(submission, 0);
  return { value, count };

  function cleanField(field: unknown, name: string): unknown {
    if (name === 'category' && typeof field === 'string') return field;
    return name === 'evidence' && Array.isArray(field) ? field.map(cleanEvidence) : clean(field, 1);
  }

  function cleanEvidence(item: unknown): unknown {
    const before = count;
    const cleaned = clean(item, 2);
    return isFields(cleaned) && count > before ? { ...cleaned, redacted: true } : cleaned;
  }

  function clean(part: unknown, depth: number): unknown {
    if (typeof part === 'string') {
      const redaction = redactText(part);
      count += redaction.count;
      return redaction.text;
    }
    if (typeof part !== 'object' || part === null) return part;
    if (depth >= DEPTH_MAX) return null;
    if (Array.isArray(part)) return part.map((inner) => clean(inner, depth + 1));
    return mapped(part as Fields, (inner) => clean(inner, depth + 1));
  }
}

function mapped(fields: Fields, change: (field: unknown, name: string) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field, name)]));
}
