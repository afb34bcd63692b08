/**
 * The prose of findings as paragraphs, lists and code: the harmless part of Markdown that writers of reports use.
 * All other Markdown, including HTML, is text here, which each renderer shows literally. Pages and the HTML export
 * also read headings, tables and links (`richProseOf`).
 *
 * The text is read line by line, as in CommonMark; items contain blocks, to a bounded depth. Time is linear in the
 * text.
 */
import { inlineOf, type ProseInline } from './prose-inline.ts';
import { languageNamed } from './languages.ts';
import { headingOf, tableAt, withoutFolds } from './prose-rich.ts';
import { linkedInline, type RichInline } from './prose-links.ts';
import { visibleText } from './visible-text.ts';

export type ProseBlock =
  | { readonly kind: 'paragraph'; readonly content: readonly ProseInline[] }
  | ProseList
  | {
      readonly kind: 'code';
      /** A language that `languages.ts` lists. */
      readonly language?: string;
      /** The lines of code, without a line end after the last. */
      readonly text: string;
    };

export interface ProseList {
  readonly kind: 'list';
  readonly ordered: boolean;
  /** The number of the first item; 1 for a list without numbers. */
  readonly start: number;
  /** Each item has at least one block. */
  readonly items: readonly (readonly ProseBlock[])[];
}

/** Blocks of prose, including those that only pages and the HTML export show. */
export type RichBlock =
  | { readonly kind: 'paragraph'; readonly content: readonly RichInline[] }
  | { readonly kind: 'heading'; readonly content: readonly RichInline[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly (readonly RichBlock[])[];
    }
  | Extract<ProseBlock, { kind: 'code' }>
  | {
      readonly kind: 'table';
      /** Rows have as many cells as the head. */
      readonly head: readonly (readonly RichInline[])[];
      readonly rows: readonly (readonly (readonly RichInline[])[])[];
    };

/** Lists within lists; deeper ones are text. */
const DEPTH_MAX = 4;

/** How a text is read: how a paragraph's text is converted, and which further blocks there are. */
interface Dialect {
  readonly inline: (text: string) => readonly RichInline[];
  readonly isRich: boolean;
}

const plain: Dialect = { inline: inlineOf, isRich: false };
const rich: Dialect = { inline: (text) => linkedInline(inlineOf(text)), isRich: true };

/** No paragraph or list is empty, and two lists of one kind are never adjacent. */
export function proseOf(text: string): readonly ProseBlock[] {
  // Without links, headings and tables, the result has the narrower type.
  return blocksOf(visibleText(text).split('\n'), 0, plain) as ProseBlock[];
}

/** Prose with headings, tables and links to web addresses, without the tags of `<details>`. */
export function richProseOf(text: string): readonly RichBlock[] {
  return blocksOf(visibleText(text).split('\n'), 0, rich);
}

function blocksOf(lines: readonly string[], depth: number, dialect: Dialect): RichBlock[] {
  const blocks: RichBlock[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const content = dialect.inline(paragraph.join('\n'));
    if (content.length > 0) blocks.push({ kind: 'paragraph', content });
    paragraph = [];
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const isPlainLine = PLAIN_LINE.test(line);
    const heading = dialect.isRich && !isPlainLine ? headingOf(line) : undefined;
    const fence = isPlainLine ? undefined : fenceOf(line);
    const marker = isPlainLine || depth >= DEPTH_MAX ? undefined : markerOf(line, paragraph.length > 0);
    const table = dialect.isRich && !fence && !marker ? tableAt(lines, at) : undefined;
    if (heading !== undefined) {
      endParagraph();
      const content = dialect.inline(heading);
      if (content.length > 0) blocks.push({ kind: 'heading', content });
      at += 1;
    } else if (fence) {
      endParagraph();
      const end = endOfCode(lines, at + 1, fence);
      blocks.push(codeOf(lines.slice(at + 1, end), fence));
      at = end + 1;
    } else if (marker) {
      endParagraph();
      const end = endOfItem(lines, at, marker);
      const [first = '', ...rest] = lines.slice(at, end);
      const item = [first.slice(marker.width), ...rest.map((other) => dedented(other, marker.width))];
      addItem(blocks, marker, blocksOf(item, depth + 1, dialect));
      at = end;
    } else if (table) {
      endParagraph();
      const cells = (row: readonly string[]) => row.map((cell) => dialect.inline(cell));
      blocks.push({ kind: 'table', head: cells(table.head), rows: table.rows.map(cells) });
      at = table.end;
    } else {
      const content = trimmed(line);
      const shown = dialect.isRich ? withoutFolds(content) : content;
      if (content === '') endParagraph();
      else if (shown === content) paragraph.push(content);
      else {
        endParagraph();
        paragraph.push(shown);
        endParagraph();
      }
      at += 1;
    }
  }
  endParagraph();
  return blocks;
}

/** The beginning of most lines: neither code nor a list. */
const PLAIN_LINE = /^[A-Za-z(]/;

function addItem(blocks: RichBlock[], { ordered, number }: Marker, item: readonly RichBlock[]): void {
  const last = blocks.at(-1);
  if (last?.kind === 'list' && last.ordered === ordered) (last.items as (readonly RichBlock[])[]).push(item);
  else blocks.push({ kind: 'list', ordered, start: number, items: [item] });
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
}

const FENCE = /^( {0,3})(`{3,}|~{3,})(.*)$/s;

function fenceOf(line: string): Fence | undefined {
  const [, indent = '', run = '', info = ''] = FENCE.exec(line) ?? [];
  if (run === '' || (run.startsWith('`') && info.includes('`'))) return undefined;
  return { mark: run.charAt(0), length: run.length, indent: indent.length, info: trimmed(info) };
}

/** The line that closes the code, or the end of the lines. */
function endOfCode(lines: readonly string[], start: number, fence: Fence): number {
  let end = start;
  while (end < lines.length && !closes(lines[end] ?? '', fence)) end += 1;
  return end;
}

function closes(line: string, { mark, length }: Fence): boolean {
  const run = trimmed(line);
  return run.length >= length && indentOf(line) < 4 && run === mark.repeat(run.length);
}

function codeOf(lines: readonly string[], { indent, info }: Fence): Extract<ProseBlock, { kind: 'code' }> {
  const [word = ''] = info.split(/[\s,{]/, 1);
  const language = languageNamed(word);
  const text = lines.map((line) => dedented(line, indent)).join('\n');
  return { kind: 'code', ...(language === undefined ? {} : { language }), text };
}

interface Marker {
  readonly ordered: boolean;
  readonly number: number;
  /** Columns from the start of the line to the content of the item. */
  readonly width: number;
}

const MARKER = /^ {0,3}(?:[-*+]|([0-9]{1,9})[.)])(?=[ \t]+[^ \t])/;

/** Within a paragraph only the number 1 begins a list: any other number can begin a line by chance. */
function markerOf(line: string, inParagraph: boolean): Marker | undefined {
  const found = MARKER.exec(line);
  // `* * *` and `- - -` are rules, not lists.
  if (!found || RULE.test(line)) return undefined;
  const number = found[1] === undefined ? 1 : Number(found[1]);
  if (inParagraph && number !== 1) return undefined;
  const [marker] = found;
  const spaces = line.slice(marker.length).search(/[^ ]/);
  return {
    ordered: found[1] !== undefined,
    number,
    width: marker.length + (spaces > 4 ? 1 : Math.max(1, spaces)),
  };
}

const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,})$/;

/** The first line after the item: neither indented nor a continuation of its paragraph. */
function endOfItem(lines: readonly string[], start: number, { width }: Marker): number {
  let code = fenceOf(trimmed(lines[start]?.slice(width) ?? ''));
  let inParagraph = code === undefined;
  let end = start + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const content = trimmed(line);
    if (content === '') {
      inParagraph = false;
      continue;
    }
    const goesOn = inParagraph && !fenceOf(line) && !markerOf(line, false);
    if (indentOf(line) < width && !goesOn) break;
    end = at + 1;
    if (code) code = closes(content, code) ? undefined : code;
    else code = fenceOf(content);
    inParagraph = code === undefined && fenceOf(content) === undefined;
  }
  return end;
}

/** Columns; a tab advances to the next multiple of four. */
function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === ' ') columns += 1;
    else if (character === '\t') columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** Removes this many columns of leading space. */
function dedented(line: string, columns: number): string {
  const start = line.search(/[^ \t]/);
  if (start === -1) return line.length <= columns ? '' : line.slice(columns);
  const left = Math.max(0, indentOf(line) - columns);
  const isPlain = !line.slice(0, start).includes('\t');
  if (isPlain) return line.slice(Math.min(start, columns));
  return `${' '.repeat(left)}${line.slice(start)}`;
}

/** Removes spaces and tabs at the ends of a line; other white space is text. */
function trimmed(line: string): string {
  let start = 0;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}
