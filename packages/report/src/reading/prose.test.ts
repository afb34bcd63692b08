import { expect, it } from 'vitest';
import fc from 'fast-check';
import { proseOf, type ProseBlock } from './prose.ts';

const paragraph = (text: string): ProseBlock => ({ kind: 'paragraph', content: [{ kind: 'text', text }] });

it('parses paragraphs and keeps their line breaks', () => {
  expect(proseOf('  one\ntwo  \r\n\r\n\u2028three')).toEqual([paragraph('one\ntwo'), paragraph('three')]);
  expect(proseOf(' \n\t\n')).toEqual([]);
});

it('parses lists with their numbers and continued items', () => {
  expect(proseOf('Steps:\n1. one\n   more\nand more\n2) two\n\n- other')).toEqual([
    paragraph('Steps:'),
    {
      kind: 'list',
      ordered: true,
      start: 1,
      items: [[paragraph('one\nmore\nand more')], [paragraph('two')]],
    },
    { kind: 'list', ordered: false, start: 1, items: [[paragraph('other')]] },
  ]);
  expect(proseOf('7. seven')).toMatchObject([{ kind: 'list', ordered: true, start: 7 }]);
});

it('parses lists and code within items', () => {
  expect(proseOf('- a\n  - b\n\n  ```ts\n  \tx\n\n    y\n  ```\nafter')).toEqual([
    {
      kind: 'list',
      ordered: false,
      start: 1,
      items: [
        [
          paragraph('a'),
          { kind: 'list', ordered: false, start: 1, items: [[paragraph('b')]] },
          { kind: 'code', language: 'typescript', text: '  x\n\n  y' },
        ],
      ],
    },
    paragraph('after'),
  ]);
});

it('keeps deeply nested lists as text', () => {
  const text = JSON.stringify(proseOf('- - - - - - deep'));
  expect(text).toContain('"- - deep"');
});

it('keeps code unchanged up to its fence or the end of the text', () => {
  expect(proseOf('```\n- *x*\t \n\n````\nafter')).toEqual([
    { kind: 'code', text: '- *x*\t \n' },
    paragraph('after'),
  ]);
  expect(proseOf('~~~ mermaid\n```\nrest')).toEqual([{ kind: 'code', text: '```\nrest' }]);
  expect(proseOf('``` a`b\nx')).toMatchObject([{ kind: 'paragraph' }]);
});

it('parses code between backticks of equal number', () => {
  expect(proseOf('a `b` ``c`d`` `` ` `` `e')).toEqual([
    {
      kind: 'paragraph',
      content: [
        { kind: 'text', text: 'a ' },
        { kind: 'code', text: 'b' },
        { kind: 'text', text: ' ' },
        { kind: 'code', text: 'c`d' },
        { kind: 'text', text: ' ' },
        { kind: 'code', text: '`' },
        { kind: 'text', text: ' `e' },
      ],
    },
  ]);
});

it.each([
  ['HTML', '<b>x</b>'],
  ['a link', '[a](https://example.test)'],
  ['a heading', '# x'],
  ['a quote', '> x'],
  ['a rule', '- - -'],
  ['a rule of stars', '***'],
  ['a table', 'a | b\n--|--\nc | d'],
  ['a marker without content', '-'],
  ['a year at the start of a line', 'in\n2019. x'],
  ['an escape', '\\*x\\*'],
  ['a reference', '&lt; &#65;'],
])('parses %s as text', (_name, text) => {
  expect(proseOf(text)).toEqual([paragraph(text)]);
});

it('replaces invisible characters with their names', () => {
  expect(proseOf('a\u202eb\u0000c\u001b[0m\ud800')).toEqual([
    paragraph('a[U+202E]b[U+0000]c[U+001B][0m\ufffd'),
  ]);
});

const pieces = fc.constantFrom(
  'a',
  'b',
  ' ',
  '  ',
  '\t',
  '\n',
  '\n',
  '`',
  '``',
  '```',
  '~~~',
  '- ',
  '* ',
  '1. ',
  '2) ',
  '>',
);

it('keeps every letter of the text in order', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      // A word after a fence is the language, and not part of the text.
      const lines = parts.join('').split('\n');
      const text = lines
        .map((line) => (/`{3}|~{3}/.test(line) ? line.replaceAll(/[ab]/g, '') : line))
        .join('\n');
      expect(lettersOf(proseOf(text)).join('')).toBe(text.replaceAll(/[^ab]/g, ''));
    }),
  );
});

function lettersOf(blocks: readonly ProseBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'list') return block.items.flatMap(lettersOf);
    const text = block.kind === 'code' ? block.text : block.content.map((part) => part.text).join('');
    return text.replaceAll(/[^ab]/g, '');
  });
}
