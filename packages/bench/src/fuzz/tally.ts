/** Counts of what happened: by kind, by status, and without a response. */
import type { ExchangeOutcome } from './exchange.ts';
import { kinds, type Kind, type Shot } from './shot.ts';

export interface Failure {
  readonly index: number;
  readonly shot: Shot;
  readonly outcome: ExchangeOutcome;
  readonly problems: readonly string[];
}

export interface Tally {
  readonly sent: Record<Kind, number>;
  readonly answers: Record<Kind, number>;
  readonly statuses: Map<number, number>;
  /** Connections that closed without a response, by the kind and label of the shot. */
  readonly unanswered: Map<string, number>;
  /** Of the failures with the same kind, label and problems, the first. */
  readonly failures: Map<string, Failure>;
  /** The number of all failures. */
  failed: number;
}

export function createTally(): Tally {
  const zero = () => Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  return {
    sent: zero(),
    answers: zero(),
    statuses: new Map(),
    unanswered: new Map(),
    failures: new Map(),
    failed: 0,
  };
}

export function count(tally: Tally, shot: Shot, outcome: ExchangeOutcome): void {
  tally.sent[shot.kind] += 1;
  for (const { status } of outcome.answers) {
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    if (status >= 200) tally.answers[shot.kind] += 1;
  }
  if (outcome.answers.length === 0) {
    const name = `${shot.kind}: ${shot.label}`;
    tally.unanswered.set(name, (tally.unanswered.get(name) ?? 0) + 1);
  }
}

export function countFailure(tally: Tally, failure: Failure): void {
  tally.failed += 1;
  const name = [failure.shot.kind, failure.shot.label, ...failure.problems].join('\n');
  if (!tally.failures.has(name)) tally.failures.set(name, failure);
}

export function totalSent({ sent }: Tally): number {
  return Object.values(sent).reduce((sum, number) => sum + number, 0);
}
