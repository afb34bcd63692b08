/** What a viewer gets of a report. Whatever they may not see is an absent key. */
import Type, { type Static } from 'typebox';
import { Finding } from './findings.ts';
import { Authorization, CoverageArea, Scan, ScannedProject } from './report-parts.ts';
import { REPORT_SCHEMA_VERSION, ReportMetadata, ReportSummary } from './reports.ts';
import { closed, nullable, recordId, timestamp } from './schema.ts';

export const principalTypes = ['user', 'email', 'workspace', 'anonymous'] as const;
export type PrincipalType = (typeof principalTypes)[number];

export const ReportProjection = closed(
  {
    id: recordId('rep'),
    schemaVersion: Type.Literal(REPORT_SCHEMA_VERSION),
    projectedFor: closed({
      principalType: Type.Enum([...principalTypes]),
      label: Type.Optional(Type.String()),
    }),
    generatedAt: Type.Optional(timestamp),
    project: Type.Optional(ScannedProject),
    scan: Type.Optional(closed(Type.Partial(Scan).properties)),
    authorization: Type.Optional(Authorization),
    summary: Type.Optional(ReportSummary),
    findings: Type.Optional(Type.Array(Finding)),
    coverage: Type.Optional(Type.Array(Type.String())),
    coverageAreas: Type.Optional(Type.Array(CoverageArea)),
    limitations: Type.Optional(Type.Array(Type.String())),
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
    report: nullable(ReportProjection),
  },
  { title: 'ReportRead' },
);
export type ReportRead = Static<typeof ReportRead>;
