/** The structure of C and JavaScript, as far as the changes of a history need it. */
import type { Line } from './tree.ts';

export function isCode(file: string): boolean {
  return /\.(?:c|js|cjs|mjs)$/.test(file);
}

/** Whether a line ends a statement, so that a comment or another statement can follow it. */
export function isStatement(text: string): boolean {
  return /[;{}]$/.test(text) && !/^\s*(?:\*|\/\/|\/\*|#|return\b|case\b|for\b)/.test(text);
}

/** Whether the code is still valid without this line, as far as a heuristic can decide. */
export function canGo(lines: readonly Line[], index: number): boolean {
  const text = lines[index]?.text ?? '';
  const before =
    lines
      .slice(0, index)
      .findLast((line) => line.text.trim() !== '')
      ?.text.trim() ?? '';
  const isBalanced = ['()', '[]', '{}'].every(
    ([open = '', close = '']) => text.split(open).length === text.split(close).length,
  );
  const isDeclared = /^\s*(?:var|let|const|\}|\w+ \*?\w+(?:;| =))/.test(text);
  return (
    text.endsWith(';') && isStatement(text) && isBalanced && !isDeclared && /(?:[;{}]|\*\/)$/.test(before)
  );
}

interface Range {
  readonly start: number;
  /** The index of the first line after the range. */
  readonly end: number;
}

/** A function begins after the blank line before its head, and ends with a closing brace at the beginning of a line. */
export function functionsIn(lines: readonly Line[]): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  let hasBody = false;
  lines.forEach(({ text }, index) => {
    if (text.trim() === '' && !hasBody) start = index + 1;
    if (/^[^\s#/*}].*\($|^[^\s#/*}].*\)\s*\{?$|^\{/.test(text)) hasBody = true;
    if (!text.startsWith('}')) return;
    if (hasBody) ranges.push({ start, end: index + 1 });
    start = index + 1;
    hasBody = false;
  });
  return ranges;
}
