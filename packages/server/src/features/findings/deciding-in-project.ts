/** Records decisions in their project: what it knows about the findings, its counts, and the decisions themselves. */
import type { Severity } from '@svc/contract';
import { identityKey, snapshotsWithIdentities, type PlacedSnapshot } from '@svc/report';
import type { Tx } from '#platform/database/database';
import type { GivenDecision } from './decision-rules.ts';
import { insertDecisions, type DecisionRow } from './decisions-store.ts';
import { findKnown, type KnownRow } from './identities-store.ts';
import type { Notes } from './notes.ts';
import { absent, judged, toTheDay, worstOf, type Known } from './policy.ts';
import { beforeText } from './before-decision.ts';
import { earlier, saveProject, saveRows, type ProjectState } from './project-state.ts';
import type { Subject } from './subjects.ts';

/** One call that decides about findings of a report. */
export interface Deciding {
  readonly userId: string;
  readonly reportId: string;
  /** The packed snapshots of the report. */
  readonly findingMarks: Uint8Array;
  readonly finalizedAt: number;
  readonly given: GivenDecision;
  readonly undoId: string;
  readonly now: number;
}

/**
 * @param numbers the new decisions' numbers in the project
 * @param newerOf the newer report in which the decision about a finding was also recorded, by `identityKey`
 */
export async function decideInProject(
  tx: Tx,
  notes: Pick<Notes, 'keyFor' | 'seal'>,
  state: ProjectState,
  numbers: ReadonlyMap<Subject, number>,
  newerOf: ReadonlyMap<string, string>,
  deciding: Deciding,
): Promise<void> {
  const { project, ledger } = state;
  const { given, userId, reportId, undoId, now } = deciding;
  const projectId = project.id;
  const known = await findKnown(
    tx,
    projectId,
    [...numbers.keys()].map(({ mark }) => mark.identity),
  );
  const notesKey = given.note === null ? null : await notes.keyFor(tx, project);
  const rows = new Map<string, KnownRow>();
  const severities = worstSeverities(deciding.findingMarks, [...numbers.keys()]);
  const decisions = [...numbers].map(([{ mark }, number]): DecisionRow => {
    const key = identityKey(mark.identity);
    const before = rows.get(key) ?? known.get(key);
    const severity = severities.get(key) ?? mark.severity;
    const after = knownDecided(before, { ...mark, severity }, number, deciding);
    ledger.change(mark.identity, before, after);
    rows.set(key, { ...after, identity: mark.identity });
    return {
      projectId,
      number,
      identity: mark.identity,
      reportId,
      findingId: mark.id,
      newerReportId: newerOf.get(key) ?? null,
      userId,
      decidedAt: now,
      status: given.status,
      severity,
      reason: given.reason,
      until: given.until,
      note:
        given.note === null || notesKey === null
          ? null
          : notes.seal(notesKey.key, { projectId, number }, given.note),
      undoId,
      before: before ? beforeText(before, project.reportsCounted) : null,
    };
  });
  await insertDecisions(tx, decisions);
  await saveRows(tx, projectId, [...rows.values()]);
  await saveProject(tx, state, now, {
    decisionsMade: project.decisionsMade + numbers.size,
    lapsesAt: earlier(project.lapsesAt, given.until),
    ...(notesKey === null ? {} : { notesKey: notesKey.wrapped }),
  });
}

/** Equal findings of the report are one finding of the project, at the worst of their severities. */
function worstSeverities(findingMarks: Uint8Array, subjects: readonly Subject[]): Map<string, Severity> {
  const identities = subjects.map(({ mark }) => mark.identity);
  const members = snapshotsWithIdentities(findingMarks, identities);
  const groups = Map.groupBy(members, ({ mark }) => identityKey(mark.identity));
  return new Map(
    [...groups].flatMap(([key, [first, ...others]]) =>
      first ? [[key, worstOf([first, ...others]).mark.severity] as const] : [],
    ),
  );
}

/** What the project knows about a finding after a decision. */
function knownDecided(
  before: Known | undefined,
  mark: PlacedSnapshot['mark'],
  number: number,
  { given, finalizedAt, now }: Deciding,
): Known {
  const seen = before ?? {
    firstSeenAt: mark.firstSeenAt ?? finalizedAt,
    lastSeenAt: toTheDay(now),
    ...absent,
  };
  return judged(
    {
      ...seen,
      status: given.status,
      severity: mark.severity,
      statusAt: now,
      decidedAt: now,
      until: given.until,
      decision: number,
    },
    now,
  );
}
