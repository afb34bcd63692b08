/** A time, told as how long ago it was, with the exact one on hover. */
import { useSyncExternalStore } from 'react';
import { ago, exactly } from '../lib/words.ts';

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
  const from = useNow();
  return (
    <time dateTime={at} title={exactly(time)}>
      {ago(time, from > time || time.getTime() - from.getTime() > TICK_MS ? from : time)}
    </time>
  );
}
