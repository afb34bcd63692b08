/** Status changes of findings. */
import type { DecisionReason, FindingStatus, ProjectedFinding, ReportDecision } from '@svc/contract';
import { findingStatuses } from '@svc/contract/enums';
import { CARRIED_TAG, isSetAside, LAPSED_TAG, movesFrom } from '@svc/contract/status-moves';

export interface NewDecision {
  readonly status: FindingStatus;
  readonly reason?: DecisionReason;
  readonly note?: string;
  /** An ISO timestamp. */
  readonly until?: string;
}

/** What a decision needs to know of a finding; its status is open if absent. */
export interface Decidable {
  readonly id: string;
  /** Shown instead of the id, such as the title. */
  readonly name?: string;
  readonly status?: FindingStatus | undefined;
}

export interface Decided {
  /** The findings that were decided about. */
  readonly changed: readonly string[];
  /** Undoes the decision within a minute, and returns how many findings it restored. */
  readonly undo: () => Promise<number>;
}

/** The triage operations for viewers who may change the status of findings. */
export interface Triage {
  /** The report of the findings. */
  readonly report: { readonly reportId: string; readonly projectId: string };
  /** The latest decision about the finding, as far as the report says; undefined if there is none. */
  readonly decisionOn: (findingId: string) => ReportDecision | undefined;
  /**
   * Decides about all of the findings, and shows the result in the report.
   * @throws the API error.
   */
  readonly decide: (ids: readonly string[], decision: NewDecision) => Promise<Decided>;
}

/** Whether the finding can get the status. One that is set aside can be decided again with another reason. */
export function canBecome({ status = 'open' }: Decidable, to: FindingStatus): boolean {
  return movesFrom(status).includes(to) || (status === to && isSetAside(to));
}

/** The statuses that at least one of the findings can get. */
export function movesOfAll(findings: readonly Decidable[]): readonly FindingStatus[] {
  return findingStatuses.filter((to) => findings.some((finding) => canBecome(finding, to)));
}

/** The finding after a decision. */
export function decided({ tags, ...finding }: ProjectedFinding, status: FindingStatus): ProjectedFinding {
  const others = tags?.filter((tag) => tag !== CARRIED_TAG && tag !== LAPSED_TAG);
  return { ...finding, ...(others && { tags: others }), status };
}
