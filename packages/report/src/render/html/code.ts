/**
 * Code with keywords, strings and comments in colour, and with the numbers of its lines where they are known.
 *
 * The coloured part is bounded by characters, never by time: the same report is rendered the same way on any
 * machine. A document colours its code in order, so first that of its most severe findings. Code that exceeds what is
 * left of the limit is plain.
 */
import type { LineNumbers } from '../../reading/snippets.ts';
import { SugarHigh, tokenize } from 'sugar-high/core';
import { visibleText } from '../../reading/visible-text.ts';
import { codeLanguages } from './code-languages.ts';
import { constantMarkup, escaped, markup, type Html } from './template.ts';

/** The limit for one document. */
export const COLOURED_CHARACTERS_MAX = 60_000;

export interface CodeBlock {
  readonly text: string;
  /** A label for screen readers, which names the finding and the list that the code is in. */
  readonly label: string;
  /** A language of `languages.ts`. */
  readonly language?: string | undefined;
  readonly lines?: LineNumbers | undefined;
}

export type CodeWriter = (block: CodeBlock) => Html;

/** A run of text of one colour, or plain. */
interface Run {
  readonly text: string;
  readonly colour?: string | undefined;
}

const colours: Readonly<Partial<Record<string, string>>> = {
  keyword: 'k',
  string: 's',
  comment: 'c',
  class: 'n',
};

/** Creates the writer for one document, since the limit of coloured characters applies to the document. */
export function createCodeWriter(): CodeWriter {
  let left = COLOURED_CHARACTERS_MAX;
  return ({ text, label, language, lines }) => {
    const shown = visibleText(text);
    const options = codeLanguages[language ?? ''];
    const isColoured = options !== undefined && shown.length <= left;
    if (isColoured) left -= shown.length;
    const runs = isColoured ? runsOf(tokenize(shown, options)) : [{ text: shown }];
    const code = constantMarkup(lines ? numbered(runs, lines) : runs.map(runMarkup).join(''));
    return markup`<pre tabindex="0" role="group" aria-label="${label}"><code>${code}</code></pre>`;
  };
}

/** Merges neighbours of the same colour into one run. */
function runsOf(tokens: readonly (readonly [type: number, text: string])[]): Run[] {
  const runs: Run[] = [];
  let colour: string | undefined;
  let text = '';
  for (const [type, value] of tokens) {
    const next = colours[SugarHigh.TokenTypes[type] ?? ''];
    if (next !== colour && text !== '') {
      runs.push({ text, colour });
      text = '';
    }
    colour = next;
    text += value;
  }
  if (text !== '') runs.push({ text, colour });
  return runs;
}

function runMarkup({ text, colour }: Run): string {
  return colour === undefined ? escaped(text) : `<span class="${colour}">${escaped(text)}</span>`;
}

/** Each line is an element that contains the line's end. */
function numbered(runs: readonly Run[], { first, marked: [from, to] = [0, 0] }: LineNumbers): string {
  let code = '';
  for (const [index, line] of linesOf(runs).entries()) {
    const number = first + index;
    const element = number >= from && number <= to ? 'mark' : 'span';
    code += `<${element} class="line" data-line="${number}">${line.map(runMarkup).join('')}</${element}>`;
  }
  return code;
}

function linesOf(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [];
  let line: Run[] = [];
  for (const { text, colour } of runs) {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      line.push({ text: text.slice(from, end + 1), colour });
      lines.push(line);
      line = [];
      from = end + 1;
    }
    if (from < text.length) line.push({ text: text.slice(from), colour });
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
