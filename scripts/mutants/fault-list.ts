// The faults of a run. They are drawn at random over the lines of the product, or read from the list of an earlier run
// and located again in the current sources.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findFaults, type Fault } from './find-faults.ts';

export interface ListedFault extends Fault {
  /** The result of the fault when the list was written. */
  readonly result: FaultResult;
}

/**
 * A fault is `caught` by a failing test, `missed` by all tests that reach it, or `unreached` if no test reaches it. It
 * is `late` if the time limit passed before all these tests had run, and `gone` if the sources no longer contain it.
 */
export const faultResults = ['caught', 'missed', 'late', 'unreached', 'gone'] as const;
export type FaultResult = (typeof faultResults)[number];

export interface FaultList {
  readonly seed: number;
  readonly faults: readonly ListedFault[];
}

/** Product code only: tests, generated files and development tools have no users. */
const PRODUCT = /^packages\/(?:contract|report|client|server|cli|web)\/src\/.+\.tsx?$/;
const TESTS = /\.test\.tsx?$|\.d\.ts$/;

function productFiles(root: string, folder: string): string[] {
  return execFileSync('git', ['ls-files', '--', folder], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => PRODUCT.test(file) && !TESTS.test(file));
}

/**
 * Draws this many faults, spread over the packages by their number of lines. No two overlap. The same seed draws the
 * same faults.
 */
export function drawFaults(root: string, folder: string, count: number, seed: number): Fault[] {
  const random = randomFrom(seed);
  const byFile = productFiles(root, folder).map((file) => {
    const source = readFileSync(path.join(root, file), 'utf8');
    return { lines: source.split('\n').length, faults: findFaults(file, source) };
  });
  const drawn: Fault[] = [];
  const usable = byFile.filter(({ faults }) => faults.length > 0);
  const lines = usable.reduce((sum, file) => sum + file.lines, 0);
  for (let tries = 0; drawn.length < count && tries < count * 50; tries += 1) {
    let at = random() * lines;
    const file = usable.find((one) => (at -= one.lines) < 0);
    const fault = file?.faults[Math.floor(random() * file.faults.length)];
    if (fault && !drawn.some((other) => overlaps(fault, other))) drawn.push(fault);
  }
  return drawn.toSorted((one, other) =>
    one.file < other.file ? -1 : one.file > other.file ? 1 : one.start - other.start,
  );
}

/** The current position of each listed fault; null where the code is gone. No two have the same position. */
export function findAllAgain(root: string, listed: readonly Fault[], folder: string): (Fault | null)[] {
  const found: Fault[] = [];
  return listed.map((fault) => {
    const again = findAgain(root, fault, folder, found);
    if (again) found.push(again);
    return again;
  });
}

/** Among equal faults in lines with the same text, finds the nearest one that is not taken yet. */
function findAgain(root: string, listed: Fault, folder: string, found: readonly Fault[]): Fault | null {
  const sources = [listed.file, ...productFiles(root, folder).filter((file) => file !== listed.file)];
  for (const file of sources) {
    const source = readIfThere(path.join(root, file));
    if (source === null || !source.includes(listed.lineText)) continue;
    const alike = findFaults(file, source).filter(
      (fault) =>
        fault.kind === listed.kind &&
        fault.lineText === listed.lineText &&
        fault.original === listed.original &&
        !found.some((other) => overlaps(fault, other)),
    );
    const [nearest] = alike.toSorted(
      (one, other) => Math.abs(one.line - listed.line) - Math.abs(other.line - listed.line),
    );
    if (nearest) return nearest;
  }
  return null;
}

function overlaps(one: Fault, other: Fault): boolean {
  return one.file === other.file && one.start < other.end && other.start < one.end;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
