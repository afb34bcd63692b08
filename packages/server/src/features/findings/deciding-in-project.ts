/** Records decisions in their project: what it knows about the findings, its counts, and the decisions themselves. */
import { limits, type Severity } from '@svc/contract';
import { identityKey } from '@svc/report';
import { AppError } from '#app-error';
import type { Tx } from '#platform/database/database';
import type { GivenDecision } from './decision-rules.ts';
import { forgetOldest, insertDecisions } from './decisions-store.ts';
import { findKnown, type KnownRow } from './identities-store.ts';
import type { Notes } from './notes.ts';
import { absent, judged, statusNow, toTheDay, type Known } from './policy.ts';
import { earlier, saveProject, saveRows, type ProjectState } from './project-state.ts';

const TOO_MANY_NOTES =
  'The notes of this project take 64 MiB, which is the limit. Decide without a note, or delete reports that you no longer need.';

/** A decision that is made. */
export interface NewDecision {
  /** Its number in the project. */
  readonly number: number;
  readonly identity: Uint8Array;
  readonly reportId: string;
  readonly findingId: string;
  /** The severity of the finding at the time of the decision. */
  readonly severity: Severity;
  readonly given: GivenDecision;
}

export interface ProjectDecisions {
  /** In the order of their numbers, which follow the project's last one. */
  readonly decisions: readonly NewDecision[];
  /** The one of each finding that counts in the project. */
  readonly counting: readonly NewDecision[];
  /** When a finding was first seen that the project does not know. */
  readonly firstSeenAt: (identity: Uint8Array) => number;
  readonly userId: string;
  /** Common to the decisions of one call. */
  readonly undoId: string;
  readonly now: number;
}

/**
 * The caller has opened the project. Saves it.
 * @throws AppError CONFLICT when the project has too many notes.
 */
export async function decideInProject(
  tx: Tx,
  notes: Pick<Notes, 'keyFor' | 'seal'>,
  state: ProjectState,
  { decisions, counting, firstSeenAt, userId, undoId, now }: ProjectDecisions,
): Promise<void> {
  const { project, ledger } = state;
  const projectId = project.id;
  const identities = counting.map(({ identity }) => identity);
  const known = await findKnown(tx, projectId, identities);
  const hasNotes = decisions.some(({ given }) => given.note !== null);
  const notesKey = hasNotes ? await notes.keyFor(tx, project) : null;
  const made = decisions.map(({ number, identity, reportId, findingId, severity, given }) => {
    const { status, reason, note, until } = given;
    return {
      projectId,
      number,
      identity,
      reportId,
      findingId,
      userId,
      decidedAt: now,
      status,
      severity,
      reason,
      until,
      note: note === null || !notesKey ? null : notes.seal(notesKey.key, { projectId, number }, note),
      undoId,
      ...previousNow(known.get(identityKey(identity)), now),
    };
  });
  const notesBytes = project.notesBytes + made.reduce((sum, { note }) => sum + (note?.length ?? 0), 0);
  if (hasNotes && notesBytes > limits.decision.notesBytesMax)
    throw new AppError('CONFLICT', { message: TOO_MANY_NOTES });
  await insertDecisions(tx, made);
  let lapsesAt = project.lapsesAt;
  const rows: KnownRow[] = [];
  for (const decision of counting) {
    const { identity, given } = decision;
    const before = known.get(identityKey(identity));
    const after = knownDecided(before, decision, firstSeenAt(identity), now);
    ledger.change(identity, before, after);
    lapsesAt = earlier(lapsesAt, given.until);
    rows.push({ ...after, identity });
  }
  await saveRows(tx, projectId, rows);
  const forgotten = await forgetOldest(tx, projectId, identities);
  await saveProject(tx, state, now, {
    decisionsMade: project.decisionsMade + decisions.length,
    notesBytes: notesBytes - forgotten,
    lapsesAt,
    ...(notesKey === null ? {} : { notesKey: notesKey.wrapped }),
  });
}

/** What the project knew by the clock: a decision that has lapsed no longer counts. */
function previousNow(known: Known | undefined, now: number) {
  if (!known) return { previousStatus: null, previousSeverity: null, previousDecision: null };
  const previousStatus = statusNow(known, now);
  const previousDecision = previousStatus === known.status ? known.decision : null;
  return { previousStatus, previousSeverity: known.severity, previousDecision };
}

/** What the project knows about a finding after a decision. */
function knownDecided(
  before: Known | undefined,
  { number, severity, given: { status, until } }: NewDecision,
  firstSeenAt: number,
  now: number,
): Known {
  const seen = before ?? { firstSeenAt, lastSeenAt: toTheDay(now), ...absent };
  return judged({ ...seen, status, severity, statusAt: now, decision: number, until }, now);
}
