// Runs a script of a copy on this Node, in a process group of its own, and ends the whole group at its time limit.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { Tree } from './tree.ts';

const OUTPUT_CHARACTERS_MAX = 20_000;

/** @returns the exit code; null if the script took too long or a signal ended it. A file keeps its last output. */
export function runProgram(
  { folder, switchFolder, outputFile }: Tree,
  words: readonly string[],
  secondsMax: number,
): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env: { ...process.env, SVC_FAULTS: switchFolder },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
      });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), secondsMax * 1000);
    child.once('close', (code) => {
      clearTimeout(timer);
      writeFileSync(outputFile, output);
      resolve(code);
    });
  });
}

/** Uses one worker, so that one test file runs at a time. */
export function runTests(tree: Tree, words: readonly string[], secondsMax: number): Promise<number | null> {
  return runProgram(tree, ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...words], secondsMax);
}
