/** Divides the work on a page into tasks of the browser, so that a slow phone can paint and respond in between. */
import { useLayoutEffect, useState } from 'react';

/** Resolves in the next task. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** False in the first render of a component, and true from the next task on. */
export function useNextTask(): boolean {
  const [isNext, setIsNext] = useState(false);
  useLayoutEffect(() => {
    const timer = setTimeout(() => setIsNext(true));
    return () => clearTimeout(timer);
  }, []);
  return isNext;
}
