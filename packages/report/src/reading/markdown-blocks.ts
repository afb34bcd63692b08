/**
 * Blocks of Markdown: prose, code and tables. A block does not end with a line break; an empty line separates blocks.
 */
import { longestRun, markdownInline } from './markdown-text.ts';
import { proseOf, type ProseBlock, type ProseList } from './prose.ts';
import { visibleText } from './visible-text.ts';

/** One function for all calls: V8 would compile one of each call again for each export. */
const isFilled = (block: string) => block !== '';

export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter(isFilled).join('\n\n');
}

/** A text in the Markdown subset of finding texts. */
export function markdownProse(text: string): string {
  return joinBlocks(proseOf(text).map(blockOf));
}

/** Code, verbatim; a line end after its last line adds no empty line. */
export function markdownSnippet(text: string, language?: string): string {
  const visible = visibleText(text);
  return fenced(visible.endsWith('\n') ? visible.slice(0, -1) : visible, language);
}

/** Cells are Markdown that is valid in a cell. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}${text === '' ? '' : '\n'}${fence}`;
}

function blockOf(block: ProseBlock): string {
  if (block.kind === 'paragraph') return markdownInline(block.content, { atLineStart: true });
  return block.kind === 'code' ? fenced(block.text, block.language) : listOf(block);
}

/** The greatest number that an item may have. */
const NUMBER_MAX = 999_999_999;

function listOf(list: ProseList): string {
  const between = isTight(list) ? '\n' : '\n\n';
  return list.items
    .map((item, index) => {
      const number = Math.min(list.start + index, NUMBER_MAX);
      const marker = list.ordered ? `${number}. ` : '- ';
      return `${marker}${indented(item.map(blockOf).join(between), marker.length)}`;
    })
    .join(between);
}

/**
 * A list of short items needs no empty lines. Directly below text, a list is recognized only if its numbers begin at 1.
 */
function isTight({ items }: ProseList): boolean {
  return items.every(
    ([first, second, ...others]) =>
      first?.kind === 'paragraph' &&
      (second === undefined || (second.kind === 'list' && second.start === 1 && isTight(second))) &&
      others.length === 0,
  );
}

/** Indents all lines except the first one and empty ones. */
function indented(text: string, columns: number): string {
  return text.replaceAll(/\n(?!\n)/g, `\n${' '.repeat(columns)}`);
}
