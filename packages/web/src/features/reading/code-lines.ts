/** Code as lines of coloured runs. */
/** Longer code stays plain: highlighting takes quadratic time for some texts. */
export const COLOURED_LENGTH_MAX = 4000;

export type Colour = 'keyword' | 'string' | 'number' | 'comment';

export interface Run {
  readonly text: string;
  /** Undefined for plain text. */
  readonly colour?: Colour;
}

/** A trailing line break creates no empty line. */
export function linesOfRuns(runs: readonly Run[]): readonly (readonly Run[])[] {
  const lines: Run[][] = [];
  let line: Run[] = [];
  for (const { text, ...look } of runs) {
    const [first = '', ...others] = text.split('\n');
    if (first !== '') line.push({ text: first, ...look });
    for (const other of others) {
      lines.push(line);
      line = other === '' ? [] : [{ text: other, ...look }];
    }
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
