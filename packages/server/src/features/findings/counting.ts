/** Counts a report that became final: which findings of its project are present from now on, and in which state. */
import {
  identityKey,
  lookedAgainFor,
  type FindingFacts,
  type FindingSnapshot,
  type ReportFacts,
} from '@svc/report';
import type { Tx } from '#platform/database/database';
import { decidedAmong, moveDecisions } from './decisions-store.ts';
import { findersIn } from './finders-policy.ts';
import type { TakenOver } from './moved-identities.ts';
import { knownAfter, knownWithout, type Equals, type Known } from './policy.ts';
import { saveRows, type ProjectState } from './project-state.ts';
import type { KnownRow } from './identities-store.ts';
import { forgetIdentities } from './identities-writing-store.ts';

export interface CountedReport {
  /** The findings as `followed` returns them, in the order of the report. */
  readonly snapshots: readonly FindingSnapshot[];
  readonly facts: ReportFacts;
  /** What the project knows about these findings. */
  readonly known: TakenOver;
  /** The findings present before this report whose first tool ran in it. */
  readonly present: ReadonlyMap<string, KnownRow>;
  /** The position of the report in the order in which the project counts reports. */
  readonly order: number;
}

/** The caller has opened the project, and saves it. */
export async function countReport(
  tx: Tx,
  { project, ledger }: ProjectState,
  report: CountedReport,
  now: number,
): Promise<void> {
  const { known, present, order } = report;
  const rows: KnownRow[] = [];
  const groups = equalsOf(report.snapshots, report.facts.findings);
  for (const [key, equals] of groups) {
    const { identity } = equals[0].snapshot;
    const before = known.now.get(key);
    const counted = known.movedTo.get(key);
    if (counted) ledger.withdraw(counted);
    const after = knownAfter(equals, before, { now, order });
    ledger.change(identity, before, after);
    if (!before || known.movedTo.has(key) || !isSame(before, after)) rows.push({ ...after, identity });
  }
  const movedAway = new Set(known.movedAway.map(({ from }) => identityKey(from)));
  const lookedAgain = lookedAgainFor(report.facts.scan);
  for (const [key, row] of present) {
    if (groups.has(key) || movedAway.has(key) || !isGone(row, lookedAgain)) continue;
    const after = { ...knownWithout(row), identity: row.identity };
    ledger.change(row.identity, row, after);
    rows.push(after);
  }
  await saveRows(tx, project.id, rows);
  if (known.movedAway.length === 0) return;
  const sources = known.movedAway.map(({ from }) => from);
  await forgetIdentities(tx, project.id, sources);
  const targets = new Map(known.movedAway.map(({ from, to }) => [identityKey(from), to]));
  for (const from of await decidedAmong(tx, project.id, sources)) {
    const to = groups.get(targets.get(identityKey(from)) ?? '')?.[0].snapshot.identity;
    if (to) await moveDecisions(tx, project.id, { from, to });
  }
}

/** Whether a present finding that a report lacks is gone: its tools are known, and each looked again. */
function isGone(known: Known, lookedAgain: ReturnType<typeof lookedAgainFor>): boolean {
  const finders = findersIn(known);
  return finders.length > 0 && finders.every(lookedAgain);
}

/**
 * Groups the findings of a report by identity.
 * @param facts in the order of the findings
 */
function equalsOf(
  snapshots: readonly FindingSnapshot[],
  facts: readonly (FindingFacts | undefined)[],
): Map<string, Equals> {
  const groups = new Map<string, [Equals[number], ...Equals[number][]]>();
  for (const [place, snapshot] of snapshots.entries()) {
    const of = facts[place];
    if (!of) throw new TypeError('The facts belong to the findings of another report.');
    const key = identityKey(snapshot.identity);
    const group = groups.get(key);
    if (group) group.push({ snapshot, facts: of });
    else groups.set(key, [{ snapshot, facts: of }]);
  }
  return groups;
}

function isSame(one: Known, other: Known): boolean {
  return (Object.keys(other) as (keyof Known)[]).every((name) => {
    const [before, after] = [one[name], other[name]];
    return before instanceof Uint8Array && after instanceof Uint8Array
      ? Buffer.compare(before, after) === 0
      : before === after;
  });
}
