/** Changes the status of one finding, and lists the changes that are allowed. */
import { findingStatuses, type Finding, type FindingStatus } from '@svc/contract';
import { moveStatus, statusOf, type FindingSet, type StatusMove } from '@svc/report';
import { CliError } from '../errors.ts';

export interface StatusMoveInReport extends Omit<StatusMove, 'at'> {
  readonly findingId: string;
}

export interface MovedFinding {
  readonly from: FindingStatus;
  readonly finding: Finding;
}

/** @throws CliError when the finding does not exist, or the change is not allowed. */
export function movedInSet(
  set: FindingSet,
  { findingId, ...move }: StatusMoveInReport,
  at: string,
): { readonly set: FindingSet; readonly moved: MovedFinding } {
  const finding = findingIn(set, findingId);
  const outcome = moveStatus(finding, { ...move, at });
  if (!outcome.moved) throw notAllowed(finding, move.to);
  const findings = set.findings.map((other) => (other === finding ? outcome.finding : other));
  return { set: { ...set, findings }, moved: { from: statusOf(finding), finding: outcome.finding } };
}

/** Finds a finding by its id, in upper or lower case. */
export function findingIn({ findings }: Pick<FindingSet, 'findings'>, findingId: string): Finding {
  const wanted = findingId.toUpperCase();
  const finding = findings.find(({ id }) => id === wanted);
  if (finding !== undefined) return finding;
  throw new CliError('failed', 'The report has no finding with that id.', {
    hint: 'List them: svc finding list',
  });
}

export function movesFrom(finding: Finding): FindingStatus[] {
  const at = '2000-01-01T00:00:00Z';
  return findingStatuses.filter((to) => moveStatus(finding, { to, at }).moved);
}

function notAllowed(finding: Finding, to: FindingStatus): CliError {
  const { id } = finding;
  const from = statusOf(finding);
  return new CliError('failed', `${id} is ${from} and cannot become ${to}.`, {
    hint: `From ${from} it can become: ${movesFrom(finding).join(', ')}.`,
    code: 'CONFLICT',
  });
}
