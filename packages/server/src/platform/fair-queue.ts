/**
 * Work that waits for a place, by whose it is. Those who have some waiting get a place in turn, one piece each: whoever
 * brings a lot at once waits for their own, and makes nobody else wait for more than one piece of it in each round.
 */
export interface FairQueueBounds {
  readonly underWayMax: number;
  readonly waitingMax: number;
  readonly waitingOfOneMax: number;
}

/** Rejects with what `refusal` gives when too many wait, of all or of this one; else as the work does. */
export type FairQueue = <Result>(whose: string, work: () => Promise<Result>) => Promise<Result>;

export function createFairQueue(bounds: FairQueueBounds, refusal: () => Error): FairQueue {
  /** What begins the work of each who has some waiting; the first is the next to get a place. */
  const waiting = new Map<string, (() => void)[]>();
  let waitingCount = 0;
  let underWay = 0;

  function waitForPlace(whose: string): Promise<void> {
    const own = waiting.get(whose) ?? [];
    if (waitingCount >= bounds.waitingMax || own.length >= bounds.waitingOfOneMax) throw refusal();
    waitingCount += 1;
    waiting.set(whose, own);
    return new Promise((resolve) => void own.push(resolve));
  }

  /** The place goes to whoever is next; whoever has more waiting comes last then. */
  function leavePlace(): void {
    const [next] = waiting;
    if (!next) {
      underWay -= 1;
      return;
    }
    const [whose, [begin, ...others]] = next;
    waitingCount -= 1;
    waiting.delete(whose);
    if (others.length > 0) waiting.set(whose, others);
    begin?.();
  }

  return async (whose, work) => {
    if (underWay < bounds.underWayMax) underWay += 1;
    else await waitForPlace(whose);
    try {
      return await work();
    } finally {
      leavePlace();
    }
  };
}
