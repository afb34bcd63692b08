/** With any changes to a small repository, no finding is confused with another one if git knows its lines. */
import { contextOf } from '@svc/report';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changed, changeKinds, type Change, type Repository } from './changes.ts';
import { Follower, type Figures } from './follow.ts';
import { knownMoves } from './known-moves.ts';
import { createReporter } from './reporter.ts';
import { isFlagged } from './stand-ins.ts';
import { lineMaker, spotsIn, textsOf, treeOf, type Spot, type Tree } from './tree.ts';

const texts = ['strcpy(buf, a);', 'strcpy(buf, b);', 'next(a);', '', 'sprintf(out, a);'];
const body = fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 5 });
const fileBodies = fc.array(body, { minLength: 1, maxLength: 3 });
const change = fc.record({
  kind: fc.constantFrom(...changeKinds),
  at: fc.nat({ max: 20 }),
  to: fc.nat({ max: 20 }),
});
const step = fc.array(change, { minLength: 1, maxLength: 2 });

interface Story {
  readonly files: readonly (readonly (readonly string[])[])[];
  readonly steps: readonly (readonly Change[])[];
}

const story: fc.Arbitrary<Story> = fc.record({
  files: fc.array(fileBodies, { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
});

/** One history takes as long as several cases of other properties. */
const numRuns = Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4);

test('[D26] no finding is confused with another one, and few count as new', () => {
  let [followed, splits] = [0, 0];
  fc.assert(
    fc.property(story, (given) => {
      const { figures, states } = scanned(given);
      followed += figures.followed;
      splits += figures.splits.length;
      expect(figures.merges.length === 0 ? [] : [...figures.merges, ...states]).toEqual([]);
    }),
    { numRuns },
  );
  expect(splits / followed).toBeLessThan(0.02);
});

/** Returns the files before each scan too, to explain a failure. */
function scanned({ files, steps }: Story): { readonly figures: Figures; readonly states: readonly string[] } {
  const newLine = lineMaker();
  const sources = files.map((bodies, index) => [`${'abc'[index]}/${index}.c`, sourceOf(index, bodies)]);
  const tree = treeOf(Object.fromEntries(sources) as Record<string, string>, newLine);
  let repository: Repository = { tree, removed: [], changeCount: 0 };
  const follower = new Follower();
  const reporter = createReporter();
  const states: string[] = [];
  for (const [number, changes] of [[], ...steps].entries()) {
    const { tree: before } = repository;
    for (const each of changes) {
      const next = changed(repository, each, { newLine, isFlagged });
      if (isClear(before, next.tree)) repository = next;
    }
    follower.take(reporter.report(`Scan ${number}`, repository.tree));
    states.push(`Scan ${number}, after ${JSON.stringify(changes)}\n${shown(repository.tree)}`);
  }
  return { figures: follower.figures(), states };
}

function sourceOf(file: number, bodies: readonly (readonly string[])[]): string {
  return bodies
    .map(
      (lines, number) => `void f${file}${number}(void) {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`,
    )
    .join('\n');
}

function shown(tree: Tree): string {
  return spotsIn(tree)
    .map(({ file: name, index, line }) => `${name}:${index + 1} #${line.id} ${line.text}`)
    .join('\n');
}

/**
 * A removed line and an added one are indistinguishable if they have the same text and either the same neighbours or the
 * same position.
 */
function isClear(before: Tree, now: Tree): boolean {
  const { renamed = new Map<string, string>(), lineNow = () => undefined } = knownMoves(before, now);
  const nameNow = (name: string) => renamed.get(name) ?? name;
  const olds = new Map(flaggedIn(before).map((spot) => [spot.line.id, spot]));
  const news = new Map(flaggedIn(now).map((spot) => [spot.line.id, spot]));
  const left = [...olds.values()].filter((spot) => news.get(spot.line.id)?.file !== nameNow(spot.file));
  const come = [...news.values()].filter((spot) => {
    const old = olds.get(spot.line.id);
    return old === undefined || nameNow(old.file) !== spot.file;
  });
  return !left.some((old) => {
    const place = lineNow(old.file, old.index + 1);
    const isInPlace = ({ file: name, index }: Spot) =>
      typeof place === 'object' &&
      name === nameNow(old.file) &&
      index + 1 >= place.first &&
      index + 1 <= place.last;
    return come.some(
      (found) =>
        found.line.id !== old.line.id &&
        found.line.text.trim() === old.line.text.trim() &&
        (isInPlace(found) || codeAt(now, found) === codeAt(before, old)),
    );
  });
}

function flaggedIn(tree: Tree): Spot[] {
  return spotsIn(tree).filter(({ line }) => isFlagged(line));
}

function codeAt(tree: Tree, { file: name, index }: Spot): string {
  return JSON.stringify(contextOf(textsOf(tree, name) ?? [], index + 1));
}
