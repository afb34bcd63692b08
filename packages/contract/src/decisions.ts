/** Triage decisions: the status that a person gave a finding on the service, and why and until when. */
import Type, { type Static } from 'typebox';
import { decisionReasons, findingStatuses } from './enums.ts';
import { FindingId, FixHistoryEntry } from './findings.ts';
import { limits } from './limits.ts';
import { closed, matching, nullable, recordId, text, time, timestamp } from './schema.ts';

export type DecisionReason = (typeof decisionReasons)[number];

const { decision: bounds } = limits;
const Status = Type.Enum([...findingStatuses]);
const Reason = Type.Enum([...decisionReasons]);

const decided = {
  status: Status,
  reason: Type.Optional(
    Type.Enum([...decisionReasons], { description: 'Only for a status that sets the finding aside.' }),
  ),
  note: Type.Optional(
    text(1, bounds.noteLengthMax, { description: 'For owners and members only. Required for `other`.' }),
  ),
  until: Type.Optional(time),
};

/** A decision about one finding. It replaces the previous decision entirely. */
export const ChangeFindingBody = closed(decided, { title: 'ChangeFinding' });
export type ChangeFindingBody = Static<typeof ChangeFindingBody>;

export const ChangeFindingsBody = closed(
  {
    findingIds: Type.Refine(
      Type.Array(FindingId, { minItems: 1, maxItems: bounds.findingsMax, uniqueItems: true }),
      (ids) => new Set(ids).size === ids.length,
      () => 'must not repeat an id',
    ),
    ...decided,
  },
  { title: 'ChangeFindings' },
);
export type ChangeFindingsBody = Static<typeof ChangeFindingsBody>;

/** The status of a finding after a decision. Entries of its fix history have no files and no notes. */
export const FindingState = closed(
  {
    id: FindingId,
    status: Status,
    fixedAt: Type.Optional(time),
    fixHistory: Type.Optional(Type.Array(FixHistoryEntry)),
  },
  { title: 'FindingState' },
);
export type FindingState = Static<typeof FindingState>;

const FindingIds = Type.Array(FindingId);

export const FindingsChanged = closed(
  {
    changed: FindingIds,
    unchanged: FindingIds,
    undoId: Type.String({ description: 'Undoes this change, up to a minute after it.' }),
  },
  { title: 'FindingsChanged' },
);
export type FindingsChanged = Static<typeof FindingsChanged>;

export const UndoBody = closed({ undoId: Type.String() }, { title: 'UndoDecisions' });

export const DecisionsUndone = closed(
  {
    restored: Type.Array(FindingId, {
      description: 'Findings with their previous status, by a new decision.',
    }),
    kept: Type.Array(FindingId, { description: 'Findings with a newer decision, which stays.' }),
  },
  { title: 'DecisionsUndone' },
);
export type DecisionsUndone = Static<typeof DecisionsUndone>;

const Decider = nullable(
  closed(
    { userId: recordId('usr'), displayName: Type.String() },
    { description: 'Null if the account was deleted.' },
  ),
);

/** The latest decision about a finding of a report. */
export const ReportDecision = closed(
  {
    findingId: FindingId,
    status: Status,
    reason: nullable(Reason),
    until: nullable(timestamp),
    hasNote: Type.Boolean(),
    decidedAt: timestamp,
    decidedBy: Decider,
    carried: Type.Boolean({ description: 'Whether the decision was made in an earlier report.' }),
  },
  { title: 'ReportDecision' },
);
export type ReportDecision = Static<typeof ReportDecision>;

/** A page of the decisions about a finding. */
export const DecisionsQuery = closed({
  limit: Type.Optional(
    matching(/^(?:[1-9]|[1-9][0-9]|1[0-9]{2}|200)$/, 'must be a whole number from 1 to 200', {
      description: `How many decisions, 1 to ${limits.decision.listedMax}; ${limits.decision.listedDefault} by default.`,
    }),
  ),
  cursor: Type.Optional(
    matching(/^[1-9][0-9]{0,9}$/, 'must be the nextCursor of an earlier page', {
      description: 'The `nextCursor` of the previous page.',
    }),
  ),
});
export type DecisionsQuery = Static<typeof DecisionsQuery>;

/** A decision about a finding, in any report of the project. */
export const Decision = closed(
  {
    status: Status,
    reason: nullable(Reason),
    note: nullable(Type.String()),
    until: nullable(timestamp),
    decidedAt: timestamp,
    decidedBy: Decider,
    reportId: recordId('rep'),
  },
  { title: 'Decision' },
);
export type Decision = Static<typeof Decision>;

/** The oldest first. A finding keeps its newest thousand decisions. */
export const Decisions = closed(
  { decisions: Type.Array(Decision), nextCursor: nullable(Type.String()) },
  { title: 'Decisions' },
);
export type Decisions = Static<typeof Decisions>;
