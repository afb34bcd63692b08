/**
 * What a project would know about findings without the decisions that are undone, and what would have happened to them. The
 * reports that were counted since are counted again, with and without the decision.
 */
import {
  factsAt,
  identityKey,
  lookedAgainFor,
  scanFactsIn,
  snapshotsWithIdentities,
  type FindingSnapshot,
} from '@svc/report';
import type { Tx } from '#platform/database/database';
import { beforeIn } from './before-decision.ts';
import { equalsOf, isGone } from './counting.ts';
import type { DecisionRow } from './decisions-store.ts';
import { formerAt } from './formers-policy.ts';
import { findKept } from './kept-store.ts';
import { eventOf, fixOf, type Fix, type FindingEvent } from './ledger.ts';
import {
  absent,
  followed,
  judged,
  knownAfter,
  knownWithout,
  statusOf,
  type Equals,
  type Known,
} from './policy.ts';
import { listCountedSince } from './reports-store.ts';

/** A report that the project counted since a decision. */
export interface ReportSince {
  readonly at: number;
  readonly order: number;
  readonly lookedAgain: ReturnType<typeof lookedAgainFor>;
  /** The findings that were decided about, by `identityKey`. */
  readonly findings: ReadonlyMap<string, Equals>;
}

/**
 * @param decisions of one call
 * @param known what the project knows now, by `identityKey`
 */
export async function reportsSince(
  tx: Tx,
  projectId: string,
  decisions: readonly DecisionRow[],
  known: ReadonlyMap<string, Known>,
): Promise<ReportSince[]> {
  const decidedAt = decisions[0]?.decidedAt ?? 0;
  // A finding that the project did not know is in no earlier report.
  const counted = decisions.map(({ identity, before }) => {
    const now = known.get(identityKey(identity));
    return now && before !== null ? beforeIn(before, now).reportsCounted : 0;
  });
  const rows = await listCountedSince(tx, projectId, decidedAt, Math.max(0, ...counted));
  const identities = decisions.map(({ identity }) => identity);
  const reports: ReportSince[] = [];
  for (const { uploadId, finalizedAt, countedAs } of rows) {
    const kept = uploadId === null ? null : await findKept(tx, uploadId);
    if (!kept?.findingMarks || !kept.findingFacts) continue;
    const names = identities.map((now) => ({
      now,
      earlier: formerAt(known.get(identityKey(now)), countedAs) ?? now,
    }));
    const nowOf = new Map(names.map(({ now, earlier }) => [identityKey(earlier), now]));
    const placed = snapshotsWithIdentities(
      kept.findingMarks,
      names.map(({ earlier }) => earlier),
    );
    const facts = factsAt(kept.findingFacts, new Set(placed.map(({ place }) => place)));
    reports.push({
      at: finalizedAt,
      order: countedAs,
      lookedAgain: lookedAgainFor(scanFactsIn(kept.findingFacts)),
      findings: equalsOf(
        placed.map(({ mark }) => ({
          ...mark,
          identity: nowOf.get(identityKey(mark.identity)) ?? mark.identity,
        })),
        placed.map(({ place }) => facts.get(place)),
      ),
    });
  }
  return reports;
}

export interface Happened {
  readonly at: number;
  readonly event: FindingEvent;
  /** What is recorded if the event is a fix. */
  readonly fix: Fix;
}

export interface Undone {
  /** Null when nothing would be known. */
  readonly known: Known | null;
  /** What happened to the finding since the decision. */
  readonly happened: readonly Happened[];
  /** What would have happened without the decision. */
  readonly instead: readonly Happened[];
}

/**
 * @param from what the project knows now
 * @param decision the first of the undone decisions about the finding
 */
export function withoutDecision(from: Known, decision: DecisionRow, reports: readonly ReportSince[]): Undone {
  const { identity, decidedAt } = decision;
  const before = decision.before === null ? undefined : beforeIn(decision.before, from).known;
  const decided = decidedFrom(before ?? { ...from, ...absent }, decision);
  const event = eventOf(before, decided);
  const made = event === null ? [] : [{ at: decidedAt, event, fix: fixOf(identity, before ?? decided) }];
  const happened = [...made, ...replayed(decided, identity, reports).happened];
  const { known, happened: instead } = replayed(before, identity, reports);
  if (!known && from.present === 0) return { known: null, happened, instead };
  const open = { ...from, status: 'open', decidedAt: null, until: null, decision: null } as const;
  return { known: judged({ ...from, ...statusOf(known ?? open) }, decidedAt), happened, instead };
}

function decidedFrom(before: Known, { status, severity, decidedAt, until, number }: DecisionRow): Known {
  const decision = { status, severity, statusAt: decidedAt, decidedAt, until, decision: number };
  return judged({ ...before, ...decision }, decidedAt);
}

/** Counts the reports again, for one finding. */
function replayed(start: Known | undefined, identity: Uint8Array, reports: readonly ReportSince[]) {
  const happened: Happened[] = [];
  let known = start;
  for (const report of reports) {
    const after = knownWith(report, identityKey(identity), known);
    const event = after && eventOf(known, after);
    if (after && event) happened.push({ at: report.at, event, fix: fixOf(identity, known ?? after) });
    known = after;
  }
  return { known, happened };
}

function knownWith(
  { at, order, lookedAgain, findings }: ReportSince,
  key: string,
  known: Known | undefined,
): Known | undefined {
  const equals = findings.get(key);
  if (!equals) return known?.present === 1 && isGone(known, lookedAgain) ? knownWithout(known) : known;
  const [first, ...others] = equals.map(({ mark, facts }) => ({
    mark: followed(asUploaded(mark), known, at),
    facts,
  }));
  return first && knownAfter([first, ...others], known, { now: at, order });
}

/** The finding as its report has it. Only open findings take over a status. */
function asUploaded(mark: FindingSnapshot): FindingSnapshot {
  return mark.carried ? { ...mark, status: 'open', carried: false } : mark;
}
