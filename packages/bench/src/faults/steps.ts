/**
 * The calls of a sync, each of which records exactly what was acknowledged. A client repeats a call after a lost
 * response; the faults also prove that this has the same result.
 */
import type { Actors } from '@svc/testkit';
import { attempt, inWords, type Attempt } from './attempt.ts';
import { browserOf, deviceOf, type Known, type Person } from './people.ts';

export type Step = 'create' | 'intent' | 'put' | 'finalize' | 'delete';

/** The steps in the order of a sync. */
export const syncSteps: readonly Step[] = ['create', 'intent', 'put', 'finalize'];

export interface Subject {
  readonly actors: Actors;
  readonly person: Person;
  readonly report: Known;
}

export async function take(step: Step, subject: Subject): Promise<Attempt> {
  subject.report.pending = step;
  const came = await calls[step](subject);
  if (came.kind === 'done') subject.report.pending = null;
  return came;
}

/** Like `take`, for a call that may be a repetition: a report that is gone was deleted when the response was lost. */
export async function takeAgain(step: Step, subject: Subject): Promise<Attempt> {
  const { report } = subject;
  const isRepeated = report.pending === 'delete';
  const came = await take(step, subject);
  const isGone = came.kind === 'rejected' && came.code === 'REPORT_EXPIRED';
  if (step !== 'delete' || !isRepeated || !isGone) return came;
  report.deleted = true;
  report.pending = null;
  return { kind: 'done', body: null };
}

/** @throws Error if a step fails. */
export async function mustTake(steps: readonly Step[], subject: Subject): Promise<void> {
  for (const step of steps) {
    const came = await take(step, subject);
    if (came.kind !== 'done') throw new Error(`${step} should succeed, and was ${inWords(came)}`);
  }
}

/** The remaining steps until a report is final. */
export function stepsLeft(report: Known): Step[] {
  if (report.deleted || report.finalized) return [];
  if (report.received) return ['finalize'];
  if (report.reportId === null) return [...syncSteps];
  return report.uploadId === null ? ['intent', 'put', 'finalize'] : ['put', 'finalize'];
}

const calls: Record<Step, (subject: Subject) => Promise<Attempt>> = {
  async create({ actors, person, report }) {
    const { localReportId } = report;
    const body = {
      ...person.project,
      localReportId,
      effortRequested: 'auto',
      effortResolved: 'high',
    } as const;
    const came = await attempt((signal) => deviceOf(actors, person).api.createReport({ body, signal }));
    if (came.kind === 'done') report.reportId = came.body.reportId;
    return came;
  },

  async intent({ actors, person, report }) {
    const body = { sha256: report.sha256, byteLength: report.bytes.length };
    const params = { id: report.reportId ?? '' };
    const came = await attempt((signal) =>
      deviceOf(actors, person).api.createUploadIntent({ params, body, signal }),
    );
    if (came.kind === 'done') report.uploadId = came.body.uploadId;
    return came;
  },

  async put({ actors, person, report }) {
    const params = { uploadId: report.uploadId ?? '' };
    const came = await attempt((signal) =>
      deviceOf(actors, person).api.uploadReport({ params, bytes: report.bytes, signal }),
    );
    if (came.kind === 'done') report.received = true;
    return came;
  },

  async finalize({ actors, person, report }) {
    const params = { id: report.reportId ?? '' };
    const body = { uploadId: report.uploadId ?? '' };
    const came = await attempt((signal) =>
      deviceOf(actors, person).api.finalizeReport({ params, body, signal }),
    );
    if (came.kind === 'done') report.finalized = true;
    return came;
  },

  /** The owner deletes the report in a browser, because an owner can delete final reports too. */
  async delete({ actors, person, report }) {
    const params = { id: report.reportId ?? '' };
    const came = await attempt((signal) => browserOf(actors, person).api.deleteReport({ params, signal }));
    if (came.kind === 'done') report.deleted = true;
    return came;
  },
};
