/** Findings with the statuses that count for a gate or an export. The stored report keeps its own statuses. */
import { CARRIED_TAG, isSetAside, type Finding, type MovedIdentity } from '@svc/contract';
import {
  carriedInto,
  isSuppressedByScan,
  statusesDecided,
  type Decidable,
  type DecisionsByFingerprint,
} from '@svc/report';
import { isWeak } from '@svc/report/reading/tags';

export type Judged = Decidable & Pick<Finding, 'evidence'>;

export interface DecidedFindings<Given extends Judged> {
  /** All given findings, in order. */
  readonly findings: readonly Given[];
  /** How many findings are set aside by a decision. */
  readonly applied: number;
}

/** Set aside by a person, and not by the code or the configuration of a scanner. */
export function isDecidedHere(finding: Judged): boolean {
  const { status } = finding;
  return status !== undefined && isSetAside(status) && !isSuppressedByScan(finding);
}

/** The finding without a decision of this machine. */
export function undecided<Given extends Judged>(finding: Given): Given {
  if (!isDecidedHere(finding)) return finding;
  const { tags } = finding;
  return {
    ...finding,
    status: 'open',
    ...(tags !== undefined && { tags: tags.filter((tag) => tag !== CARRIED_TAG) }),
  };
}

export interface FromService {
  readonly decisions: DecisionsByFingerprint;
  readonly moves: readonly MovedIdentity[];
  /**
   * The service knows every decision of this machine about these findings. A decision that it does not confirm was
   * withdrawn there, or has expired.
   */
  readonly isTold: boolean;
}

/** The findings with the decisions of the service, and those of this machine that the service does not know yet. */
export function decidedByService<Given extends Judged>(
  given: readonly Given[],
  { decisions, moves, isTold }: FromService,
): DecidedFindings<Given> {
  const open = given.map(undecided);
  let applied = 0;
  const statuses = statusesDecided(open, decisions, moves);
  const findings = given.map((finding, index) => {
    const status = statuses[index];
    const now = open[index] ?? finding;
    // A finding with a weak identity takes over no decision of the service, so its status in this report counts.
    const isOwn = now !== finding && (!isTold || isWeak(finding.tags));
    if (status === undefined && !isOwn) return now;
    applied += 1;
    return status === undefined ? finding : carriedInto(now, status);
  });
  return { findings, applied };
}
