/** The reports of a project that have a finding. */
import Type, { type Static } from 'typebox';
import { FindingId } from './findings.ts';
import { limits } from './limits.ts';
import { closed, nullable, recordId, timestamp } from './schema.ts';

const { searchedMax, listedMax } = limits.appearances;

export const FindingAppearance = closed(
  { reportId: recordId('rep'), findingId: FindingId, finalizedAt: timestamp },
  { title: 'FindingAppearance' },
);
export type FindingAppearance = Static<typeof FindingAppearance>;

export const FindingAppearances = closed(
  {
    total: Type.Integer({
      minimum: 0,
      maximum: searchedMax,
      description:
        'How many reports of the project have the finding. Reports of other branches, and those that have expired or were deleted, are not counted.',
    }),
    isComplete: Type.Boolean({
      description: `False if the project has more reports than the newest ${searchedMax}, which are searched.`,
    }),
    firstSeenAt: nullable(timestamp),
    reports: Type.Array(FindingAppearance, { maxItems: listedMax, description: 'Newest first.' }),
  },
  { title: 'FindingAppearances' },
);
export type FindingAppearances = Static<typeof FindingAppearances>;
