/**
 * The life of a finding: from open through a fix to its verification, or set aside by a person. A move is one step; each
 * step of a fix is written to the finding's history, and what was decided follows the finding into the next report.
 */
import {
  CARRIED_TAG,
  fixSteps,
  isSetAside,
  limits,
  severities,
  type Finding,
  type FindingStatus,
  type FixAction,
  type FixHistoryEntry,
  type Severity,
} from '@svc/contract';

/** A finding that bears no status is open. */
export function statusOf({ status }: Pick<Finding, 'severity' | 'status'>): FindingStatus {
  return status ?? 'open';
}

/** Somebody still has to do something: it is neither set aside nor verified as fixed. */
export function isOutstanding(finding: Pick<Finding, 'severity' | 'status'>): boolean {
  const status = statusOf(finding);
  return status !== 'fixed_verified' && !isSetAside(status);
}

/** Neither mended nor set aside. */
export function isUnsettled(status: FindingStatus): boolean {
  return status !== 'fixed_verified' && !isSetAside(status);
}

export interface StatusMove {
  readonly to: FindingStatus;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Which of the actions that lead there, where there are several. */
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

/** The history's word for a step, where none is named; null for what is no step of a fix. */
export function actionOf(from: FindingStatus, to: FindingStatus): FixAction | null {
  return fixSteps[`${from} → ${to}`]?.[0] ?? null;
}

/** What was verified as fixed and is there again is open. Any other finding stays as it is. */
export function seenAgain(finding: Finding, at: string): Finding {
  return statusOf(finding) === 'fixed_verified' ? reopened(finding, at) : finding;
}

/** A finding that is there again, after it was verified as fixed. */
export function reopened(finding: Finding, at: string): Finding {
  const note = 'Seen again after it was verified as fixed.';
  return withHistory(inStatus(finding, 'open', at), { at, action: 'reverted', verified: false, note });
}

/** A finding that is set aside keeps the time of its fix, for when it is taken up again. */
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

/** The newest entries are kept. */
function withHistory(finding: Finding, entry: FixHistoryEntry): Finding {
  const history = [...(finding.fixHistory ?? []), entry];
  return { ...finding, fixHistory: history.slice(-limits.finding.fixHistoryMax) };
}

export interface CarryOver {
  readonly findings: readonly Finding[];
  /** The ids of those whose status was carried. */
  readonly carried: readonly string[];
}

/**
 * Findings of a new report with what was decided about them in the one before: they stay set aside, unless they have
 * become more severe, and stay first seen when they were.
 */
export function carryOver(previous: readonly Finding[], current: readonly Finding[]): CarryOver {
  const known = new Map(
    previous.flatMap((finding) => (finding.fingerprint ? [[finding.fingerprint, finding]] : [])),
  );
  const carried: string[] = [];
  const findings = current.map((finding) => {
    const before = known.get(finding.fingerprint ?? '');
    if (before === undefined) return finding;
    const dated = firstSeenWith(finding, before);
    if (!isCarried(ratedAs(before), ratedAs(finding))) return dated;
    carried.push(finding.id);
    return carriedInto(dated, statusOf(before));
  });
  return { findings, carried };
}

function ratedAs(finding: Finding): Rated {
  return { status: statusOf(finding), severity: finding.severity };
}

export interface Rated {
  readonly status: FindingStatus;
  readonly severity: Severity;
}

/** Whether what was decided of a finding holds for it in a later report. */
export function isCarried(before: Rated, now: Rated): boolean {
  const rose = severities.indexOf(now.severity) < severities.indexOf(before.severity);
  return isSetAside(before.status) && now.status === 'open' && !rose;
}

/** A finding with what was decided of it in an earlier report. */
export function carriedInto(finding: Finding, status: FindingStatus): Finding {
  const tags = finding.tags ?? [];
  if (tags.includes(CARRIED_TAG)) return { ...finding, status };
  return { ...finding, status, tags: [...tags.slice(0, limits.finding.tagsMax - 1), CARRIED_TAG] };
}

function firstSeenWith(finding: Finding, { firstSeenAt: before }: Finding): Finding {
  const { firstSeenAt: now } = finding;
  const isEarlier = before !== undefined && (now === undefined || Date.parse(before) < Date.parse(now));
  return isEarlier ? { ...finding, firstSeenAt: before } : finding;
}

/** What somebody decides in a report was not carried into it. */
function untagged(finding: Finding): Finding {
  if (finding.tags?.includes(CARRIED_TAG) !== true) return finding;
  const { tags, ...rest } = finding;
  const others = tags.filter((tag) => tag !== CARRIED_TAG);
  return others.length === 0 ? rest : { ...rest, tags: others };
}
