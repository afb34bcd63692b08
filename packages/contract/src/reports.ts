/** Reports: their shells, what is told of them, and the parts that a report's body and its projections share. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { Quota } from './quota.ts';
import { closed, idGiven, matching, nullable, recordId, text, timestamp } from './schema.ts';
import { SeverityCounts } from './severity.ts';
import { effortsRequested, effortsResolved } from './words.ts';

export const REPORT_SCHEMA_VERSION = '1.0.0';

export type EffortRequested = (typeof effortsRequested)[number];
export type EffortResolved = (typeof effortsResolved)[number];

export const LocalReportId = matching(
  /^[A-Za-z0-9_-]{8,128}$/,
  'must be 8 to 128 letters, digits, hyphens or underscores',
  { description: "The client's own name for a report; unique for each user." },
);

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
/** Of a report that can still be read. */
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

const shellFields = {
  reportId: recordId('rep'),
  reportUrl: Type.String({ description: 'Where people read it.' }),
  expiresAt: timestamp,
  quota: Quota,
};
/** A shell that was made. */
export const ReportCreated = closed({ ...shellFields, state: Type.Literal('live') });
/** The shell that was there. */
export const ReportFound = closed({ ...shellFields, state: PresentState });

export const FinalizeBody = closed({ uploadId: idGiven });

export const ReportFinalized = closed(
  { ...shellFields, state: Type.Literal('finalized'), finalizedAt: timestamp },
  { title: 'ReportFinalized' },
);

/** What is told of a report besides its text. */
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

/** In a list, where its findings are not read: of what is open now there are the counts, and null while it is live. */
export const ListedReport = closed(
  { ...metadata, openFindings: nullable(SeverityCounts) },
  { title: 'ListedReport' },
);
export type ListedReport = Static<typeof ListedReport>;

/** What the device that made a report learns of it. */
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
