/** Findings of simulated scanners are followed through the history of a repository. */
import { inLane } from '@svc/testkit/lane';
import { beforeEach, expect, test } from 'vitest';
import { createMachine, type Machine } from '../svc.ts';
import { followedThrough } from './histories.ts';
import { recorderOf } from './recorder.ts';
import { shop } from './shop.ts';
import { standInScanners as scanners } from './stand-ins.ts';
import { steps } from './steps.ts';
import { lineMaker } from './tree.ts';

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
  return () => machine[Symbol.asyncDispose]();
});

test.each(inLane([1], [1, 4]))(
  '[D26] no finding is confused with another one or counts as new when the service gets one in %i reports',
  { tags: 'repeated' },
  async (syncsOneIn) => {
    const newLine = lineMaker();
    const recorder = recorderOf(machine);
    const some = inLane(steps.slice(0, 7), steps);
    const figures = await followedThrough(some, {
      newLine,
      tree: shop(newLine),
      scanners,
      recorder,
      syncsOneIn,
    });
    expect(figures).toMatchObject({ merges: [], splits: [], wronglyFixed: [], revived: 0 });
    expect(figures.followed).toBeGreaterThan(1500);
  },
);
