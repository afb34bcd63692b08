/** Runs scanners over a history, and counts how their findings were followed. */
import { changed, type Change, type Repository } from './changes.ts';
import { Follower, type Figures } from './follow.ts';
import type { Recorder } from './recorder.ts';
import { inManner, type Scanner } from './scanner.ts';
import type { Step } from './steps.ts';
import type { NewLine, Tree } from './tree.ts';

export interface Telling {
  readonly tree: Tree;
  readonly newLine: NewLine;
  readonly scanners: readonly Scanner[];
  readonly recorder: Recorder;
  /** The service gets one in this many reports, and the last. */
  readonly syncsOneIn?: number;
  /** Each change is made this many times, in different places. */
  readonly times?: number;
  /** The distance between the places that a change's numbers select. */
  readonly stride?: number;
}

/** @throws when no place fits a change, or a scanner fails unexpectedly. */
export async function followedThrough(
  steps: readonly Step[],
  { tree, newLine, scanners, recorder, syncsOneIn = 1, times = 1, stride = 1 }: Telling,
): Promise<Figures> {
  let repository: Repository = { tree, removed: [], changeCount: 0 };
  let flagged: ReadonlySet<number> = new Set();
  const follower = new Follower();
  const isFlagged = ({ id }: { readonly id: number }) => flagged.has(id);
  const change = (wanted: Change) => {
    const next = changed(repository, wanted, { newLine, isFlagged });
    if (next === repository) throw new Error(`There is no place to ${wanted.kind}.`);
    repository = next;
  };
  for (const [index, { title, changes = [], manner = () => ({}) }] of steps.entries()) {
    for (const { kind, at, to = at } of changes)
      for (let time = 0; time < times; time += 1)
        change({ kind, at: (at * times + time) * stride, to: (to * times + time) * stride });
    const { tree: now } = repository;
    const report = await recorder.scan(title, now, (folder) =>
      scanners.flatMap(({ log }, number) => {
        const how = manner(number);
        return how === 'missing' ? [] : [inManner(log(now, folder), how)];
      }),
    );
    for (const [number, { name }] of scanners.entries()) {
      const how = manner(number);
      const isWhole = how !== 'missing' && !('hasFailed' in how);
      if (isWhole !== report.complete.has(name))
        throw new Error(`${title}: ${name} did not run as intended.`);
    }
    // The lines of earlier reports stay flagged, for scanners that did not run this time.
    flagged = new Set([...flagged, ...report.findings.map(({ line }) => line)]);
    if (index % syncsOneIn !== 0 && index !== steps.length - 1) continue;
    follower.take(report, syncsOneIn === 1 && index > 0 ? await recorder.fixed() : []);
    await recorder.synced();
  }
  return follower.figures();
}
