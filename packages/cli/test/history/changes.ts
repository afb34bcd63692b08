/**
 * Changes of a repository between two scans. A change is data: its numbers select among the possible places. So any numbers
 * are a valid change, and a failing history shrinks to a short one.
 */
import path from 'node:path';
import { canGo, functionsIn, isCode, isStatement } from './code.ts';
import { spotsIn, withFile, type Line, type NewLine, type Spot, type Tree } from './tree.ts';

export const changeKinds = [
  'rename a file',
  'move a folder',
  'move a function',
  'copy a function',
  'reindent',
  'break before braces',
  'insert lines',
  'edit a neighbour',
  'fix',
  'add an equal line',
  'put back',
] as const;

export interface Change {
  readonly kind: (typeof changeKinds)[number];
  /** Modulo the number of places, the index of the place to change. */
  readonly at: number;
  /** The target, if there is a choice. */
  readonly to?: number;
}

/** A removed line, and the id of the line before it. */
interface Removed {
  readonly line: Line;
  readonly behind: number;
}

export interface Repository {
  readonly tree: Tree;
  readonly removed: readonly Removed[];
  /** A number for new, unique names. */
  readonly changeCount: number;
}

export interface Surroundings {
  readonly newLine: NewLine;
  /** Whether a scanner reports a finding in a line. */
  readonly isFlagged: (line: Line) => boolean;
}

/** The unchanged repository if no place fits the change. */
export function changed(repository: Repository, change: Change, around: Surroundings): Repository {
  const next = { ...repository, changeCount: repository.changeCount + 1 };
  const tree = makers[change.kind](next, { at: change.at, to: change.to ?? change.at, ...around });
  if (tree === undefined) return repository;
  return { ...next, ...('tree' in tree ? tree : { tree }) };
}

interface Wish extends Surroundings {
  readonly at: number;
  readonly to: number;
}

type Changer = (repository: Repository, wish: Wish) => Tree | Repository | undefined;

const makers: Readonly<Record<Change['kind'], Changer>> = {
  'rename a file': ({ tree, changeCount }, { at, isFlagged }) => {
    const file = chosen(codeFiles(tree, isFlagged), at);
    if (file === undefined) return undefined;
    const { dir, name, ext } = path.posix.parse(file);
    const [stem = ''] = name.split('-');
    return renamed(tree, new Map([[file, path.posix.join(dir, `${stem}-${changeCount}${ext}`)]]));
  },

  'move a folder': ({ tree, changeCount }, { at, isFlagged }) => {
    const folders = [...new Set(codeFiles(tree, isFlagged).map((file) => path.posix.dirname(file)))];
    const folder = chosen(folders, at);
    const inside = [...tree.keys()].filter((file) => path.posix.dirname(file) === folder);
    return renamed(
      tree,
      new Map(inside.map((file) => [file, `moved-${changeCount}/${path.posix.basename(file)}`])),
    );
  },

  'move a function': ({ tree }, { at, to, isFlagged }) => {
    const found = chosen(flaggedFunctions(tree, isFlagged), at);
    if (found === undefined) return undefined;
    const target = chosen(othersLike(tree, found.file), to);
    if (target === undefined) return undefined;
    const lines = tree.get(found.file) ?? [];
    const rest = lines.toSpliced(found.start, found.end - found.start);
    const moved = [...(tree.get(target) ?? []), ...lines.slice(found.start, found.end)];
    return withFile(withFile(tree, found.file, rest), target, moved);
  },

  // Copies the function under another name, as people do.
  'copy a function': ({ tree, changeCount }, { at, to, isFlagged, newLine }) => {
    const found = chosen(flaggedFunctions(tree, isFlagged), at);
    if (found === undefined) return undefined;
    const target = chosen([found.file, ...othersLike(tree, found.file)], to) ?? found.file;
    const [head, ...body] = (tree.get(found.file) ?? []).slice(found.start, found.end);
    if (head === undefined) return undefined;
    const copied = [head.text.replace(/\w+(?=\s*\()/, `$&_${changeCount}`), ...body.map(({ text }) => text)];
    return withFile(tree, target, [...(tree.get(target) ?? []), ...copied.map((text) => newLine(text))]);
  },

  reindent: ({ tree }, { at, isFlagged }) => {
    const file = chosen(codeFiles(tree, isFlagged), at);
    if (file === undefined) return undefined;
    const lines = tree.get(file) ?? [];
    const hasTabs = lines.some(({ text }) => text.startsWith('\t'));
    const from = hasTabs ? /^\t+/ : /^ +/;
    const space = (indent: string) =>
      hasTabs ? '    '.repeat(indent.length) : '\t'.repeat(Math.ceil(indent.length / 4));
    return withFile(
      tree,
      file,
      lines.map((line) => ({ ...line, text: line.text.replace(from, space) })),
    );
  },

  'break before braces': ({ tree }, { at, isFlagged, newLine }) => {
    const file = chosen(codeFiles(tree, isFlagged), at);
    if (file === undefined) return undefined;
    const lines = (tree.get(file) ?? []).flatMap((line) => {
      const [, indent = '', head] = /^(\s*)(.*\)) \{$/.exec(line.text) ?? [];
      if (head === undefined || isFlagged(line) || !isStatement(line.text)) return [line];
      return [{ ...line, text: `${indent}${head}` }, newLine(`${indent}{`)];
    });
    return withFile(tree, file, lines);
  },

  'insert lines': ({ tree, changeCount }, { at, to, newLine }) => {
    const spot = chosen(spotsIn(tree).filter(isAfterStatement), at);
    if (spot === undefined) return undefined;
    const count = 1 + (to % 3);
    const added = Array.from({ length: count }, (_, index) =>
      newLine(`${indentOf(spot.line.text)}/* unrelated ${changeCount}.${index} */`),
    );
    return inserted(tree, spot, added);
  },

  'edit a neighbour': ({ tree, changeCount }, { at, to, isFlagged }) => {
    const step = to % 2 === 0 ? -1 : 1;
    const neighbours = flaggedIn(tree, isFlagged).flatMap(({ file, index: flagged }) => {
      const lines = tree.get(file) ?? [];
      let index = flagged + step;
      while (lines[index]?.text.trim() === '') index += step;
      const line = lines[index];
      return line && !isFlagged(line) && isStatement(line.text) ? [{ file, index, line }] : [];
    });
    const spot = chosen(neighbours, at);
    if (spot === undefined) return undefined;
    const edited = { ...spot.line, text: `${spot.line.text} /* ${changeCount} */` };
    return withFile(tree, spot.file, (tree.get(spot.file) ?? []).with(spot.index, edited));
  },

  fix: ({ removed, tree, ...rest }, { at, to, isFlagged, newLine }) => {
    const places = flaggedIn(tree, isFlagged).filter(
      (spot) => canGo(tree.get(spot.file) ?? [], spot.index) && isApart(tree, spot),
    );
    const spot = chosen(places, at);
    if (spot === undefined) return undefined;
    const lines = tree.get(spot.file) ?? [];
    const instead = to % 2 === 0 ? [] : [newLine(`${indentOf(spot.line.text)}0;`)];
    return {
      ...rest,
      tree: withFile(tree, spot.file, lines.toSpliced(spot.index, 1, ...instead)),
      removed: [...removed, { line: spot.line, behind: lines[spot.index - 1]?.id ?? 0 }],
    };
  },

  'add an equal line': ({ tree }, { at, to, isFlagged, newLine }) => {
    const flagged = chosen(
      flaggedIn(tree, isFlagged).filter(({ file, index }) => canGo(tree.get(file) ?? [], index)),
      at,
    );
    if (flagged === undefined) return undefined;
    const text = flagged.line.text.trim();
    const places = spotsIn(tree).filter(
      (spot) => path.extname(spot.file) === path.extname(flagged.file) && isAfterStatement(spot),
    );
    const place = chosen(
      places.filter((spot) => !neighboursOf(tree, spot.file, spot.index, spot.index + 1).includes(text)),
      to,
    );
    return place && inserted(tree, place, [newLine(`${indentOf(place.line.text)}${text}`)]);
  },

  'put back': ({ removed, tree, ...rest }, { at }) => {
    const back = chosen(removed, at);
    const spot = back && spotsIn(tree).find(({ line }) => line.id === back.behind);
    if (back === undefined || spot === undefined) return undefined;
    return {
      ...rest,
      tree: inserted(tree, spot, [back.line]),
      removed: removed.filter((each) => each !== back),
    };
  },
};

function chosen<Item>(items: readonly Item[], number: number): Item | undefined {
  return items[number % Math.max(1, items.length)];
}

function renamed(tree: Tree, names: ReadonlyMap<string, string>): Tree {
  return new Map([...tree].map(([file, lines]) => [names.get(file) ?? file, lines]));
}

function othersLike(tree: Tree, file: string): string[] {
  return [...tree.keys()].filter((other) => other !== file && path.extname(other) === path.extname(file));
}

/** Functions with a finding in them. Changes of other functions have no effect on findings. */
function flaggedFunctions(tree: Tree, isFlagged: Surroundings['isFlagged']) {
  return codeFiles(tree, isFlagged).flatMap((file) => {
    const lines = tree.get(file) ?? [];
    const ranges = functionsIn(lines).filter(({ start, end }) => lines.slice(start, end).some(isFlagged));
    return ranges.map((range) => ({ file, ...range }));
  });
}

function codeFiles(tree: Tree, isFlagged: Surroundings['isFlagged']): string[] {
  return [...tree].flatMap(([file, lines]) => (isCode(file) && lines.some(isFlagged) ? [file] : []));
}

function flaggedIn(tree: Tree, isFlagged: (line: Line) => boolean): Spot[] {
  return spotsIn(tree).filter(({ line }) => isFlagged(line));
}

function inserted(tree: Tree, { file, index }: Spot, lines: readonly Line[]): Tree {
  return withFile(tree, file, (tree.get(file) ?? []).toSpliced(index + 1, 0, ...lines));
}

function indentOf(text: string): string {
  return /^\s*/.exec(text)?.[0] ?? '';
}

function isAfterStatement({ file, line }: Spot): boolean {
  return isCode(file) && isStatement(line.text);
}

/** Whether no neighbour equals the line. If one of two equal neighbours is removed, the text does not show which. */
function isApart(tree: Tree, { file, index, line }: Spot): boolean {
  return !neighboursOf(tree, file, index, index).includes(line.text.trim());
}

/**
 * The nearest lines that are not blank, above and below the line at `index`. If `from` is `index + 1`: above and below
 * the gap after it.
 */
function neighboursOf(tree: Tree, file: string, index: number, from: number): string[] {
  const texts = (tree.get(file) ?? []).map(({ text }) => text.trim());
  const above = texts.slice(0, from === index ? index : index + 1).findLast((text) => text !== '');
  const below = texts.slice(from === index ? index + 1 : from).find((text) => text !== '');
  return [above ?? '', below ?? ''];
}
