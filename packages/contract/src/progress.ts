/** Progress of a scan, in words from fixed lists: nothing that a person wrote can travel this way. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, idGiven, time } from './schema.ts';

export const progressTypes = [
  'scan_started',
  'phase_started',
  'phase_progressed',
  'phase_completed',
  'candidate_found',
  'finding_recorded',
  'finding_merged',
  'finding_dismissed',
  'tool_started',
  'tool_completed',
  'heartbeat',
  'warning',
  'scan_completed',
  'scan_failed',
  'scan_cancelled',
] as const;
export type ProgressType = (typeof progressTypes)[number];

export const progressPhases = [
  'preparing',
  'inventory',
  'threat_model',
  'static_analysis',
  'dynamic_analysis',
  'dependency_review',
  'secret_review',
  'verification',
  'deduplication',
  'reporting',
  'uploading',
] as const;
export type ProgressPhase = (typeof progressPhases)[number];

export const safeCodes = [
  'ok',
  'retrying',
  'skipped',
  'partial',
  'timeout',
  'rate_limited',
  'budget_low',
  'budget_exhausted',
  'tool_missing',
  'tool_failed',
  'network_unavailable',
  'permission_denied',
  'unsupported_language',
  'interrupted',
  'internal',
] as const;
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
