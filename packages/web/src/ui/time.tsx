/** A time, told as how long ago it was, with the exact one on hover and on paper. */
import { useSyncExternalStore } from 'react';
import { ago, exactly } from '../lib/words.ts';
import { usePrinting } from './use-printing.ts';

const TICK_MS = 30_000;

let now = new Date();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = new Date();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** One clock for the page, so that its times move together. */
export function useNow(): Date {
  return useSyncExternalStore(listen, () => now);
}

export function Time({ at }: { readonly at: string }) {
  const time = new Date(at);
  const clock = useNow();
  // What has just happened by the service's clock may lie ahead of the page's.
  const from = clock > time || time.getTime() - clock.getTime() > TICK_MS ? clock : time;
  return (
    <time dateTime={at} title={exactly(time)}>
      {usePrinting() ? exactly(time) : ago(time, from)}
    </time>
  );
}
