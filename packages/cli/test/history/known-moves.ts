/**
 * What git would report about the lines and files between two states of a repository, computed from the ids of the lines.
 */
import type { LineNow, MatchOptions } from '@svc/report';
import type { Line, Tree } from './tree.ts';

export function knownMoves(before: Tree, now: Tree): MatchOptions {
  const renamed = renamedFiles(before, now);
  return {
    renamed,
    lineNow: (file, number) =>
      lineNow(before.get(file) ?? [], now.get(renamed.get(file) ?? file) ?? [], number),
  };
}

function lineNow(olds: readonly Line[], news: readonly Line[], number: number): LineNow {
  const indexOf = (old: Line | undefined) =>
    news.findIndex(({ id, text }) => id === old?.id && text.trim() === old.text.trim());
  const index = indexOf(olds[number - 1]);
  if (index >= 0) return index + 1;
  const above = olds.slice(0, number - 1).findLast((line) => indexOf(line) >= 0);
  const below = olds.slice(number).find((line) => indexOf(line) >= 0);
  return { first: indexOf(above) + 2, last: below === undefined ? news.length : indexOf(below) };
}

/** Deleted files, each with the new file that contains more than half of its lines. */
function renamedFiles(before: Tree, now: Tree): Map<string, string> {
  const renamed = new Map<string, string>();
  const added = [...now].filter(([file]) => !before.has(file));
  for (const [file, lines] of before) {
    if (now.has(file)) continue;
    const ids = new Set(lines.map(({ id }) => id));
    const successor = added.find(
      ([, candidates]) => candidates.filter(({ id }) => ids.has(id)).length * 2 > lines.length,
    );
    if (successor) renamed.set(file, successor[0]);
  }
  return renamed;
}
