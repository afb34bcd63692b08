/** Which findings a decision changes: all but those that already have its status, reason, end and note. */
import { statusOf } from '@svc/report';
import type { Tx } from '#platform/database/database';
import type { GivenDecision } from './decision-rules.ts';
import { findDecisions } from './decisions-store.ts';
import type { Notes } from './notes.ts';
import { isLapsedIn } from './records-service.ts';
import { decisionAfter, type Subject } from './subjects.ts';

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
  const numbers = same.flatMap((subject) => decisionAfter(subject, subject.moves) ?? []);
  const decisions = await findDecisions(tx, project.id, numbers);
  const isSame = (subject: Subject) => {
    const decision = decisions.get(decisionAfter(subject, subject.moves) ?? 0);
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
