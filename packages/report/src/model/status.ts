/**
 * The life of a finding: from open through a fix to its verification, or set aside. Each step of a fix is added to the
 * finding's history. A decision to set a finding aside carries over to the next report.
 */
import {
  CARRIED_TAG,
  fixSteps,
  isSetAside,
  LAPSED_TAG,
  limits,
  severities,
  type Finding,
  type FindingStatus,
  type FixAction,
  type FixHistoryEntry,
  type Severity,
} from '@svc/contract';
import { isReservedTag } from '../reading/tags.ts';

/** A finding without a status is open. */
export function statusOf({
  status,
}: {
  readonly severity: Severity;
  readonly status?: FindingStatus | undefined;
}): FindingStatus {
  return status ?? 'open';
}

/** Work remains: the finding is neither set aside nor verified as fixed. */
export function isOutstanding(status: FindingStatus): boolean {
  return status !== 'fixed_verified' && !isSetAside(status);
}

export interface StatusMove {
  readonly to: FindingStatus;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The action, where several lead to the status. */
  readonly action?: FixAction;
  readonly changedFiles?: readonly string[];
  readonly note?: string;
}

export type MoveOutcome =
  | { readonly moved: true; readonly finding: Finding }
  | { readonly moved: false; readonly from: FindingStatus; readonly to: FindingStatus };

export function moveStatus(finding: Finding, move: StatusMove): MoveOutcome {
  const from = statusOf(finding);
  const { to, at } = move;
  if (from !== to && (isSetAside(from) || isSetAside(to)))
    return { moved: true, finding: untagged(inStatus(finding, to, at)) };
  const actions = fixSteps[`${from} → ${to}`] ?? [];
  const action = move.action === undefined ? actions[0] : actions.find((name) => name === move.action);
  if (action === undefined) return { moved: false, from, to };
  return { moved: true, finding: withHistory(untagged(inStatus(finding, to, at)), entryOf(action, move)) };
}

/**
 * Applies a move that was allowed when it was decided, even if the finding's status in this report does not allow it.
 */
export function applied(finding: Finding, move: StatusMove): Finding {
  const outcome = moveStatus(finding, move);
  if (outcome.moved) return outcome.finding;
  const moved = untagged(inStatus(finding, move.to, move.at));
  return move.action === undefined ? moved : withHistory(moved, entryOf(move.action, move));
}

/** A finding whose decision has lapsed, as the owner of the report and the members see it. */
export function lapsed(finding: Finding): Finding {
  return withTag(finding, LAPSED_TAG);
}

/** The action that the history records if a move names none; null for a move that is not a step of a fix. */
export function actionOf(from: FindingStatus, to: FindingStatus): FixAction | null {
  return fixSteps[`${from} → ${to}`]?.[0] ?? null;
}

/** Opens a finding that was verified as fixed. Any other finding is returned unchanged. */
export function seenAgain(finding: Finding, at: string): Finding {
  return statusOf(finding) === 'fixed_verified' ? reopened(finding, at) : finding;
}

/** A finding that was seen again after it was verified as fixed. */
export function reopened(finding: Finding, at: string): Finding {
  const note = 'Seen again after it was verified as fixed.';
  return withHistory(inStatus(finding, 'open', at), { at, action: 'reverted', verified: false, note });
}

/** A finding that is set aside keeps the time of its fix, for when it is opened again. */
function inStatus({ fixedAt, ...finding }: Finding, status: FindingStatus, at: string): Finding {
  if (status === 'fixed_verified') return { ...finding, status, fixedAt: fixedAt ?? at };
  return isSetAside(status) && fixedAt !== undefined
    ? { ...finding, status, fixedAt }
    : { ...finding, status };
}

function entryOf(action: FixAction, { at, changedFiles, note }: StatusMove): FixHistoryEntry {
  return {
    at,
    action,
    verified: action === 'verified',
    ...(changedFiles && { changedFiles: [...changedFiles] }),
    ...(note !== undefined && { note }),
  };
}

/** Keeps the newest entries. */
function withHistory(finding: Finding, entry: FixHistoryEntry): Finding {
  const history = [...(finding.fixHistory ?? []), entry];
  return { ...finding, fixHistory: history.slice(-limits.finding.fixHistoryMax) };
}

export function ratedAs(finding: Pick<Finding, 'severity' | 'status'>): Rated {
  return { status: statusOf(finding), severity: finding.severity };
}

export interface Rated {
  readonly status: FindingStatus;
  readonly severity: Severity;
}

/** A decision, with the severity at which it was made. */
export interface Decided extends Rated {
  /** When the decision lapses, in milliseconds since 1970; null or absent if it does not. */
  readonly until?: number | null;
}

/**
 * Whether a decision about a finding carries over to a later report. The one rule for the service and the CLI.
 * @param at when the later report became final.
 */
export function isCarried(before: Decided, now: Rated, at = 0): boolean {
  return (
    isSetAside(before.status) && now.status === 'open' && !hasLapsed(before, at) && !hasRisen(before, now)
  );
}

export function hasLapsed({ until = null }: Decided, at: number): boolean {
  return until !== null && until <= at;
}

/** Whether the finding is more severe than before. */
export function hasRisen(before: Pick<Rated, 'severity'>, now: Pick<Rated, 'severity'>): boolean {
  return severities.indexOf(now.severity) < severities.indexOf(before.severity);
}

/** A finding with a decision carried over from an earlier report. */
export function carriedInto<Given extends Taggable>(finding: Given, status: FindingStatus): Given {
  return withTag({ ...finding, status }, CARRIED_TAG);
}

interface Taggable {
  readonly tags?: readonly string[];
}

function withTag<Given extends Taggable>(finding: Given, tag: string): Given {
  const tags = finding.tags ?? [];
  return tags.includes(tag) ? finding : { ...finding, tags: [...withRoom(tags), tag] };
}

/** Makes room for one more tag: removes the last one that is not reserved, or the last of all if each is reserved. */
function withRoom(tags: readonly string[]): readonly string[] {
  if (tags.length < limits.finding.tagsMax) return tags;
  const last = tags.findLastIndex((tag) => !isReservedTag(tag));
  return tags.toSpliced(last, 1);
}

export function firstSeenWith(finding: Finding, { firstSeenAt: before }: Finding): Finding {
  const { firstSeenAt: now } = finding;
  const isEarlier = before !== undefined && (now === undefined || Date.parse(before) < Date.parse(now));
  return isEarlier ? { ...finding, firstSeenAt: before } : finding;
}

/** Removes the tag of a carried-over status, since a decision made in this report was not carried over. */
function untagged(finding: Finding): Finding {
  if (finding.tags?.includes(CARRIED_TAG) !== true) return finding;
  const { tags, ...rest } = finding;
  const others = tags.filter((tag) => tag !== CARRIED_TAG);
  return others.length === 0 ? rest : { ...rest, tags: others };
}
