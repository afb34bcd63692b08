/** What a triage decision may say, and which findings can get its status. */
import {
  isSetAside,
  limits,
  movesFrom,
  type ChangeFindingBody,
  type DecisionReason,
  type FindingStatus,
  type Issue,
} from '@svc/contract';
import { moveStatus, secretPaths, statusOf } from '@svc/report';
import { AppError, validationFailed } from '#app-error';
import { isoTime } from '#platform/clock';
import { STATUS_CHANGES_MAX } from './policy.ts';
import { isLapsedIn } from './records-service.ts';
import type { Subject, Target } from './subjects.ts';

const { untilAheadMsMin, untilAheadMsMax } = limits.decision;

/** A decision as it is stored; a missing field is null. */
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
      details: { issues: [{ path: '/note', message: 'contains a secret', rule: 'secret' }] },
    });
  return { status, reason, note, until };
}

/** @throws AppError CONFLICT when a finding cannot get the status. */
export function rejectForbidden(
  findingIds: readonly string[],
  changed: readonly Subject[],
  { status: to }: GivenDecision,
  now: number,
): void {
  const issues = changed.flatMap(({ snapshot, finding, moves }): Issue[] => {
    const from = statusOf(finding);
    const isDecidedAgain = from === to && (isSetAside(to) || isLapsedIn(moves));
    if (isDecidedAgain || moveStatus(finding, { to, at: isoTime(now) }).moved) return [];
    return [{ path: `/findingIds/${findingIds.indexOf(snapshot.id)}`, message: notAllowed(from, to) }];
  });
  const [first] = issues;
  if (!first) return;
  throw new AppError('CONFLICT', {
    message:
      issues.length === 1 ? first.message : `${issues.length} findings cannot become ${to}. Leave them out.`,
    details: { issues: issues.slice(0, limits.issuesMax) },
  });
}

function notAllowed(from: FindingStatus, to: FindingStatus): string {
  const said =
    from === to ? `The finding is already ${from}.` : `A finding that is ${from} cannot become ${to}.`;
  return `${said} From ${from} it can become: ${movesFrom(from).join(', ')}.`;
}

/** @throws AppError CONFLICT when the report cannot have that many more decisions. */
export function rejectTooMany({ overlayVersion }: Target, more: number): void {
  if (overlayVersion + more <= STATUS_CHANGES_MAX) return;
  throw new AppError('CONFLICT', {
    message: `The findings of this report have been changed ${STATUS_CHANGES_MAX} times, which is the limit. Decide on them in a newer report.`,
  });
}
