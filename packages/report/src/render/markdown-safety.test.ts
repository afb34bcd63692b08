/**
 * Each text of a projection is replaced by a hostile one, and by a plain word. Parsed as pages parse it, the document
 * with the hostile text must have the same structure, and the same text with the hostile text in place of the word.
 */
import type { ReportProjection } from '@svc/contract';
import type { Nodes } from 'mdast';
import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costlyRuns } from '../../test/costly.ts';
import { fullProjection } from '../../test/markdown-projection.ts';
import { readingsOf, treeOf } from '../../test/markdown-readers.ts';
import { renderMarkdown } from './markdown.ts';
import { proseOf, type ProseBlock } from '../reading/prose.ts';
import { visibleLine, visibleText } from '../reading/visible-text.ts';
import { markdownProse, markdownSnippet } from '../reading/markdown-blocks.ts';

type Path = readonly (string | number)[];

/** Fields without free text: ids, times and enums. */
const notTexts = new Set([
  'id',
  'schemaVersion',
  'principalType',
  'generatedAt',
  'startedAt',
  'finishedAt',
  'effortRequested',
  'effortResolved',
  'basis',
  'expiresAt',
  'severity',
  'verification',
  'kind',
  'status',
  'firstSeenAt',
  'fixedAt',
  'at',
  'action',
]);

/** Fields with texts of several lines. */
const prose = new Set([
  'summary',
  'impact',
  'description',
  'reproduction',
  'remediation',
  'verificationPlan',
]);

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return isText(path) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, inner]) => pathsOf(inner, [...path, key]));
}

function isText(path: Path): boolean {
  if (path[0] === 'coverageAreas' || path.includes('secretReferences')) return path.at(-1) !== 'status';
  return !notTexts.has(String(path.at(-1)));
}

function withText(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((inner, index) => (index === key ? withText(inner, rest, text) : inner));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [
      name,
      name === key ? withText(inner, rest, text) : inner,
    ]),
  );
}

/** One finding is enough, since it has every field. */
const base: ReportProjection = { ...fullProjection, findings: fullProjection.findings?.slice(1, 2) ?? [] };
const paths = pathsOf(base);
const linePaths = paths.filter((path) => !prose.has(String(path.at(-1))) && path.at(-1) !== 'snippet');

function rendered(changes: readonly (readonly [Path, string])[]): string {
  const projection = changes.reduce<unknown>((value, [path, text]) => withText(value, path, text), base);
  return renderMarkdown(projection as ReportProjection, { reportUrl: 'https://svc.example/reports/rep_1' });
}

/** A unique word without special meaning for each field. */
const plainWord = (index: number) => `Qplain${index}q`;
const plainText = /Qplain([0-9]+)q/g;

const plainReadings = (fields: readonly Path[]) =>
  readingsOf(rendered(fields.map((path, index) => [path, plainWord(index)]))).readings;

const plainLines = plainReadings(linePaths);

/** Parses one document in which every single-line field has one of the texts. */
function readTogether(texts: readonly string[]) {
  const textAt = (index: number) => texts[index % texts.length] ?? '';
  const markdown = rendered(linePaths.map((path, index) => [path, textAt(index)]));
  const expected = plainLines.map(({ text, shape }) => ({
    text: text.replaceAll(plainText, (_word, index: string) => visibleLine(textAt(Number(index)))),
    shape,
  }));
  const { tree, readings } = readingsOf(markdown);
  return { readings, expected, live: liveTexts(tree) };
}

/** Text that GitHub makes active after parsing, outside of code and links. */
const alive: readonly RegExp[] = [
  /(?:^|\W)@[a-z0-9][a-z0-9-]*/i,
  /[\w.+-]+@[\w-]+\.[\w-]+/,
  /(?:^|\W)(?:[\w.-]+\/[\w.-]+)?#\d+/,
  /\bGH-\d+/i,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/,
  /:[a-z0-9+-][a-z0-9_+-]*:/i,
  /\$/,
  /https?:\/\//i,
  /\bwww\./i,
];

function liveTexts(node: Nodes): string[] {
  if (node.type === 'link') return [];
  if (node.type === 'text')
    return alive.some((expression) => expression.test(node.value)) ? [node.value] : [];
  return 'children' in node ? node.children.flatMap(liveTexts) : [];
}

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</td></table><!-- --> <?php <![CDATA[ x ]]>',
  '<a id="f-1"></a><b>x</b>',
  '<details><summary>x',
  '![x](https://evil.example/x.png)',
  '[x](javascript:alert(1)) [x][y] [x]',
  '[x]: https://evil.example "title"',
  '[^1]: note [^1]',
  '[ ] task [x] task',
  '[!NOTE] > [!WARNING]',
  '<https://evil.example> <mail@evil.example>',
  'https://evil.example/a?b=c&d=e#f (http://evil.example/a_(b)).',
  'HTTP://EVIL.EXAMPLE www.evil.example WWW.evil.example ftp://x.y',
  'mail@evil.example, xmpp:a@b.c/d mailto:a@b.c',
  '@someone @org/team (@a) "@b", _@c_ a/@d',
  '#1 org/repo#1 GH-1 gh-22, user@0123456789abcdef (#2)',
  '0123456789abcdef0123456789abcdef01234567 1234567 a1b2c3d.',
  ':smile: :+1: (:tada:) :a::b: x:y:z',
  '$x$ $$y$$ \\$z\\$ US$5 and $`a`$ `$',
  '``` a` ``b` `` c',
  '`a`b@c.d`e`',
  '# heading',
  '## # #',
  '#',
  'trailing #',
  '- item',
  '+ item',
  '* item',
  '1. item',
  '22) item',
  '-',
  '- ',
  '1.',
  '---',
  '***',
  '___',
  '===',
  '- - -',
  ':-',
  '--|--',
  ':-:|:-:',
  '> quote',
  '~~~',
  '~~struck~~ ~one~',
  '**strong** *em* __strong__ _em_ snake_case __init__ a_b_',
  '| a | b |',
  'a | b\\| c \\\\| d \\',
  '\\',
  '\\\\',
  'a\\',
  '\\`x\\`',
  '`a|b` `\\|` |`|`|',
  '&lt;b&gt; &amp; &#x41; &copy; &nbsp;x & y &',
  '*** | <b> `x` [y](z) @me #1 :smile: $z$ \\ ~~a~~ &lt; http://a.b www.c.d',
  '\u202eright to left\u2066',
  'NUL \u0000, escape \u001b[31m, delete \u007f, \u009b, half \ud800',
  'one\r\ntwo\rthree\u2028four\n\n# five\n- six\n```\nseven\n---',
  'a\n| b | c |\n| --- | --- |\n| d | e |',
  '    indented',
  '\tindented',
  '{{ liquid }} {% raw %} [[wiki]] ==mark== ^up^ :::note',
  'https://evil.example/`x`|y$z$',
  'javascript:alert(1)',
  '\ufeffmark',
  '\u00a0- item\u00a0',
];

describe('[T12] a single-line field', () => {
  it('is every text of a projection except prose and code', () => {
    const fields = linePaths.map((path) => path.filter((key) => typeof key === 'string').join('.'));
    expect([...new Set(fields)].toSorted()).toMatchInlineSnapshot(`
      [
        "authorization.grantedBy",
        "authorization.scope",
        "coverage",
        "coverageAreas.id",
        "coverageAreas.name",
        "coverageAreas.note",
        "findings.affected.component",
        "findings.affected.file",
        "findings.affected.origin",
        "findings.affected.route",
        "findings.category",
        "findings.corroboration.location",
        "findings.evidence.location",
        "findings.fingerprint",
        "findings.fixHistory.changedFiles",
        "findings.fixHistory.note",
        "findings.references",
        "findings.secretReferences.fingerprint",
        "findings.secretReferences.kind",
        "findings.secretReferences.label",
        "findings.secretReferences.location",
        "findings.tags",
        "findings.taxonomy",
        "findings.title",
        "limitations",
        "methodologyVersion",
        "project.defaultBranch",
        "project.languages",
        "project.name",
        "project.repositoryUrl",
        "projectedFor.label",
        "redactionNotice",
        "scan.agent.model",
        "scan.agent.name",
        "scan.agent.version",
        "scan.branch",
        "scan.commit",
        "scan.host.arch",
        "scan.host.cliVersion",
        "scan.host.osFamily",
        "scan.tools.name",
        "scan.tools.version",
      ]
    `);
  });

  it.each(hostile)('shows %j literally', (text) => {
    const { readings, expected, live } = readTogether([text]);
    expect(readings).toEqual(expected);
    expect(live).toEqual([]);
  });

  it('shows any text literally', () => {
    fc.assert(
      fc.property(fc.array(lines, { minLength: linePaths.length, maxLength: linePaths.length }), (texts) => {
        const { readings, expected, live } = readTogether(texts);
        expect(readings).toEqual(expected);
        expect(live).toEqual([]);
      }),
      { numRuns: costlyRuns() },
    );
  });
});

const special = fc.constantFrom(
  ...'\\`*_{}[]<>()#+-.!|~$@:&"\'=/^%;,?'.split(''),
  ' ',
  '  ',
  '\n',
  '\t',
  '\r\n',
  'a',
  'b1',
  '7',
  'www.',
  'http://',
  'a.b',
  '&lt;',
  '```',
  '$$',
  '@me',
  '#1',
  'é',
  '界',
);

const lines = fc
  .array(special, { minLength: 1, maxLength: 24 })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '' && !/^\s*https?:\/\/\S+\s*$/.test(text));

describe('[T12] prose', () => {
  it('is shown as its blocks, for any text', () => {
    fc.assert(
      fc.property(prosePieces, (text) => {
        expect(blocksIn(treeOf(`\n${markdownProse(text)}`))).toEqual(proseOf(text).map(plainBlock));
        expect(liveTexts(treeOf(`\n${markdownProse(text)}`))).toEqual([]);
      }),
    );
  });

  it.each(hostile)('is shown as its blocks: %j', (text) => {
    expect(blocksIn(treeOf(`\n${markdownProse(text)}`))).toEqual(proseOf(text).map(plainBlock));
    expect(liveTexts(treeOf(`\n${markdownProse(text)}`))).toEqual([]);
  });

  it('reads the same in both parsers within a report', () => {
    const provable = paths.filter((path) => prose.has(String(path.at(-1))));
    fc.assert(
      fc.property(fc.array(prosePieces, { minLength: 8, maxLength: 8 }), (texts) => {
        const markdown = rendered(provable.map((path, index) => [path, texts[index % texts.length] ?? '']));
        const [one, other] = readingsOf(markdown).readings.map(({ text }) => text.replaceAll(/\n+/g, '\n'));
        expect(one).toBe(other);
      }),
      { numRuns: costlyRuns() },
    );
  });
});

const prosePieces = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: special },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '\n',
          '\n\n',
          '\n- ',
          '\n1. ',
          '\n7) ',
          '\n  - ',
          '\n   ',
          '`',
          '``',
          '\n```\n',
          '\n~~~js\n',
          '\n  ```\n',
          '\n* * ',
          '> ',
        ),
      },
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => parts.join(''));

type Plain =
  | { kind: 'paragraph' | 'code'; text: string }
  | { kind: 'list'; ordered: boolean; start: number; items: Plain[][] }
  | { kind: string };

function plainBlock(block: ProseBlock): Plain {
  if (block.kind === 'code') return { kind: 'code', text: block.text };
  if (block.kind === 'paragraph')
    return { kind: 'paragraph', text: block.content.map(({ text }) => text).join('') };
  const { ordered, start, items } = block;
  return { kind: 'list', ordered, start, items: items.map((item) => item.map(plainBlock)) };
}

function blocksIn(node: Nodes): Plain[] {
  return 'children' in node ? node.children.map(blockIn) : [];
}

function blockIn(node: Nodes): Plain {
  if (node.type === 'code') return { kind: 'code', text: node.value };
  if (node.type === 'list') {
    const { ordered, start, children } = node;
    return { kind: 'list', ordered: ordered === true, start: start ?? 1, items: children.map(blocksIn) };
  }
  if (node.type !== 'paragraph') return { kind: node.type };
  const texts = node.children.map((child) =>
    child.type === 'text' || child.type === 'inlineCode' ? child.value : `<${child.type}>`,
  );
  return { kind: 'paragraph', text: texts.join('') };
}

describe('[T12] code', () => {
  const snippets = fc.oneof(
    fc
      .array(fc.oneof(special, fc.constantFrom('`````', '~~~\n', '\n```\n', '  ', '\n\n')), { maxLength: 40 })
      .map((parts) => parts.join('')),
    anyText({ maxLength: 60 }),
  );

  it('is unchanged, except for invisible characters and one trailing line break', () => {
    fc.assert(
      fc.property(snippets, (snippet) => {
        expect(treeOf(markdownSnippet(snippet, 'go'))).toMatchObject({
          children: [
            { type: 'code', lang: 'go', meta: null, value: visibleText(snippet).replace(/\n$/, '') },
          ],
        });
      }),
    );
  });

  it('stays within its fence in a report', () => {
    const codePaths = paths.filter((path) => path.at(-1) === 'snippet');
    const readings = plainReadings(codePaths);
    fc.assert(
      fc.property(
        snippets.filter((snippet) => snippet !== ''),
        (snippet) => {
          const shown = visibleText(snippet).replace(/\n$/, '');
          const markdown = rendered(codePaths.map((path) => [path, snippet]));
          const expected = readings.map(({ text, shape }) => ({
            text: text.replaceAll(plainText, () => shown),
            shape,
          }));
          expect(readingsOf(markdown).readings).toEqual(expected);
        },
      ),
      { numRuns: costlyRuns() },
    );
  });

  it.each(['mermaid', 'math', 'geojson', 'stl', 'suggestion', 'topojson', 'js title="<b>"'])(
    'never gets the language %s',
    (info) => {
      const [code] = blocksAndLanguages(markdownProse(`\`\`\`${info}\nx\n\`\`\``));
      expect([null, 'javascript']).toContain(code);
      const files = paths.filter((path) => ['location', 'file'].includes(String(path.at(-1))));
      const markdown = rendered(files.map((path) => [path, `a.${info}`]));
      expect(blocksAndLanguages(markdown)).not.toContain(info);
    },
  );

  function blocksAndLanguages(markdown: string): (string | null)[] {
    const tree = treeOf(markdown);
    const children = 'children' in tree ? tree.children : [];
    return children.flatMap((node) => (node.type === 'code' ? [node.lang ?? null] : []));
  }
});
