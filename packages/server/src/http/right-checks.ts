/**
 * Watches the permissions under which responses are sent, and ends those whose permission has ended. A permission is
 * checked again on a hint, and expiries are checked twice a second. While the database is unreachable, no permission
 * can change in it. The check is then repeated, and a response whose permission stays unknown for long is ended.
 */
import pLimit from 'p-limit';
import { AppError } from '#app-error';
import type { Bus } from '#platform/bus/bus';
import type { Clock } from '#platform/clock';
import { describeError, type Log } from '#platform/log';
import type { Timers } from '#platform/timers';
import type { SendingRight } from '#prepared';

const ROUND_MS = 500;
/** A response is ended after this many rounds, half a minute, in which its permission could not be checked. */
const UNANSWERED_ROUNDS_MAX = 60;
const CHECKS_AT_ONCE = 8;

export interface RightWatch {
  /**
   * Checks the permissions now, for changes since the response was begun.
   * @throws AppError when one has ended.
   */
  check(): Promise<void>;
  /** Calls `end` once one of the permissions has ended: immediately, if it already has. */
  onEnd(end: () => void): void;
  readonly stop: () => void;
}

export interface RightChecks {
  /** Receives hints about the permissions from now on. */
  watch(rights: readonly SendingRight[]): RightWatch;
}

export interface RightCheckPorts {
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

interface Watched {
  readonly rights: readonly SendingRight[];
  endsAt: number;
  /** A hint arrived after the last check. */
  isSuspect: boolean;
  isAsking: boolean;
  unansweredRounds: number;
  hasEnded: boolean;
  end: () => void;
}

export function createRightChecks({ bus, clock, timers, log }: RightCheckPorts): RightChecks {
  const all = new Set<Watched>();
  const inTurn = pLimit(CHECKS_AT_ONCE);
  let stopRounds: (() => void) | null = null;

  async function recheck(watched: Watched): Promise<void> {
    const ends = await Promise.all(watched.rights.map((right) => right.recheck()));
    watched.endsAt = Math.min(...ends);
  }

  function end(watched: Watched): void {
    watched.hasEnded = true;
    watched.end();
  }

  async function ask(watched: Watched): Promise<void> {
    if (watched.isAsking) return;
    watched.isAsking = true;
    while (watched.isSuspect && !watched.hasEnded && all.has(watched)) {
      watched.isSuspect = false;
      try {
        await inTurn(() => recheck(watched));
        watched.unansweredRounds = 0;
      } catch (error) {
        if (hasEnded(error)) end(watched);
        else {
          log.error('access check of a response failed', { error: describeError(error) });
          watched.unansweredRounds += 1;
          break;
        }
      }
    }
    watched.isAsking = false;
  }

  /** Runs after the tick of the commit, because caches of the database are cleared in that tick. */
  function hint(watched: Watched): void {
    watched.isSuspect = true;
    setImmediate(() => void ask(watched));
  }

  function round(): void {
    const now = clock.now();
    for (const watched of all) {
      if (watched.endsAt <= now || watched.unansweredRounds > UNANSWERED_ROUNDS_MAX) end(watched);
      else if (watched.unansweredRounds > 0) hint(watched);
    }
  }

  function forget(watched: Watched): void {
    all.delete(watched);
    if (all.size > 0) return;
    stopRounds?.();
    stopRounds = null;
  }

  return {
    watch(rights) {
      const watched: Watched = {
        rights,
        endsAt: Math.min(...rights.map(({ endsAt }) => endsAt)),
        isSuspect: false,
        isAsking: false,
        unansweredRounds: 0,
        hasEnded: false,
        end: () => undefined,
      };
      const topics = new Set(rights.flatMap((right) => right.topics));
      const stops = [...topics].map((topic) => bus.subscribe(topic, () => hint(watched)));
      all.add(watched);
      stopRounds ??= timers.every(ROUND_MS, round);
      return {
        check: () => recheck(watched),
        onEnd(onEnd) {
          watched.end = onEnd;
          if (watched.hasEnded) onEnd();
        },
        stop: () => {
          for (const stop of stops) stop();
          forget(watched);
        },
      };
    },
  };
}

/** Any other error means that the permission could not be checked. */
function hasEnded(error: unknown): boolean {
  return error instanceof AppError && error.status < 500;
}
