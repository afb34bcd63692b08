/**
 * One piece of work in each turn of the event loop: what is done for many requests that arrive together holds the others up
 * for as long as one piece does, not for as long as all.
 */
export function createTurns(): <Result>(work: () => Result | Promise<Result>) => Promise<Result> {
  const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  let free = Promise.resolve();
  return (work) => {
    const done = free.then(work);
    free = done.then(nextTurn, nextTurn);
    return done;
  };
}
