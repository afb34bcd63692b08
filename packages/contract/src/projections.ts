/** The projection of a report for one viewer. Hidden content is an absent key. */
import Type, { type Static } from 'typebox';
import { ReportDecision } from './decisions.ts';
import { FindingId, Fingerprint, Verification } from './findings.ts';
import { REPORT_SCHEMA_VERSION, ReportMetadata, ReportSummary } from './reports.ts';
import { closed, nullable, recordId, time, timestamp } from './schema.ts';
import { Severity, SeverityCounts } from './severity.ts';
import {
  authorizationBases,
  coverageStatuses,
  effortsRequested,
  effortsResolved,
  evidenceKinds,
  exportFormats,
  findingStatuses,
  fixActions,
  principalTypes,
} from './enums.ts';

export type PrincipalType = (typeof principalTypes)[number];
export type ExportFormat = (typeof exportFormats)[number];
export const ExportFormat = Type.Enum([...exportFormats]);

// No length bounds here: a policy may have replaced parts of a text.
const texts = Type.Array(Type.String());

const Affected = closed(
  {
    component: Type.String(),
    file: Type.Optional(Type.String()),
    lineStart: Type.Optional(Type.Integer()),
    lineEnd: Type.Optional(Type.Integer()),
    route: Type.Optional(Type.String()),
    origin: Type.Optional(Type.String()),
  },
  { title: 'AffectedProjected' },
);

const Evidence = closed(
  {
    kind: Type.Enum([...evidenceKinds]),
    description: Type.String(),
    snippet: Type.Optional(Type.String()),
    location: Type.Optional(Type.String()),
    redacted: Type.Optional(Type.Boolean()),
  },
  { title: 'EvidenceProjected' },
);
export type ProjectedEvidence = Static<typeof Evidence>;

const SecretReference = closed(
  {
    label: Type.String(),
    kind: Type.String(),
    fingerprint: Type.String(),
    location: Type.Optional(Type.String()),
  },
  { title: 'SecretReferenceProjected' },
);

const FixHistoryEntry = closed(
  {
    at: time,
    action: Type.Enum([...fixActions]),
    verified: Type.Boolean(),
    changedFiles: Type.Optional(texts),
    note: Type.Optional(Type.String()),
  },
  { title: 'FixHistoryEntryProjected' },
);

/** A finding in a projection. */
export const ProjectedFinding = closed(
  {
    id: FindingId,
    title: Type.String(),
    category: Type.String({ description: 'In snake case, unless a policy replaced parts of it.' }),
    severity: Severity,
    verification: Verification,
    summary: Type.String(),
    impact: Type.String(),
    affected: Affected,
    evidence: Type.Array(Evidence),
    remediation: Type.String(),
    verificationPlan: Type.String(),
    taxonomy: Type.Optional(texts),
    corroboration: Type.Optional(Type.Array(Evidence)),
    reproduction: Type.Optional(Type.String()),
    references: Type.Optional(texts),
    tags: Type.Optional(texts),
    fingerprint: Type.Optional(Fingerprint),
    secretReferences: Type.Optional(Type.Array(SecretReference)),
    status: Type.Optional(Type.Enum([...findingStatuses])),
    fixedAt: Type.Optional(time),
    firstSeenAt: Type.Optional(time),
    fixHistory: Type.Optional(Type.Array(FixHistoryEntry)),
  },
  { title: 'ProjectedFinding' },
);
export type ProjectedFinding = Static<typeof ProjectedFinding>;

const count = Type.Integer({ minimum: 0 });

const ScannedProject = closed(
  {
    name: Type.String(),
    repositoryUrl: Type.Optional(Type.String()),
    defaultBranch: Type.Optional(Type.String()),
    languages: Type.Optional(texts),
    fileCount: Type.Optional(count),
  },
  { title: 'ScannedProjectProjected' },
);

const Scan = closed(
  {
    startedAt: time,
    finishedAt: time,
    effortRequested: Type.Enum([...effortsRequested]),
    effortResolved: Type.Enum([...effortsResolved]),
    commit: Type.Optional(Type.String()),
    branch: Type.Optional(Type.String()),
    agent: Type.Optional(
      closed({ name: Type.String(), version: Type.String(), model: Type.Optional(Type.String()) }),
    ),
    host: Type.Optional(closed({ osFamily: Type.String(), arch: Type.String(), cliVersion: Type.String() })),
    tools: Type.Optional(
      Type.Array(
        closed({
          name: Type.String(),
          version: Type.Optional(Type.String()),
          findings: Type.Optional(count),
        }),
      ),
    ),
  },
  { title: 'ScanProjected' },
);

const Authorization = closed(
  {
    basis: Type.Enum([...authorizationBases]),
    scope: texts,
    grantedBy: Type.Optional(Type.String()),
    expiresAt: Type.Optional(time),
  },
  { title: 'AuthorizationProjected' },
);

const CoverageArea = closed(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.Enum([...coverageStatuses]),
    note: Type.Optional(Type.String()),
  },
  { title: 'CoverageAreaProjected' },
);

export const ReportProjection = closed(
  {
    id: recordId('rep'),
    schemaVersion: Type.Literal(REPORT_SCHEMA_VERSION),
    projectedFor: closed({
      principalType: Type.Enum([...principalTypes]),
      label: Type.Optional(Type.String()),
    }),
    generatedAt: Type.Optional(time),
    project: Type.Optional(ScannedProject),
    scan: Type.Optional(Scan),
    authorization: Type.Optional(Authorization),
    summary: Type.Optional(ReportSummary),
    findings: Type.Optional(Type.Array(ProjectedFinding)),
    coverage: Type.Optional(texts),
    coverageAreas: Type.Optional(Type.Array(CoverageArea)),
    limitations: Type.Optional(texts),
    methodologyVersion: Type.Optional(Type.String()),
    redactionNotice: Type.Optional(Type.String()),
  },
  { title: 'ReportProjection' },
);
export type ReportProjection = Static<typeof ReportProjection>;

/** A report as its owner or a member of its workspace reads it. */
export const ReportRead = closed(
  {
    ...ReportMetadata.properties,
    supportAccesses: Type.Array(closed({ at: timestamp, reason: Type.String() })),
    decisions: Type.Array(ReportDecision),
    report: nullable(ReportProjection),
  },
  { title: 'ReportRead' },
);
export type ReportRead = Static<typeof ReportRead>;

/** The cover of a share: its message, its sender and when it expires. */
export const ShareCover = closed(
  {
    message: nullable(Type.String()),
    sender: nullable(Type.String({ description: 'The display name of the creator; null if not shown.' })),
    expiresAt: nullable(timestamp),
  },
  { title: 'ShareCover' },
);
export type ShareCover = Static<typeof ShareCover>;

/** A shared report as one viewer sees it. `share` is present only with `?cover=1`. */
export const SharedReport = closed(
  {
    report: ReportProjection,
    viewer: closed({ label: Type.String() }),
    share: Type.Optional(ShareCover),
  },
  { title: 'SharedReport' },
);
export type SharedReport = Static<typeof SharedReport>;

/** What a report changed in its project, and what is open there now. */
export const ReportChanges = closed(
  {
    opened: Type.Union([count, Type.Null()], {
      description:
        'How many findings became open with the report, including those that came back; null if it was not counted, like a report of another branch.',
    }),
    fixed: Type.Union([count, Type.Null()], {
      description: 'How many open findings the report looked for and no longer has; null like `opened`.',
    }),
    openInProject: nullable(SeverityCounts),
  },
  { title: 'ReportChanges' },
);
export type ReportChanges = Static<typeof ReportChanges>;

const ids = (description: string) => Type.Array(FindingId, { description });

/** The differences between two reports of the same project. */
export const ReportComparison = closed(
  {
    baseReportId: recordId('rep'),
    new: ids('Finding ids of this report.'),
    fixed: ids('Finding ids of the base report that this report no longer has.'),
    unchanged: ids('Finding ids of this report.'),
  },
  { title: 'ReportComparison' },
);
export type ReportComparison = Static<typeof ReportComparison>;
