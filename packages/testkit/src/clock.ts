/** A clock that tests move. */
import type { Clock } from '@svc/server/ports';

export interface FakeClock extends Clock {
  set(time: string | number): void;
  advance(ms: number): void;
}

/** Noon of a Wednesday: a test that goes a day on stays in its week, on whatever day it is run. */
const MID_WEEK = '2026-11-18T12:00:00Z';

/** Stands still until it is moved. One beside a program with a clock of its own begins at the present. */
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
