/**
 * Bounded capacity with fair admission: work that needs a part of it waits until enough is free. The owner with the
 * least cost so far is admitted next. An owner with a lot of costly work waits for their own work; others wait for
 * little more than what is running.
 *
 * This is start-time fair queueing: a piece starts, in virtual time, when the last piece of the same owner ends, and
 * the piece with the earliest start is admitted first. A piece that is too large for the free units blocks those behind
 * it, so that it is admitted eventually.
 */
import { unmeasured, type CapacityMeter } from './metrics/metrics.ts';

export interface CapacityBounds {
  /** The maximum number of units in use at one time. */
  readonly unitsMax: number;
  /** The maximum number of admitted pieces of one owner. Unlimited when absent. */
  readonly admittedOfOneMax?: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax: number;
  /** A piece that has waited for this long is rejected. When absent, it waits without limit. */
  readonly waitMsMax?: number;
}

export interface Piece {
  /** The owner of the work. */
  readonly owner: string;
  /** The cost in any unit, the same for all pieces. */
  readonly cost: number;
  /** The number of units; 1 if absent. */
  readonly units?: number;
}

export interface Capacity {
  /**
   * Resolves to the function that releases the units, which may be called repeatedly.
   *
   * Rejects with the result of `rejection` when the owner has too much waiting, when too much waits in total and this
   * owner has the most, or when the piece has waited too long.
   */
  enter(piece: Piece): Promise<() => void>;
  /** Enters, runs the work, and leaves. Starts immediately when there is capacity. */
  run<Result>(piece: Piece, work: () => Promise<Result>): Promise<Result>;
}

interface Waiting extends Required<Piece> {
  readonly start: number;
  admit(): void;
  reject(): void;
}

/** When there are more ends than this, those that no longer matter are deleted. */
const ENDS_KEPT = 1000;

export function createCapacity(
  bounds: CapacityBounds,
  rejectionOf: () => Error,
  meter: CapacityMeter = unmeasured,
): Capacity {
  const { unitsMax, admittedOfOneMax = Infinity } = bounds;
  const waiting: Waiting[] = [];
  const admitted = new Map<string, number>();
  /** The virtual time at which the last piece of each owner ends. */
  const ends = new Map<string, number>();
  let virtualNow = 0;
  let unitsUsed = 0;

  function rejection(): Error {
    meter.rejected();
    return rejectionOf();
  }

  const hasShare = (owner: string) => (admitted.get(owner) ?? 0) >= admittedOfOneMax;

  function startOf({ owner, cost }: Piece): number {
    const start = Math.max(virtualNow, ends.get(owner) ?? 0);
    ends.set(owner, start + cost);
    return start;
  }

  function firstWaiting(): Waiting | undefined {
    let first: Waiting | undefined;
    for (const each of waiting)
      if (!hasShare(each.owner) && (first === undefined || each.start < first.start)) first = each;
    return first;
  }

  function take(owner: string, units: number, start: number): () => void {
    unitsUsed += units;
    admitted.set(owner, (admitted.get(owner) ?? 0) + 1);
    virtualNow = Math.max(virtualNow, start);
    if (ends.size > ENDS_KEPT) for (const [each, end] of ends) if (end <= virtualNow) ends.delete(each);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      unitsUsed -= units;
      const others = (admitted.get(owner) ?? 0) - 1;
      if (others > 0) admitted.set(owner, others);
      else admitted.delete(owner);
      admitWaiting();
    };
  }

  function admitWaiting(): void {
    for (let first = firstWaiting(); first; first = firstWaiting()) {
      if (unitsUsed + first.units > unitsMax) return;
      waiting.splice(waiting.indexOf(first), 1);
      first.admit();
    }
    if (admitted.size > 0) return;
    virtualNow = 0;
    ends.clear();
  }

  /** Removes a waiting piece. The owner's later pieces keep their starts. */
  function reject(piece: Waiting): void {
    waiting.splice(waiting.indexOf(piece), 1);
    if (ends.get(piece.owner) === piece.start + piece.cost) ends.set(piece.owner, piece.start);
    piece.reject();
  }

  /** Rejects the last piece of the owner with the most waiting pieces, if these are more than `count`. */
  function makeRoom(count: number): boolean {
    const counts = new Map<string, number>();
    for (const { owner } of waiting) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    const last = most && most[1] > count && waiting.findLast(({ owner }) => owner === most[0]);
    if (!last) return false;
    reject(last);
    return true;
  }

  function tryEnter(piece: Piece): (() => void) | null {
    const { owner, units = 1 } = piece;
    if (firstWaiting() || hasShare(owner) || unitsUsed + units > unitsMax) return null;
    return take(owner, units, startOf(piece));
  }

  async function wait(piece: Piece): Promise<() => void> {
    const { owner, cost, units = 1 } = piece;
    const count = waiting.filter((each) => each.owner === owner).length;
    if (count >= bounds.waitingOfOneMax) throw rejection();
    if (waiting.length >= bounds.waitingMax && !makeRoom(count + 1)) throw rejection();
    const start = startOf(piece);
    return new Promise((resolve, fail) => {
      const entry: Waiting = {
        owner,
        cost,
        units,
        start,
        admit() {
          meter.waiting(-1);
          clearTimeout(timer);
          resolve(take(owner, units, start));
        },
        reject() {
          meter.waiting(-1);
          clearTimeout(timer);
          fail(rejection());
        },
      };
      const giveUp = () => {
        reject(entry);
        // The removed piece may have blocked smaller ones behind it.
        admitWaiting();
      };
      const timer = bounds.waitMsMax === undefined ? undefined : setTimeout(giveUp, bounds.waitMsMax);
      meter.waiting(1);
      waiting.push(entry);
    });
  }

  const enter = async (piece: Piece) => tryEnter(piece) ?? wait(piece);

  return {
    enter,
    async run(piece, work) {
      const leave = tryEnter(piece) ?? (await wait(piece));
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
