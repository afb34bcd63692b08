/** Findings: as an agent submits them, and as reports hold them. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, matching, text, time } from './schema.ts';
import { Severity } from './severity.ts';
import { verifications, evidenceKinds, findingStatuses, fixActions } from './enums.ts';

export type Verification = (typeof verifications)[number];
export const Verification = Type.Enum([...verifications]);

export type EvidenceKind = (typeof evidenceKinds)[number];

export type FindingStatus = (typeof findingStatuses)[number];

export type FixAction = (typeof fixActions)[number];

const { finding: bounds } = limits;

const lineNumber = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const Affected = closed(
  {
    component: text(1, bounds.componentLengthMax),
    file: Type.Optional(text(0, bounds.locationLengthMax)),
    lineStart: Type.Optional(lineNumber),
    lineEnd: Type.Optional(lineNumber),
    route: Type.Optional(text(0, bounds.locationLengthMax)),
    origin: Type.Optional(text(0, bounds.locationLengthMax)),
  },
  { title: 'Affected' },
);
export type Affected = Static<typeof Affected>;

export const FindingEvidence = closed(
  {
    kind: Type.Enum([...evidenceKinds]),
    description: text(bounds.evidenceDescriptionLengthMin, bounds.evidenceDescriptionLengthMax),
    snippet: Type.Optional(text(0, bounds.snippetLengthMax)),
    location: Type.Optional(text(0, bounds.locationLengthMax)),
    redacted: Type.Optional(Type.Boolean()),
  },
  { title: 'FindingEvidence' },
);
export type FindingEvidence = Static<typeof FindingEvidence>;

/** A secret that was found, described without its value. */
export const SecretReference = closed(
  {
    label: text(1, bounds.secretLabelLengthMax),
    kind: text(1, bounds.secretLabelLengthMax),
    fingerprint: text(1, bounds.secretFingerprintLengthMax, {
      description: 'HMAC of the secret under a key that never leaves the machine it was found on.',
    }),
    location: Type.Optional(text(0, bounds.locationLengthMax)),
  },
  { title: 'SecretReference' },
);
export type SecretReference = Static<typeof SecretReference>;

export const FixHistoryEntry = closed(
  {
    at: time,
    action: Type.Enum([...fixActions]),
    verified: Type.Boolean(),
    changedFiles: Type.Optional(
      Type.Array(text(0, bounds.locationLengthMax), { maxItems: bounds.changedFilesMax }),
    ),
    note: Type.Optional(text(0, bounds.noteLengthMax)),
  },
  { title: 'FixHistoryEntry' },
);
export type FixHistoryEntry = Static<typeof FixHistoryEntry>;

/** What an agent or an import submits; the client adds the other fields. */
const submitted = {
  title: text(bounds.titleLengthMin, bounds.titleLengthMax),
  severity: Severity,
  verification: Verification,
  summary: text(bounds.proseLengthMin, bounds.summaryLengthMax),
  impact: text(bounds.proseLengthMin, bounds.summaryLengthMax),
  affected: Affected,
  evidence: Type.Array(FindingEvidence, { minItems: 1, maxItems: bounds.evidenceMax }),
  remediation: text(bounds.proseLengthMin, bounds.remediationLengthMax),
  verificationPlan: text(bounds.verificationPlanLengthMin, bounds.summaryLengthMax),
  taxonomy: Type.Optional(Type.Array(text(0, bounds.taxonomyLengthMax), { maxItems: bounds.taxonomyMax })),
  reproduction: Type.Optional(text(0, bounds.reproductionLengthMax)),
  references: Type.Optional(
    Type.Array(text(0, bounds.referenceLengthMax), { maxItems: bounds.referencesMax }),
  ),
  tags: Type.Optional(Type.Array(text(0, bounds.tagLengthMax), { maxItems: bounds.tagsMax })),
};

/** A normalized category. */
export const Category = matching(
  /^[a-z0-9]+(?:_[a-z0-9]+)*$/,
  'must be 2 to 120 lower-case letters, digits and single underscores',
  { length: [bounds.categoryLengthMin, bounds.categoryLengthMax] },
);

/** What the client accepts on standard input or from a file: one finding per root cause. */
export const FindingSubmission = closed(
  { ...submitted, category: text(bounds.categoryLengthMin, bounds.categoryLengthMax) },
  { title: 'FindingSubmission' },
);
export type FindingSubmission = Static<typeof FindingSubmission>;

export const FindingId = matching(
  /^[A-Z]{1,8}-[0-9]{1,7}$/,
  'must be up to eight capital letters, a hyphen and a number',
);

export const Fingerprint = matching(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal characters');

/** A finding as a report holds it. */
export const Finding = closed(
  {
    id: FindingId,
    ...submitted,
    category: Category,
    corroboration: Type.Optional(Type.Array(FindingEvidence, { maxItems: bounds.corroborationMax })),
    fingerprint: Type.Optional(Fingerprint),
    secretReferences: Type.Optional(Type.Array(SecretReference, { maxItems: bounds.secretReferencesMax })),
    status: Type.Optional(Type.Enum([...findingStatuses])),
    fixedAt: Type.Optional(time),
    firstSeenAt: Type.Optional(time),
    fixHistory: Type.Optional(Type.Array(FixHistoryEntry, { maxItems: bounds.fixHistoryMax })),
  },
  { title: 'Finding' },
);
export type Finding = Static<typeof Finding>;

export const submissionActions = ['created', 'merged_as_corroboration', 'rejected'] as const;

/**
 * The result of a submission. If it was rejected, there is no id, no fingerprint and no finding that it was merged
 * into.
 */
export interface SubmissionResult {
  readonly accepted: boolean;
  readonly findingId: string | null;
  readonly action: (typeof submissionActions)[number];
  readonly deduplicatedInto: string | null;
  readonly fingerprint: string | null;
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  /** The number of possible secrets that were redacted. */
  readonly redactions: number;
}
