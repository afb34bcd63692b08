/**
 * A line of a finding and its neighbours, without white space. They identify the line after it has moved.
 */

/** A line and the nearest non-blank lines around it, all without white space. */
export interface LineContext {
  readonly line: string;
  readonly above: string;
  readonly below: string;
}

/** The lines of a file, counted from 0. */
export type Lines = Pick<readonly string[], 'at'>;

/** How far to look for a line that is not blank. */
const NEIGHBOUR_DISTANCE_MAX = 20;

/**
 * @param lineNumber counted from 1.
 * @returns undefined when there is no such line.
 */
export function contextOf(lines: Lines, lineNumber: number): LineContext | undefined {
  const line = lineNumber > 0 ? lines.at(lineNumber - 1) : undefined;
  if (line === undefined) return undefined;
  return {
    line: withoutSpace(line),
    above: neighbour(lines, lineNumber - 1, -1),
    below: neighbour(lines, lineNumber - 1, 1),
  };
}

function neighbour(lines: Lines, index: number, step: 1 | -1): string {
  for (let distance = 1; distance <= NEIGHBOUR_DISTANCE_MAX; distance += 1) {
    const at = index + distance * step;
    const line = at < 0 ? '' : withoutSpace(lines.at(at) ?? '');
    if (line !== '') return line;
  }
  return '';
}

export function withoutSpace(given: string): string {
  return given.replaceAll(/\s+/g, '');
}
