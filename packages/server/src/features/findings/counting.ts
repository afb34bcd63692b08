/** Counts a report that became final: which findings of its project are present from now on, and in which state. */
import {
  DIGEST_BYTES,
  identityKey,
  lookedAgainFor,
  type FindingSnapshot,
  type ReportFacts,
} from '@svc/report';
import type { Tx } from '#platform/database/database';
import { decidedAmong, moveDecisions } from './decisions-store.ts';
import type { TakenOver } from './moved-identities.ts';
import { knownAfter, knownWithout, type Known } from './policy.ts';
import { saveRows, type ProjectState } from './project-state.ts';
import type { KnownRow } from './identities-store.ts';
import { forgetIdentities } from './identities-writing-store.ts';

export interface CountedReport {
  /** The findings as `followed` returns them, in the order of the report. */
  readonly snapshots: readonly FindingSnapshot[];
  readonly facts: ReportFacts;
  /** What the project knows about these findings. */
  readonly known: TakenOver;
  /** The findings present before this report whose tool ran in it. */
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
  const identities = new Map<string, Uint8Array>();
  for (const [place, snapshot] of report.snapshots.entries()) {
    const facts = report.facts.findings[place];
    if (!facts) throw new TypeError('The facts belong to the findings of another report.');
    const { identity } = snapshot;
    const key = identityKey(identity);
    identities.set(key, identity);
    const before = known.now.get(key);
    const counted = known.movedTo.get(key);
    if (counted) ledger.withdraw(counted);
    const after = knownAfter({ snapshot, facts }, before, { now, order });
    ledger.change(identity, before, after);
    if (!before || known.movedTo.has(key) || !isSame(before, after)) rows.push({ ...after, identity });
  }
  const movedAway = new Set(known.movedAway.map(({ from }) => identityKey(from)));
  const lookedAgain = lookedAgainFor(report.facts.scan);
  for (const [key, row] of present) {
    if (identities.has(key) || movedAway.has(key) || !isGone(row, lookedAgain)) continue;
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
    const to = identities.get(targets.get(identityKey(from)) ?? '');
    if (to) await moveDecisions(tx, project.id, { from, to });
  }
}

/** Whether a present finding that a report lacks is gone: its tool is known, and looked again. */
function isGone({ tool, areas }: Known, lookedAgain: ReturnType<typeof lookedAgainFor>): boolean {
  return tool !== null && lookedAgain({ tool, areas: digestsIn(areas) });
}

/** The digests that are packed one after the other. */
function digestsIn(packed: Uint8Array | null): Uint8Array[] {
  const bytes = packed ?? new Uint8Array();
  return Array.from({ length: Math.floor(bytes.length / DIGEST_BYTES) }, (_, index) =>
    bytes.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES),
  );
}

function isSame(one: Known, other: Known): boolean {
  return (Object.keys(other) as (keyof Known)[]).every((name) => {
    const [before, after] = [one[name], other[name]];
    return before instanceof Uint8Array && after instanceof Uint8Array
      ? Buffer.compare(before, after) === 0
      : before === after;
  });
}
