/** Which findings a decision changes: all but those to which the same decision already applies. */
import { statusOf } from '@svc/report';
import type { Tx } from '#platform/database/database';
import type { GivenDecision } from './decision-rules.ts';
import { findDecisions } from './decisions-store.ts';
import type { Notes } from './notes.ts';
import { isLapsedIn } from './records-service.ts';
import type { Subject } from './subjects.ts';

export async function changedAmong(
  tx: Tx,
  notes: Pick<Notes, 'open'>,
  project: { readonly id: string; readonly notesKey: Uint8Array | null },
  subjects: readonly Subject[],
  given: GivenDecision,
): Promise<Subject[]> {
  const same = subjects.filter(
    ({ finding, moves }) => statusOf(finding) === given.status && !isLapsedIn(moves),
  );
  const numbers = same.flatMap((subject) => numberOf(subject) ?? []);
  const decisions = await findDecisions(tx, project.id, numbers);
  const isSame = (subject: Subject) => {
    const number = numberOf(subject);
    const decision = decisions.get(number ?? 0);
    // The decision was undone after this report had taken it over.
    if (number !== null && decision === undefined) return false;
    const note = decision ? notes.open(project.notesKey, decision) : null;
    return (
      (decision?.reason ?? null) === given.reason &&
      (decision?.until ?? null) === given.until &&
      note === given.note
    );
  };
  const unchanged = new Set(same.filter(isSame));
  return subjects.filter((subject) => !unchanged.has(subject));
}

/** The number of the decision that applies to the finding in the report; null when none does. */
function numberOf({ moves, mark, facts }: Subject): number | null {
  const last = moves.at(-1);
  return last ? last.decision : mark.carried ? (facts?.carried?.number ?? null) : null;
}
