import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { richProseOf, type RichBlock } from './prose.ts';

const text = (words: string) => [{ kind: 'text', text: words }];
const paragraph = (words: string) => ({ kind: 'paragraph', content: text(words) });

describe('headings', () => {
  test.each([
    ['# One', 'One'],
    ['###### Six ##', 'Six'],
    ['   ## C#', 'C#'],
    ['## a `b`', 'a '],
  ])('%j is a heading', (line, words) => {
    const [block] = richProseOf(`${line}\nafter`);
    expect(block).toMatchObject({
      kind: 'heading',
      content: [{ text: words }, ...(line.includes('`') ? [{}] : [])],
    });
  });

  test.each(['#hashtag', '####### seven', '    # code', '#'])('%j is not a heading', (line) => {
    expect(richProseOf(line)).toMatchObject([{ kind: 'paragraph' }]);
  });
});

describe('tables', () => {
  it('are parsed with their cells', () => {
    expect(
      richProseOf('Before\n| a | `b|c` |\n|:--|--:|\n| 1 \\| 2 | x |\n| only |\n| 3 | 4 | 5 |\nAfter'),
    ).toEqual([
      paragraph('Before'),
      {
        kind: 'table',
        head: [text('a'), [{ kind: 'code', text: 'b|c' }]],
        rows: [
          [text('1 | 2'), text('x')],
          [text('only'), []],
          [text('3'), text('4 | 5')],
        ],
      },
      paragraph('After'),
    ]);
    expect(richProseOf('a | b\n--|--\nc | d')).toMatchObject([{ kind: 'table' }]);
  });

  test.each(['a | b\nc | d', 'a | b\n--|--|--\nc | d', '| a\n- b | c'])('%j is not a table', (lines) => {
    expect(richProseOf(lines)).not.toContainEqual(expect.objectContaining({ kind: 'table' }));
  });
});

describe('links', () => {
  test.each([
    [
      '[a page](https://example.com/a_(b))',
      { kind: 'link', text: 'a page', address: 'https://example.com/a_(b)' },
    ],
    ['[a](https://example.com "Title")', { kind: 'link', text: 'a', address: 'https://example.com' }],
    [
      '![a diagram](https://example.com/x.png)',
      { kind: 'link', text: 'a diagram', address: 'https://example.com/x.png' },
    ],
    [
      '[https://good.example](https://bad.example)',
      { kind: 'link', text: 'https://bad.example', address: 'https://bad.example' },
    ],
    [
      '[good.example](https://bad.example)',
      { kind: 'link', text: 'https://bad.example', address: 'https://bad.example' },
    ],
  ])('%s is a link', (given, link) => {
    expect(richProseOf(given)).toEqual([{ kind: 'paragraph', content: [link] }]);
  });

  test.each([
    '[a](javascript:alert(1))',
    '[a](data:text/html,x)',
    '[a](/relative)',
    '[a](#part)',
    '[a](http:)',
    '[ ](https://example.com)',
    '<a href="https://example.com">a</a>',
    '[a](https://exa mple.com)',
  ])('%s is text', (given) => {
    expect(richProseOf(given)).toEqual([paragraph(given)]);
  });

  it('are parsed beside text and code, and never within code', () => {
    expect(richProseOf('See [a](https://a.example), `[b](https://b.example)`.')).toEqual([
      {
        kind: 'paragraph',
        content: [
          { kind: 'text', text: 'See ' },
          { kind: 'link', text: 'a', address: 'https://a.example' },
          { kind: 'text', text: ', ' },
          { kind: 'code', text: '[b](https://b.example)' },
          { kind: 'text', text: '.' },
        ],
      },
    ]);
  });
});

it('shows everything in a details element, without its tags', () => {
  expect(richProseOf('<details>\n<summary>More</summary>\n\nwords\n</details>\nafter')).toEqual([
    paragraph('More'),
    paragraph('words'),
    paragraph('after'),
  ]);
  expect(richProseOf('a <details> b')).toEqual([paragraph('a <details> b')]);
});

const pieces = fc.constantFrom(
  'a',
  'b',
  ' ',
  '\n',
  '\n',
  '`',
  '```',
  '- ',
  '1. ',
  '# ',
  '## ',
  '|',
  '|--|--|',
  '\n|-|-|\n',
  '\\|',
  '[a](',
  '](',
  ')',
  '[b](https://x.test/)',
  '<details>',
  '</summary>',
  '![',
);

it('keeps every letter of the text in order', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const given = parts
        .join('')
        .split('\n')
        .map((line) => (/`{3}/.test(line) ? line.replaceAll(/[ab]/g, '') : line))
        .join('\n');
      const letters = given
        .replaceAll(/<\/?(?:details|summary)>/g, '<>')
        .replaceAll('https://x.test/', '')
        .replaceAll(/[^ab]/g, '');
      const shown = lettersOf(richProseOf(given)).join('');
      // Everything that is not parsed as markup is shown unchanged.
      expect(shown.replaceAll(/[^ab]/g, '')).toBe(letters);
    }),
  );
});

function lettersOf(blocks: readonly RichBlock[]): string[] {
  return blocks
    .flatMap((block) => {
      if (block.kind === 'list') return block.items.flatMap(lettersOf);
      if (block.kind === 'table') return [block.head, ...block.rows].flat().map(wordsOf);
      return block.kind === 'code' ? block.text : wordsOf(block.content);
    })
    .map((words) => words.replaceAll(/<\/?(?:details|summary)>/g, '<>'));
}

const wordsOf = (content: readonly { readonly text: string }[]) => content.map((part) => part.text).join('');
