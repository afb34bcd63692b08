/**
 * Text in GitHub Flavored Markdown that is shown literally.
 *
 * Punctuation with a meaning gets a backslash. That is not enough for what a page does after parsing: it searches
 * the shown text, where no backslash is left, for addresses, mentions of people, issues and commits, emoji and
 * formulas. Pages do not search code, so a word that contains one is written as code. Code shows the same characters
 * and can be copied unchanged, unlike any inserted character.
 */
import type { ProseInline } from './prose-inline.ts';
import { visibleLine } from './visible-text.ts';

export interface MarkdownContext {
  /** Where a heading, a list or a rule could begin. */
  readonly atLineStart?: boolean;
  readonly inCell?: boolean;
}

/** A text of one line. */
export function markdownLine(text: string, context: MarkdownContext = {}): string {
  return markdownInline([{ kind: 'text', text: visibleLine(text) }], context);
}

/** Several texts in one line; empty ones are left out. */
export function markdownWords(...texts: readonly (string | undefined)[]): string {
  const lines = texts.map((text = '') => visibleLine(text)).filter((line) => line !== '');
  return markdownLine(lines.join(' '));
}

/** A name, a path or a value, as code; empty for an empty text. */
export function markdownCode(text: string, context: MarkdownContext = {}): string {
  return markdownInline([{ kind: 'code', text: visibleLine(text) }], context);
}

/** @param parts code, and text whose lines have no trailing spaces */
export function markdownInline(
  parts: readonly ProseInline[],
  { atLineStart = false, inCell = false }: MarkdownContext,
): string {
  const [first] = parts;
  // The case of nearly all texts.
  if (first?.kind === 'text' && parts.length === 1 && first.text.search(SIGNS) === -1)
    return escaped(first.text, { atLineStart, inCell });
  const apart = joined(parts.flatMap(withWordsApart));
  const pieces = inCell ? apart.flatMap(withoutPipes) : apart;
  return pieces
    .map(({ kind, text }, index) =>
      kind === 'code' ? codeSpan(text) : escaped(text, { atLineStart: atLineStart && index === 0, inCell }),
    )
    .join('');
}

/**
 * An address, a mention (`@name`), an issue (`#1`, `GH-1`), an advisory, an emoji (`:name:`), a formula (`$x$`).
 * Broader than what pages recognize, since they differ and change.
 */
const LIVE = /@.|#[0-9]|\$|:\/\/|www\.|:[0-9a-z_+-]+:|\b(?:GH|CVE)-[0-9]|\bGHSA-/i;

const COMMIT = /^[0-9a-f]{7,}$/i;

function isLive(word: string): boolean {
  return (
    LIVE.test(word) || word.split(/[^0-9A-Za-z]/).some((part) => COMMIT.test(part) && /[0-9]/.test(part))
  );
}

/**
 * Every live word contains one of these. Each begins with a character that few words contain, so that the regular
 * expression can skip text without one: this takes a twentieth of the time of a search for `www.` from its beginning.
 */
const SIGNS = /[@#$:0-9]|(?<=www)\.|(?<=GHSA)-/gi;

const WORD_END = /[ \t\n]|$/g;

function withWordsApart(part: ProseInline): readonly ProseInline[] {
  const { kind, text } = part;
  if (kind === 'code' || text.search(SIGNS) === -1) return [part];
  const parts: ProseInline[] = [];
  let from = 0;
  SIGNS.lastIndex = 0;
  for (let sign = SIGNS.exec(text); sign !== null; sign = SIGNS.exec(text)) {
    const start = wordStart(text, sign.index);
    WORD_END.lastIndex = sign.index;
    const end = WORD_END.exec(text)?.index ?? text.length;
    SIGNS.lastIndex = end;
    const word = text.slice(start, end);
    if (!isLive(word)) continue;
    const core = coreOf(word);
    parts.push({ kind: 'text', text: text.slice(from, start + core.start) });
    parts.push({ kind: 'code', text: word.slice(core.start, core.end) });
    from = start + core.end;
  }
  parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !' \t\n'.includes(text.charAt(start - 1))) start -= 1;
  return start;
}

const BEFORE = '(["\'{<';
const AFTER = ')]"\'}>.,;!?';

/** Brackets, quotes and full stops around a word are not part of what a page recognizes. */
function coreOf(word: string): { readonly start: number; readonly end: number } {
  let start = 0;
  let end = word.length;
  while (start < end && BEFORE.includes(word.charAt(start))) start += 1;
  while (end > start && AFTER.includes(word.charAt(end - 1))) end -= 1;
  return { start, end };
}

/** Removes empty parts and merges neighbours of the same kind, since two spans of code can't be adjacent. */
function joined(parts: readonly ProseInline[]): readonly ProseInline[] {
  const joint: ProseInline[] = [];
  for (const part of parts) {
    const last = joint.at(-1);
    if (part.text === '') continue;
    if (last?.kind !== part.kind) joint.push(part);
    else joint[joint.length - 1] = { kind: part.kind, text: `${last.text}${part.text}` };
  }
  return joint;
}

/** Markdown parsers disagree on a pipe after a backslash within code in a table. */
function withoutPipes(part: ProseInline): readonly ProseInline[] {
  if (part.kind === 'text') return [part];
  const pieces = part.text.split(/(\|+)/);
  return joined(pieces.map((text, index) => ({ kind: index % 2 === 0 ? 'code' : 'text', text })));
}

/** A text without any of these characters needs no escaping, except at the start of a line. */
const MARKED = /[\\`*_[\]<~&#|]/;

/** Special anywhere: an underscore not within a word, `&` before a name, `#` before a word. */
const MARKS = /[\\`*[\]<~]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])|&(?=[#A-Za-z])|(?<![^ \t\n])#/g;

/** Special at the start of a line: a list, a quote, an underline, the second line of a table. */
const LINE_MARKS = /^(?:([-+=:>])|([0-9]{1,9})([.)])(?=[ \t]|$))/gm;

function escaped(text: string, { atLineStart, inCell }: Required<MarkdownContext>): string {
  const marked = MARKED.test(text)
    ? text.replaceAll(MARKS, '\\$&').replaceAll('|', inCell ? '&#124;' : '\\|')
    : text;
  if (!marked.includes('\n') && !(atLineStart && /^[-+=:>0-9]/.test(marked))) return marked;
  const start = atLineStart ? 0 : marked.indexOf('\n');
  return `${marked.slice(0, start)}${marked.slice(start).replace(LINE_MARKS, '$2\\$1$3')}`;
}

/** A formula may also be between `$` and a backtick, so the two are separated by a space, as two backticks are. */
function codeSpan(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text);
  return isPadded || /^[`$]|[`$]$/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** The longest run of backticks. */
export function longestRun(text: string): number {
  if (!text.includes('`')) return 0;
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * Characters that every parser reads alike between angle brackets. No user name before the host, since it would mislead
 * readers.
 */
const ADDRESS = /^https?:\/\/[-0-9A-Za-z.:[\]]+(?:[/?#][-0-9A-Za-z._~:/?#[\]@!&'()*+,=%]*)?$/i;

/** A link for a text that is only an address, otherwise text that may begin a line. */
export function markdownLink(text: string): string {
  return ADDRESS.test(text) && URL.canParse(text) ? `<${text}>` : markdownLine(text, { atLineStart: true });
}
