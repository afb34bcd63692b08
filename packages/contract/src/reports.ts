/** Reports: their shells and metadata, and the parts that a report body and its projections share. */
import Type, { type Static } from 'typebox';
import { Fingerprint } from './findings.ts';
import { limits } from './limits.ts';
import { Quota } from './quota.ts';
import { closed, idGiven, matching, nullable, recordId, text, timestamp } from './schema.ts';
import { SeverityCounts } from './severity.ts';
import { effortsRequested, effortsResolved } from './enums.ts';

export const REPORT_SCHEMA_VERSION = '1.0.0';

export type EffortRequested = (typeof effortsRequested)[number];
export type EffortResolved = (typeof effortsResolved)[number];

const LOCAL_REPORT_ID = /^[A-Za-z0-9_-]{8,128}$/;
const LOCAL_REPORT_ID_MESSAGE = 'must be 8 to 128 letters, digits, hyphens or underscores';

export const LocalReportId = matching(LOCAL_REPORT_ID, LOCAL_REPORT_ID_MESSAGE, {
  description: "The client's own name for a report; unique for each user.",
});

const count = Type.Integer({ minimum: 0 });

export const ReportSummary = closed(
  {
    findingCount: count,
    severityCounts: SeverityCounts,
    verificationCounts: closed({ verified: count, strong_evidence: count, needs_review: count }),
    candidateCount: Type.Optional(count),
    duplicateCount: Type.Optional(count),
    fixedCount: Type.Optional(count),
  },
  { title: 'ReportSummary' },
);
export type ReportSummary = Static<typeof ReportSummary>;

export const reportStates = ['live', 'finalized', 'expired'] as const;
export type ReportState = (typeof reportStates)[number];
/** The state of a report that can still be read. */
const PresentState = Type.Enum(['live', 'finalized']);

const EffortRequested = Type.Enum([...effortsRequested]);
const EffortResolved = Type.Enum([...effortsResolved]);

const agentField = Type.Optional(text(0, limits.agentFieldLengthMax));
const Agent = closed({ name: agentField, version: agentField, model: agentField });
const Host = closed({ osFamily: agentField, arch: agentField, cliVersion: agentField });

export const CreateReportBody = closed(
  {
    workspaceId: idGiven,
    projectId: idGiven,
    localReportId: LocalReportId,
    effortRequested: EffortRequested,
    effortResolved: EffortResolved,
    projectName: Type.Optional(text(0, limits.projectNameOfReportLengthMax)),
    agent: Type.Optional(Agent),
    host: Type.Optional(Host),
  },
  { title: 'CreateReport' },
);
export type CreateReportBody = Static<typeof CreateReportBody>;

export const ListReportsQuery = closed({
  workspaceId: Type.Optional(idGiven),
  projectId: Type.Optional(idGiven),
  localReportId: Type.Optional(
    matching(LOCAL_REPORT_ID, LOCAL_REPORT_ID_MESSAGE, {
      description: "Only the report that the caller's account created under this local id.",
    }),
  ),
  before: Type.Optional(
    Type.String({ description: 'Only reports created before this time, or before the report with this id.' }),
  ),
});
export type ListReportsQuery = Static<typeof ListReportsQuery>;

const shellFields = {
  reportId: recordId('rep'),
  reportUrl: Type.String({ description: 'The page on which people read the report.' }),
  expiresAt: timestamp,
  quota: Quota,
};
/** A new shell. */
export const ReportCreated = closed({ ...shellFields, state: Type.Literal('live') });
/** An existing shell. */
export const ReportFound = closed({ ...shellFields, state: PresentState });

const MovedIdentity = closed({ from: Fingerprint, to: Fingerprint }, { title: 'MovedIdentity' });
export type MovedIdentity = Static<typeof MovedIdentity>;

export const FinalizeBody = closed({
  uploadId: idGiven,
  previous: Type.Optional(
    Type.Array(MovedIdentity, {
      maxItems: limits.movedIdentitiesMax,
      description:
        'Findings whose fingerprint changed in this report, for example because their file was renamed. What the project ' +
        'knows about `from` moves to `to`. If several `from` have the same `to`, the project must know exactly one of ' +
        'them; otherwise nothing moves.',
    }),
  ),
});

export type FinalizeBody = Static<typeof FinalizeBody>;

export const ReportFinalized = closed(
  { ...shellFields, state: Type.Literal('finalized'), finalizedAt: timestamp },
  { title: 'ReportFinalized' },
);

/** The metadata of a report. */
const metadata = {
  reportId: recordId('rep'),
  reportUrl: Type.String(),
  state: PresentState,
  workspaceId: recordId('ws'),
  projectId: recordId('prj'),
  projectName: Type.String(),
  createdAt: timestamp,
  finalizedAt: nullable(timestamp),
  expiresAt: timestamp,
  effortRequested: EffortRequested,
  effortResolved: EffortResolved,
  agent: nullable(Agent),
  host: nullable(Host),
  access: Type.Enum(['owner', 'member']),
};

export const ReportMetadata = closed(metadata, { title: 'ReportMetadata' });
export type ReportMetadata = Static<typeof ReportMetadata>;

/** A report in a list. Instead of its findings it has the counts of the open ones, or null while the report is live. */
export const ListedReport = closed(
  { ...metadata, openFindings: nullable(SeverityCounts) },
  { title: 'ListedReport' },
);
export type ListedReport = Static<typeof ListedReport>;

/** A report in the list that a device gets: one that the account of the device created. */
export const OwnReport = closed(
  {
    reportId: recordId('rep'),
    localReportId: LocalReportId,
    reportUrl: Type.String(),
    state: PresentState,
    createdAt: timestamp,
    finalizedAt: nullable(timestamp),
    expiresAt: timestamp,
  },
  { title: 'OwnReport' },
);
export type OwnReport = Static<typeof OwnReport>;
