/** A model of a repository. Each line has a text, and an id that stays when the line moves or its text changes. */

export interface Line {
  readonly id: number;
  readonly text: string;
}

/** The lines of each file, by its path from the root, with forward slashes. */
export type Tree = ReadonlyMap<string, readonly Line[]>;

/** Creates lines that are unique in a history. */
export type NewLine = (text: string) => Line;

export function lineMaker(): NewLine {
  let last = 0;
  return (text) => {
    last += 1;
    return { id: last, text };
  };
}

export function treeOf(files: Readonly<Record<string, string>>, newLine: NewLine): Tree {
  return new Map(
    Object.entries(files).map(([file, text]) => [file, text.replace(/\n$/, '').split('\n').map(newLine)]),
  );
}

export function textOf(lines: readonly Line[]): string {
  return `${lines.map(({ text }) => text).join('\n')}\n`;
}

/** The texts of a file's lines, as the import reads them. */
export function textsOf(tree: Tree, file: string): readonly string[] | undefined {
  return tree.get(file)?.map(({ text }) => text);
}

export interface Spot {
  readonly file: string;
  readonly index: number;
  readonly line: Line;
}

export function spotsIn(tree: Tree): Spot[] {
  return [...tree].flatMap(([file, lines]) => lines.map((line, index) => ({ file, index, line })));
}

export function withFile(tree: Tree, file: string, lines: readonly Line[]): Tree {
  return new Map([...tree, [file, lines]]);
}
