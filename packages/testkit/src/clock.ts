/** A clock that tests move. */
import type { Clock } from '@svc/server/ports';

export interface FakeClock extends Clock {
  set(time: string | number): void;
  advance(ms: number): void;
}

/** Noon on a Wednesday: a test that advances by a day stays in the same week, regardless of the actual date. */
const MID_WEEK = '2026-11-18T12:00:00Z';

/** Stands still until it is advanced. Start it at the present if it runs beside a program with a real clock. */
export function createFakeClock(start: string | number = MID_WEEK): FakeClock {
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
