import type { LineNumbers } from '../../reading/snippets.ts';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { costlyRuns } from '../../../test/costly.ts';
import { hostilePieces } from '../../../test/hostile-projections.ts';
import { attribute, elementsNamed, textOf, treeOf } from '../../../test/html-tree.ts';
import { visibleText } from '../../reading/visible-text.ts';
import { codeLanguages } from './code-languages.ts';
import { COLOURED_CHARACTERS_MAX, createCodeWriter } from './code.ts';

const languages = Object.keys(codeLanguages);
const written = (text: string, language?: string, lines?: LineNumbers) =>
  createCodeWriter()({ text, label: 'Code', language, lines }).toString();
const codeOf = (html: string) => textOf(elementsNamed(treeOf(html), 'code')[0]!);

/** The coloured parts of texts, as `colour text`. */
const samples: readonly (readonly [language: string, text: string, coloured: readonly string[]])[] = [
  ['bash', `echo "$A" # don't\nif it's; then`, ['s "$A"', "c # don't\n", 'k if', 'k then']],
  ['typescript', 'let a: string = `${b}`; // c', ['k let', 'k string', 's `${b}`', 'c // c']],
  ['python', 'def f(a):\n  return 1 # b', ['k def', 'k return', 'n 1', 'c # b']],
  ['rust', 'fn f<\'a>() -> &\'a str { "b" }', ['k fn', 's "b"']],
  ['sql', "select * FROM t WHERE a = 'b' -- c", ['k select', 'k FROM', 'k WHERE', "s 'b'", 'c -- c']],
  ['yaml', "a: don't\nb: 'c' # d", ["s 'c'", 'c # d']],
  ['json', '{"a": "b", "c": null}', ['s "b"', 'k null']],
];

describe('highlighting', () => {
  it.each(samples)('distinguishes keywords, strings and comments of %s', (language, text, coloured) => {
    const spans = elementsNamed(treeOf(written(text, language)), 'span');
    expect(spans.map((span) => `${attribute(span, 'class')} ${textOf(span)}`)).toEqual(coloured);
  });

  it.each(languages)('never changes a text of %s', (language) => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            ...hostilePieces,
            'if ',
            'x',
            '0',
            '{',
            '}',
            '/*',
            '*/',
            '//',
            '#',
            '=begin\n',
            '=end\n',
          ),
        ),
        fc.option(fc.integer({ min: 1, max: 900 })),
        (pieces, first) => {
          const text = pieces.join('');
          const lines: LineNumbers | undefined =
            first === null ? undefined : { first, marked: [first, first + 1] };
          expect(codeOf(written(text, language, lines))).toBe(visibleText(text));
        },
      ),
      { numRuns: costlyRuns() },
    );
  });

  it('leaves code plain if its language is unknown or missing', () => {
    expect(written('if (x) {}')).toContain('<code>if (x) {}</code>');
    expect(written('if (x) {}', 'constructor')).toContain('<code>if (x) {}</code>');
  });

  it('[T12] has a limit of characters for a document, and continues with code that still fits', () => {
    const write = createCodeWriter();
    const html = (text: string) => write({ text, label: 'Code', language: 'c' }).toString();
    const long = 'if '.repeat(COLOURED_CHARACTERS_MAX / 3 - 1);
    expect(html(long)).toContain('<span');
    expect(html('if (x)')).not.toContain('<span');
    expect(html('if')).toContain('<span');
  });
});

test('line ends are kept, and a trailing line break adds no line', () => {
  const html = written('a\n\nb\n', 'c', { first: 7 });
  expect(html.match(/data-line="\d+"/g)).toEqual(['data-line="7"', 'data-line="8"', 'data-line="9"']);
  expect(codeOf(html)).toBe('a\n\nb\n');
});
