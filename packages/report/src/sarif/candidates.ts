/**
 * Selects the results of a log that become findings. Only positions and ranks are kept, since a log can have hundreds
 * of thousands of results. Suppressed results rank last: they never take the place of an open result.
 */
import { severities, type Severity } from '@svc/contract';
import type { SeverityCounts } from '../intake/left-out.ts';

const RANKS = severities.length * 2;

export class Candidates {
  readonly #indexes: Uint32Array;
  /** Indexes into the list of severities; those of suppressed results come after it. */
  readonly #ranks: Uint8Array;
  #length = 0;

  /** @param lengthMax the maximum number of results */
  constructor(lengthMax: number) {
    this.#indexes = new Uint32Array(lengthMax);
    this.#ranks = new Uint8Array(lengthMax);
  }

  /** @param index the index of the result in the run's list of results */
  add(index: number, severity: Severity, isSuppressed: boolean): void {
    this.#indexes[this.#length] = index;
    this.#ranks[this.#length] = severities.indexOf(severity) + (isSuppressed ? severities.length : 0);
    this.#length += 1;
  }

  countInto(counts: number[]): void {
    for (let at = 0; at < this.#length; at += 1) {
      const rank = this.#ranks[at] as number;
      counts[rank] = (counts[rank] ?? 0) + 1;
    }
  }

  /**
   * The first results of each rank, in the order of the log.
   * @param room how many results of each rank may be taken; reduced by the number of results taken
   */
  take(room: number[]): Chosen {
    const kept: number[] = [];
    const leftOut = Array.from({ length: RANKS }, () => 0);
    for (let at = 0; at < this.#length; at += 1) {
      const rank = this.#ranks[at] as number;
      const left = room[rank] ?? 0;
      if (left === 0) leftOut[rank] = (leftOut[rank] ?? 0) + 1;
      else {
        room[rank] = left - 1;
        kept.push(this.#indexes[at] as number);
      }
    }
    const ofRank = (rank: number) => leftOut[rank] ?? 0;
    return {
      kept,
      leftOut: countsOf((index) => ofRank(index) + ofRank(index + severities.length)),
      leftOutOpen: countsOf(ofRank),
    };
  }
}

export interface Chosen {
  /** The indexes of results. */
  readonly kept: readonly number[];
  readonly leftOut: SeverityCounts;
  /** The counts of `leftOut` without suppressed results. */
  readonly leftOutOpen: SeverityCounts;
}

/** The chosen results of each run: the most severe of all runs, and among equals the first. */
export function worstFirst(runs: readonly Candidates[], most: number): Chosen[] {
  const counts = Array.from({ length: RANKS }, () => 0);
  for (const run of runs) run.countInto(counts);
  let left = most;
  const room = counts.map((count) => {
    const taken = Math.min(count, left);
    left -= taken;
    return taken;
  });
  return runs.map((run) => run.take(room));
}

function countsOf(count: (index: number) => number): SeverityCounts {
  return Object.fromEntries(severities.map((severity, index) => [severity, count(index)])) as Record<
    Severity,
    number
  >;
}
