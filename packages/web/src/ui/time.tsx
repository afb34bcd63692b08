/** A relative time or a day, with the exact time on hover and in print. */
import { useSyncExternalStore } from 'react';
import { clockOrDay, exactTime, relativeTime, shortDay } from '../lib/format.ts';
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
  // A new event may lie slightly ahead of this machine's clock.
  const from = clock > time || time.getTime() - clock.getTime() > TICK_MS ? clock : time;
  return (
    <time dateTime={at} title={exactTime(time)}>
      {usePrinting() ? exactTime(time) : relativeTime(time, from)}
    </time>
  );
}

/** "14:00" or "3 Jun 2026", for text such as "since 14:00". */
export function ClockOrDay({ at }: { readonly at: string }) {
  const time = new Date(at);
  const clock = useNow();
  return (
    <time dateTime={at} title={exactTime(time)}>
      {usePrinting() ? exactTime(time) : clockOrDay(time, clock)}
    </time>
  );
}

/** The day that identifies something, such as a report: `3 Jun 2026`. */
export function Day({ at }: { readonly at: string }) {
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactTime(time)}>
      {usePrinting() ? exactTime(time) : shortDay(time)}
    </time>
  );
}

/** "expires in 2 days", and later "expired 2 days ago". */
export function Expiry({ at }: { readonly at: string }) {
  return (
    <>
      {new Date(at) > useNow() ? 'expires' : 'expired'} <Time at={at} />
    </>
  );
}
