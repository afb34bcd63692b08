/**
 * Sends a number of shots over a bounded number of connections, and checks every response.
 *
 * Each lane takes the next shot of the sequence when its previous one is done. Shots with valid framing share the
 * lane's connection; each of the others gets its own.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { problemsOf } from './checks.ts';
import { Connection, type ExchangeOutcome } from './exchange.ts';
import { shotsOf } from './sequence.ts';
import type { Shot } from './shot.ts';
import { count, countFailure, createTally, totalSent, type Tally } from './tally.ts';
import { createWorld, renewWorld, type World } from './world.ts';

const LANES = 48;
/** The run ends after this many different failures, or after FAILED_SHOTS_MAX failures in total. */
const FAILURES_MAX = 20;
const FAILED_SHOTS_MAX = 1000;
const WORLD_CHECKED_EVERY_MS = 500;
const WORLD_RENEWED_AFTER_SHOTS = 10_000;

export interface RunOptions {
  readonly port: number;
  readonly url: string;
  readonly requests: number;
  readonly seed: number;
  /** No shots start after this time. */
  readonly deadlineMs: number;
  readonly alive: () => boolean;
  /** Called once everything that shots refer to exists, before the first shot. */
  readonly onReady: () => void;
  readonly onProgress: (tally: Tally) => void;
}

export async function run(options: RunOptions): Promise<Tally> {
  const tally = createTally();
  const sequence = shotsOf(options.seed);
  let world = await createWorld(options.url);
  options.onReady();
  let next = 0;
  const finished = new AbortController();

  const goesOn = () =>
    next < options.requests &&
    options.alive() &&
    tally.failures.size < FAILURES_MAX &&
    tally.failed < FAILED_SHOTS_MAX &&
    performance.now() < options.deadlineMs;

  async function lane(): Promise<void> {
    let kept: Connection | null = null;
    while (goesOn()) {
      const index = next;
      next += 1;
      const shot = sequence.next().value(world);
      if (shot.reusable && kept?.usable !== true) kept = null;
      const reused: boolean = shot.reusable === true && kept !== null;
      let connection: Connection = reused && kept ? kept : await Connection.open(options.port);
      let outcome = await connection.exchange(shot);
      if (reused && outcome.answers.length === 0 && outcome.closed) {
        // The kept connection closed before this shot was sent, so the shot is sent again on a new one.
        connection = await Connection.open(options.port);
        outcome = await connection.exchange(shot);
      }
      if (shot.reusable) kept = connection;
      else connection.destroy();
      record(tally, index, shot, outcome);
    }
    kept?.destroy();
  }

  async function keepWorld(): Promise<void> {
    let madeAt = 0;
    while (!finished.signal.aborted) {
      await pause(WORLD_CHECKED_EVERY_MS);
      const sent = totalSent(tally);
      const anew = sent - madeAt >= WORLD_RENEWED_AFTER_SHOTS;
      if (anew) {
        madeAt = sent;
        options.onProgress(tally);
      }
      world = await renewed(options.url, world, anew);
    }
  }

  const keeping = keepWorld();
  await Promise.all(Array.from({ length: LANES }, lane));
  finished.abort();
  await keeping;
  return tally;
}

function record(tally: Tally, index: number, shot: Shot, outcome: ExchangeOutcome): void {
  count(tally, shot, outcome);
  const problems = problemsOf(shot, outcome);
  if (problems.length > 0) countFailure(tally, { index, shot, outcome, problems });
}

/** Keeps the old world if creating another fails; the shots then show why. */
async function renewed(url: string, world: World, anew: boolean): Promise<World> {
  try {
    return await renewWorld(url, world, anew);
  } catch {
    return world;
  }
}
