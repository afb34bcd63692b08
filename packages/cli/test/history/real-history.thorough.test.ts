/**
 * Findings of real scanners are followed through a history of real code. `SVC_HISTORY_SOURCES` names a folder of C and
 * JavaScript files, `SVC_HISTORY_ESLINT` a `node_modules` with ESLint and `@microsoft/eslint-formatter-sarif`; flawfinder
 * and clang are found on the search path.
 */
import { beforeEach, expect, test } from 'vitest';
import { createMachine, type Machine } from '../svc.ts';
import { followedThrough } from './histories.ts';
import { realScanners, sources, whatIsMissing } from './real-scanners.ts';
import { recorderOf } from './recorder.ts';
import { withoutSnippets, withSnippets } from './scanner.ts';
import { steps } from './steps.ts';
import { lineMaker, treeOf, type Tree } from './tree.ts';

const missing = whatIsMissing();
const where = missing === undefined ? '' : ` (skipped: ${missing})`;
if (missing !== undefined) process.stdout.write(`The history of real code is skipped: ${missing}.\n`);

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine();
  return () => machine[Symbol.asyncDispose]();
});

test.skipIf(missing !== undefined).each(['with', 'without'])(
  `[D26] findings of three real scanners %s snippets are followed through real code${where}`,
  async (snippets) => {
    const scanners = realScanners.map(({ name, log }) => ({
      name,
      log: (tree: Tree, folder: string) => {
        const written = log(tree, folder);
        return snippets === 'with' ? withSnippets(written, tree, folder) : withoutSnippets(written);
      },
    }));
    const newLine = lineMaker();
    const tree = treeOf(sources(), newLine);
    const recorder = recorderOf(machine);
    const figures = await followedThrough(steps, {
      tree,
      newLine,
      scanners,
      recorder,
      times: 3,
      stride: 7919,
    });
    const { merges, splits, followed, scans, wronglyFixed } = figures;
    process.stdout.write(
      `${scans} scans ${snippets} snippets: ${followed} findings followed, ${merges.length} wrong merges, ${splits.length} wrong splits\n${splits.map((split) => `${split}\n`).join('')}`,
    );
    expect({ merges, wronglyFixed }).toEqual({ merges: [], wronglyFixed: [] });
    expect(splits.length / followed < 0.02 ? [] : splits.slice(0, 100)).toEqual([]);
    expect(scans).toBeGreaterThanOrEqual(15);
  },
);
