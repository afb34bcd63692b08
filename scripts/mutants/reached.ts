// Records which test files reach which fault, and how long each file takes, in one run of the suite without any fault.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runTests } from './run-program.ts';
import type { Tree } from './tree.ts';

const SUITE_SECONDS_MAX = 3600;

export interface Reached {
  /** The test files that reach a fault, by its number. */
  readonly files: ReadonlyMap<number, ReadonlySet<string>>;
  readonly secondsOf: ReadonlyMap<string, number>;
  /** Test files that fail in a copy without any fault. They prove nothing and are left out. */
  readonly failed: readonly string[];
}

/** Each copy runs its part of the suite, all at the same time. */
export async function recordReached(trees: readonly Tree[]): Promise<Reached> {
  await Promise.all(
    trees.map((tree, index) => {
      writeFileSync(path.join(tree.switchFolder, 'active'), '0');
      const words = [
        // A process records each fault once, so every file needs a process of its own.
        '--isolate',
        `--shard=${index + 1}/${trees.length}`,
        '--reporter=./scripts/mutants/reached-reporter.ts',
      ];
      return runTests(tree, words, SUITE_SECONDS_MAX);
    }),
  );
  const failed = trees.flatMap((tree) => linesOf(tree, 'failed'));
  const files = new Map<number, Set<string>>();
  for (const line of trees.flatMap((tree) => linesOf(tree, 'reached'))) {
    const [number, file] = line.split(' ', 2);
    if (!file || failed.includes(file)) continue;
    files.set(Number(number), (files.get(Number(number)) ?? new Set()).add(file));
  }
  const seconds = trees
    .flatMap((tree) => linesOf(tree, 'seconds'))
    .map((line) => line.split(' ', 2))
    .map(([file = '', taken]) => [file, Number(taken)] as const);
  return { files, secondsOf: new Map(seconds), failed };
}

function linesOf({ switchFolder }: Tree, name: string): string[] {
  const file = path.join(switchFolder, name);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
