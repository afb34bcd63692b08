/**
 * The code around a finding, without white space: it recognizes a line after the code around it has moved.
 */

/** A line and the nearest non-blank lines around it, all without white space. */
export interface LineContext {
  readonly line: string;
  readonly above: string;
  readonly below: string;
}

/** How far to look for a line that is not blank. */
const NEIGHBOUR_DISTANCE_MAX = 20;

/** @param lineNumber from 1. Undefined when there is no such line. */
export function contextOf(lines: readonly string[], lineNumber: number): LineContext | undefined {
  const line = lines[lineNumber - 1];
  if (line === undefined) return undefined;
  return {
    line: withoutSpace(line),
    above: neighbour(lines, lineNumber - 1, -1),
    below: neighbour(lines, lineNumber - 1, 1),
  };
}

function neighbour(lines: readonly string[], index: number, step: 1 | -1): string {
  for (let distance = 1; distance <= NEIGHBOUR_DISTANCE_MAX; distance += 1) {
    const line = withoutSpace(lines[index + distance * step] ?? '');
    if (line !== '') return line;
  }
  return '';
}

export function withoutSpace(given: string): string {
  return given.replaceAll(/\s+/g, '');
}
