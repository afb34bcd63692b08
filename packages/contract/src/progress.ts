/** Progress of a scan, in words from fixed lists: nothing that a person wrote can travel this way. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, idGiven, time } from './schema.ts';
import { progressTypes, progressPhases, safeCodes } from './words.ts';

export type ProgressType = (typeof progressTypes)[number];

export type ProgressPhase = (typeof progressPhases)[number];

export type SafeCode = (typeof safeCodes)[number];

export const ProgressEvent = closed(
  {
    eventId: Type.String({ format: 'uuid', description: 'Unique within the report.' }),
    reportId: idGiven,
    type: Type.Enum([...progressTypes]),
    occurredAt: time,
    phase: Type.Optional(Type.Enum([...progressPhases])),
    safeCode: Type.Optional(Type.Enum([...safeCodes])),
  },
  { title: 'ProgressEvent' },
);
export type ProgressEvent = Static<typeof ProgressEvent>;

export const ProgressBody = closed(
  {
    events: Type.Array(ProgressEvent, {
      minItems: limits.progressEventsMin,
      maxItems: limits.progressEventsMax,
    }),
  },
  { title: 'Progress' },
);

export const ProgressAccepted = closed(
  {
    accepted: Type.Integer({ minimum: 0, description: 'Stored by this call.' }),
    rejected: Type.Integer({ minimum: 0, description: 'Stored before, or repeated within the call.' }),
  },
  { title: 'ProgressAccepted' },
);
