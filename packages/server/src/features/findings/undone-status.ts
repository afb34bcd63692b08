/** What a project would know about findings without the decisions that are undone. */
import { identityKey, isOutstanding, snapshotsWithIdentities, type FindingSnapshot } from '@svc/report';
import type { Tx } from '#platform/database/database';
import type { BeforeDecision } from './deciding-in-project.ts';
import type { DecisionRow } from './decisions-store.ts';
import { findKept } from './kept-store.ts';
import { followed, judged, statusAfter, statusNow, statusOf, type Known } from './policy.ts';
import { listCountedSince } from './reports-store.ts';

/** A finding in one report. */
interface Seen {
  readonly at: number;
  /** All findings of the report with its identity. */
  readonly marks: readonly FindingSnapshot[];
}

/** The findings of the reports that a project counted since a decision. */
export interface SeenSince {
  /** The position of the first of them among the project's counted reports; infinite without any. */
  readonly order: number;
  /** By `identityKey`, the oldest report first. */
  readonly findings: ReadonlyMap<string, readonly Seen[]>;
}

/** @param decisions of one call */
export async function seenSince(
  tx: Tx,
  projectId: string,
  decisions: readonly DecisionRow[],
): Promise<SeenSince> {
  const decidedAt = decisions[0]?.decidedAt ?? 0;
  // A finding that the project did not know is in no earlier report.
  const counted = Math.max(0, ...decisions.map((each) => beforeOf(each)?.reportsCounted ?? 0));
  const reports = await listCountedSince(tx, projectId, decidedAt, counted);
  const identities = decisions.map(({ identity }) => identity);
  const findings = new Map<string, Seen[]>();
  for (const { uploadId, finalizedAt } of reports) {
    const kept = uploadId === null ? null : await findKept(tx, uploadId);
    if (!kept?.findingMarks) continue;
    const marks = snapshotsWithIdentities(kept.findingMarks, identities).map(({ mark }) => mark);
    for (const [key, equals] of Map.groupBy(marks, ({ identity }) => identityKey(identity)))
      findings.set(key, [...(findings.get(key) ?? []), { at: finalizedAt, marks: equals }]);
  }
  return { order: reports[0]?.countedAs ?? Number.POSITIVE_INFINITY, findings };
}

export interface UndoneStatus {
  /** Null when nothing would be known. */
  readonly known: Known | null;
  /** Whether the finding was open before the decision. */
  readonly wasOpen: boolean;
}

/** @param decision the first of the undone decisions about the finding */
export function undoneStatus(from: Known, decision: DecisionRow, since: SeenSince): UndoneStatus {
  const { decidedAt, identity } = decision;
  const before = beforeOf(decision);
  let status = before && statusOf(before);
  const wasPresent = from.present === 1 && (from.presentFrom ?? 0) < since.order;
  const wasOpen = wasPresent && before !== undefined && isOutstanding(statusNow(before, decidedAt));
  for (const { at, marks } of since.findings.get(identityKey(identity)) ?? []) {
    const known = status && { ...from, ...status };
    const [first, ...others] = marks.map((mark) => ({ mark: followed(asUploaded(mark), known, at) }));
    if (first) status = statusAfter([first, ...others], status, at);
  }
  if (status) return { known: judged({ ...from, ...status }, decidedAt), wasOpen };
  if (from.present === 0) return { known: null, wasOpen };
  const open = { ...from, status: 'open', decidedAt: null, until: null, decision: null } as const;
  return { known: judged(open, decidedAt), wasOpen };
}

function beforeOf({ before }: DecisionRow): BeforeDecision | undefined {
  return before === null ? undefined : (JSON.parse(before) as BeforeDecision);
}

/** The finding as its report has it. Only open findings take over a status. */
function asUploaded(mark: FindingSnapshot): FindingSnapshot {
  return mark.carried ? { ...mark, status: 'open', carried: false } : mark;
}
