// What people read in a file: comments and strings of TypeScript, and the text of Markdown. Everything else becomes NUL
// characters, so offsets and lines stay those of the file and a phrase is found across the lines of one comment.
import { parseSync } from 'oxc-parser';

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** A range from `start` up to `end`, in UTF-16 units. */
type Range = readonly [start: number, end: number];

/** Positions where a string is a name of the program. */
const NAMES = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TSLiteralType',
]);

export function proseOf(file: string, text: string): string {
  return file.endsWith('.md') ? proseOfMarkdown(text) : proseOfSource(file, text);
}

function proseOfMarkdown(text: string): string {
  const codeBlock = /^ *```[^]*?^ *```/gm;
  const code = /(`+)[^`][^]*?\1/g;
  const linkTarget = /\]\([^)\s]*\)/g;
  const tag = /<[a-z/!][^>]*>/gi;
  const emphasis = /(?<!\w)_|_(?!\w)/g;
  return text
    .replaceAll(codeBlock, hidden)
    .replaceAll(code, hidden)
    .replaceAll(linkTarget, hidden)
    .replaceAll(tag, (whole) => hiddenBut(whole, /(?<=\balt=")[^"]*/))
    .replaceAll(emphasis, ' ');
}

function proseOfSource(file: string, text: string): string {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const strings: Range[] = [];
  visit(program, (range) => strings.push(range));
  const ranges = [...comments.map(({ start, end }): Range => [start, end]), ...strings];
  let prose = '';
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start < prose.length) continue;
    prose += hidden(text.slice(prose.length, start));
    prose += text.slice(start, end).replaceAll(/`[^`\n]+`/g, hidden);
  }
  const whole = prose + hidden(text.slice(prose.length));
  // The characters that begin the lines of a comment are not part of its sentences.
  return whole.replaceAll(/^\s*(?:\/\*\*?|\/\/|\*(?!\/))/gm, (signs) => signs.replaceAll(/\S/g, ' '));
}

function visit(node: unknown, found: (range: Range) => void) {
  if (Array.isArray(node)) {
    for (const inner of node) visit(inner, found);
  } else if (isNode(node)) {
    if (NAMES.has(node.type)) {
      visit(node['declaration'], found);
      return;
    }
    if (isProse(node)) found(rangeWithin(node));
    for (const inner of Object.values(node)) visit(inner, found);
  }
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** A lower-case word, a path and similar strings are names of the program, not prose. */
function isProse(node: SyntaxNode): boolean {
  if (node.type === 'TemplateElement' || node.type === 'JSXText') return true;
  const value = node.type === 'Literal' ? node['value'] : undefined;
  return typeof value === 'string' && !/^[a-z$_@./][^\s]*$/.test(value);
}

/** Excludes the quotes of a string, so that two strings never form one phrase. */
const rangeWithin = ({ type, start, end }: SyntaxNode): Range =>
  type === 'Literal' ? [start + 1, end - 1] : [start, end];

function hidden(text: string): string {
  return text.replaceAll(/\S/g, '\0');
}

function hiddenBut(text: string, kept: RegExp): string {
  const match = kept.exec(text);
  if (match === null) return hidden(text);
  const end = match.index + match[0].length;
  return hidden(text.slice(0, match.index)) + match[0] + hidden(text.slice(end));
}
