/** What a triage decision may say. */
import {
  isSetAside,
  limits,
  type ChangeFindingBody,
  type DecisionReason,
  type FindingStatus,
  type Issue,
} from '@svc/contract';
import { secretPaths } from '@svc/report';
import { AppError, validationFailed } from '#app-error';

const { untilAheadMsMin, untilAheadMsMax } = limits.decision;

/** A decision as it is stored; what is not given is null. */
export interface GivenDecision {
  readonly status: FindingStatus;
  readonly reason: DecisionReason | null;
  readonly note: string | null;
  readonly until: number | null;
}

/** @throws AppError VALIDATION_FAILED; UNSAFE_PAYLOAD_REJECTED for a note with a secret. */
export function givenDecision(body: ChangeFindingBody, now: number): GivenDecision {
  const { status, reason = null, note = null } = body;
  const until = body.until === undefined ? null : Date.parse(body.until);
  const issues: Issue[] = [];
  if (reason !== null && !isSetAside(status))
    issues.push({ path: '/reason', message: 'is only for accepted_risk and false_positive' });
  if (reason === 'other' && note === null)
    issues.push({ path: '/note', message: 'is required for the reason "other"' });
  if (until !== null && status !== 'accepted_risk')
    issues.push({ path: '/until', message: 'is only for accepted_risk' });
  else if (until !== null && (until < now + untilAheadMsMin || until > now + untilAheadMsMax))
    issues.push({ path: '/until', message: 'must be 1 minute to 366 days ahead' });
  if (issues.length > 0) throw validationFailed(...issues);
  if (note !== null && secretPaths({ note }).length > 0)
    throw new AppError('UNSAFE_PAYLOAD_REJECTED', {
      details: { issues: [{ path: '/note', message: 'holds a secret' }] },
    });
  return { status, reason, note, until };
}
