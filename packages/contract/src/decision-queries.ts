/** Triage decisions that a pipeline asks for before its gate. */
import Type, { type Static } from 'typebox';
import { setAsideStatuses } from './enums.ts';
import { Fingerprint } from './findings.ts';
import { limits } from './limits.ts';
import { closed, nullable, timestamp } from './schema.ts';
import { Severity } from './severity.ts';

export const QueryDecisionsBody = closed(
  {
    fingerprints: Type.Array(Fingerprint, {
      minItems: 1,
      maxItems: limits.decisionsQueriedMax,
      description: 'Repeats are allowed, and count toward the maximum.',
    }),
  },
  { title: 'QueryDecisions' },
);
export type QueryDecisionsBody = Static<typeof QueryDecisionsBody>;

export const SetAsideDecision = closed(
  {
    fingerprint: Fingerprint,
    status: Type.Enum([...setAsideStatuses]),
    severity: {
      ...Severity,
      description:
        'The severity at the time of the decision. The decision does not cover a finding that is now more severe.',
    },
    decidedAt: timestamp,
    until: nullable(timestamp),
  },
  { title: 'SetAsideDecision' },
);
export type SetAsideDecision = Static<typeof SetAsideDecision>;
