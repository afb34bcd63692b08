/** A clock that tests move. */
import type { Clock } from '@svc/server/ports';

export interface FakeClock extends Clock {
  set(time: string | number): void;
  advance(ms: number): void;
}

/** Begins at the present, and stands still until it is moved. */
export function createFakeClock(start: string | number = Date.now()): FakeClock {
  let now = toMs(start);
  return {
    now: () => now,
    set: (time) => {
      now = toMs(time);
    },
    advance: (ms) => {
      now += ms;
    },
  };
}

function toMs(time: string | number): number {
  return typeof time === 'number' ? time : Date.parse(time);
}
