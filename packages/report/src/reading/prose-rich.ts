/** Headings, tables and `<details>` in prose, line by line. Time is linear in the text. */

const HEADING = /^ {0,3}#{1,6}[ \t]+(?=[^ \t])/;
/** The optional `#` characters at the end of a heading. */
const CLOSING = /(?<=[ \t])#{1,32}$/;

/** The text of a heading; undefined for any other line. */
export function headingOf(line: string): string | undefined {
  const [opening] = HEADING.exec(line) ?? [];
  if (opening === undefined) return undefined;
  return line.slice(opening.length).trimEnd().replace(CLOSING, '').trimEnd();
}

export interface TableLines {
  readonly head: readonly string[];
  /** Each row has as many cells as the head. */
  readonly rows: readonly (readonly string[])[];
  /** The first line after the table. */
  readonly end: number;
}

const COLUMNS_MAX = 24;
const DELIMITER = /^:?-+:?$/;

/** The table that begins at a line: cells between bars, then one line with hyphens for each column. */
export function tableAt(lines: readonly string[], at: number): TableLines | undefined {
  const first = lines[at] ?? '';
  const second = lines[at + 1] ?? '';
  if (!first.includes('|') || !second.includes('-') || !second.includes('|')) return undefined;
  const head = cellsOf(first);
  const delimiters = cellsOf(second);
  const isTable =
    head.length === delimiters.length &&
    head.length <= COLUMNS_MAX &&
    delimiters.every((cell) => DELIMITER.test(cell));
  if (!isTable) return undefined;
  const rows: string[][] = [];
  let end = at + 2;
  for (let line = lines[end] ?? ''; line.includes('|'); line = lines[end] ?? '') {
    const cells = cellsOf(line);
    const overflow = cells.slice(head.length).join(' | ');
    const row = head.map((_, column) => cells[column] ?? '');
    const last = row.length - 1;
    // The last cell gets the content of surplus cells.
    if (overflow !== '') row[last] = `${row[last] ?? ''} | ${overflow}`;
    rows.push(row);
    end += 1;
  }
  return { head, rows, end };
}

/** Bars within code or after a backslash do not separate cells. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isCode = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '`' && (isCode || line.includes('`', at + 1))) isCode = !isCode;
    if (character === '\\' && line.charAt(at + 1) === '|') {
      cell += '|';
      at += 1;
    } else if (character === '|' && !isCode) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  cells.push(cell.trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

const FOLD = /<\/?(?:details|summary)(?: open(?:="")?)?>/gi;

/** A line without the tags of `<details>` and `<summary>`, so that everything is shown. */
export function withoutFolds(line: string): string {
  return line.startsWith('<') || line.endsWith('>') ? line.replaceAll(FOLD, '').trim() : line;
}
