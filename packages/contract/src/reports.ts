/** The parts that a report's body and its projections share. */
import Type, { type Static } from 'typebox';
import { closed, matching } from './schema.ts';
import { SeverityCounts } from './severity.ts';

export const REPORT_SCHEMA_VERSION = '1.0.0';

export const effortsRequested = ['low', 'high', 'xhigh', 'ultra', 'auto'] as const;
export type EffortRequested = (typeof effortsRequested)[number];
export const effortsResolved = ['low', 'high', 'xhigh', 'ultra'] as const;
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
