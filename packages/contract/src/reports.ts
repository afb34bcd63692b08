/** The parts that a report's body and its projections share. */
import Type, { type Static } from 'typebox';
import { closed } from './schema.ts';
import { SeverityCounts } from './severity.ts';

export const REPORT_SCHEMA_VERSION = '1.0.0';

export const effortsRequested = ['low', 'high', 'xhigh', 'ultra', 'auto'] as const;
export type EffortRequested = (typeof effortsRequested)[number];
export const effortsResolved = ['low', 'high', 'xhigh', 'ultra'] as const;
export type EffortResolved = (typeof effortsResolved)[number];

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
