/** Progress of a scan, made of ids, times and enum values. No text written by a person can be sent this way. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, idGiven, matching, time } from './schema.ts';
import { progressTypes, progressPhases, safeCodes } from './enums.ts';

export type ProgressType = (typeof progressTypes)[number];

export type ProgressPhase = (typeof progressPhases)[number];

export type SafeCode = (typeof safeCodes)[number];

const EventId = matching(/^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/, 'must be a UUID', {
  description: 'A UUID, unique within the report; case is ignored.',
});

export const ProgressEvent = closed(
  {
    eventId: EventId,
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
    accepted: Type.Integer({ minimum: 0, description: 'Events stored by this call.' }),
    rejected: Type.Integer({ minimum: 0, description: 'Events stored before, or repeated within the call.' }),
  },
  { title: 'ProgressAccepted' },
);

/** The data of the event `hello`, the first of a stream. */
export interface StreamHello {
  /** Whether stored events follow. */
  readonly replay: boolean;
  /** The number of stored events that follow. */
  readonly count: number;
}

export const ProgressStream = Type.String({
  description:
    'Server-sent events: `hello` with `{replay, count}`, then one `progress` for each event, with a ProgressEvent as its data and an `id`. A comment every 20 seconds is the heartbeat.',
});
