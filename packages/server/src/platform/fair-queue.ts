/**
 * Work that waits for a place, by whose it is. The place goes to the one who has had the least so far, by cost: one who
 * brings a lot of costly work waits for their own, and others wait for little more than what is under way already.
 *
 * This is start-time fair queueing: a piece of work starts, in virtual time, when the last piece of the same one ends,
 * and the piece that starts first gets the place.
 */
export interface FairQueueBounds {
  readonly underWayMax: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax: number;
}

/**
 * Rejects with what `refusal` gives when this one has too much waiting, or has the most waiting of all when too much is;
 * else as the work does.
 *
 * @param cost in any unit that is the same for all.
 */
export type FairQueue = <Result>(whose: string, cost: number, work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly whose: string;
  readonly start: number;
  begin(): void;
  refuse(): void;
}

/** More are only kept while they matter. */
const ENDS_KEPT = 1000;

export function createFairQueue(bounds: FairQueueBounds, refusal: () => Error): FairQueue {
  const waiting: Waiting[] = [];
  /** When the last piece of each ends, in virtual time. */
  const ends = new Map<string, number>();
  let now = 0;
  let underWay = 0;

  function startOf(whose: string, cost: number): number {
    const start = Math.max(now, ends.get(whose) ?? 0);
    ends.set(whose, start + cost);
    return start;
  }

  function countOf(whose: string): number {
    return waiting.filter((each) => each.whose === whose).length;
  }

  /** Refuses the last piece of the one who has the most waiting, when that is more than `count`. */
  function makeRoom(count: number): boolean {
    const counts = new Map<string, number>();
    for (const { whose } of waiting) counts.set(whose, (counts.get(whose) ?? 0) + 1);
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    if (!most || most[1] <= count) return false;
    const at = waiting.findLastIndex(({ whose }) => whose === most[0]);
    const [last] = waiting.splice(at, 1);
    if (last) ends.set(last.whose, last.start);
    last?.refuse();
    return true;
  }

  function waitForPlace(whose: string, cost: number): Promise<void> {
    const count = countOf(whose);
    if (count >= bounds.waitingOfOneMax) throw refusal();
    if (waiting.length >= bounds.waitingMax && !makeRoom(count + 1)) throw refusal();
    const start = startOf(whose, cost);
    return new Promise((begin, reject) => {
      waiting.push({ whose, start, begin, refuse: () => reject(refusal()) });
    });
  }

  function leavePlace(): void {
    let next: Waiting | undefined;
    for (const each of waiting) if (next === undefined || each.start < next.start) next = each;
    if (next === undefined) {
      underWay -= 1;
      if (underWay === 0) forgetAll();
      return;
    }
    waiting.splice(waiting.indexOf(next), 1);
    now = Math.max(now, next.start);
    if (ends.size > ENDS_KEPT) for (const [whose, end] of ends) if (end <= now) ends.delete(whose);
    next.begin();
  }

  function forgetAll(): void {
    now = 0;
    ends.clear();
  }

  return async (whose, cost, work) => {
    if (underWay < bounds.underWayMax) {
      underWay += 1;
      now = Math.max(now, startOf(whose, cost));
    } else await waitForPlace(whose, cost);
    try {
      return await work();
    } finally {
      leavePlace();
    }
  };
}
