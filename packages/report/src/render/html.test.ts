import type { ReportProjection } from '@svc/contract';
import { describe, expect, it, test } from 'vitest';
import { fullFinding, fullProjection } from '../../test/full-projection.ts';
import {
  attribute,
  elementOf,
  elementsNamed,
  textOf,
  treeOf,
  type Element,
  type Tree,
} from '../../test/html-tree.ts';
import { renderHtml } from './html.ts';

const minimal: ReportProjection = {
  id: `rep_${'0'.repeat(26)}`,
  schemaVersion: '1.0.0',
  projectedFor: { principalType: 'anonymous' },
};

const textsOf = (tree: Tree, ...names: string[]) => elementsNamed(tree, ...names).map(textOf);
const bodyText = (html: string) => textOf(elementOf(treeOf(html), 'body')).replaceAll(/\s+/g, ' ');
const within = (element: Element) => ({ elements: treeOfElement(element), errors: [] });
const treeOfElement = (element: Element): Element[] =>
  element.childNodes.flatMap((child) => ('tagName' in child ? [child, ...treeOfElement(child)] : []));

describe('a whole projection', () => {
  const projection = fullProjection();
  const html = renderHtml(projection);
  const tree = treeOf(html);

  it('[D11] begins with the project and the verdict', () => {
    expect(textsOf(tree, 'h1')).toEqual(['shop']);
    expect(bodyText(html)).toMatch(
      /^ Security report shop No open findings 1 high finding, verified; 1 fixed\. /,
    );
  });

  it('has headings in order, without skipped levels', () => {
    const levels = elementsNamed(tree, 'h1', 'h2', 'h3', 'h4').map(({ tagName }) => Number(tagName.slice(1)));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries())
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1);
    expect(textsOf(tree, 'h2')).toEqual([
      'Summary',
      'Contents',
      'How to read this report',
      'Findings',
      'Coverage',
      'Limitations',
      'Authorization',
      'Appendix: method and machine',
    ]);
    expect(textsOf(tree, 'h4')).toEqual([
      'Impact',
      'Evidence',
      'Corroboration',
      'Secrets found',
      'Reproduction',
      'Remediation',
      'Verification plan',
      'References',
      'History',
    ]);
  });

  it('has a language, and landmarks with names', () => {
    expect(attribute(elementOf(tree, 'html'), 'lang')).toBe('en');
    const names = elementsNamed(tree, 'nav', 'section', 'article').map((part) =>
      attribute(part, 'aria-labelledby'),
    );
    for (const name of names) expect(textOf(elementOf(tree, name!))).not.toBe('');
  });

  it('has the facts of the scan and of each finding', () => {
    const facts = elementsNamed(tree, 'dl').map((list) =>
      Object.fromEntries(elementsNamed(within(list), 'div').map((pair) => pair.childNodes.map(textOf))),
    );
    expect(facts[0]).toEqual({
      Repository: 'https://git.example.test/shop',
      Commit: '0123456789abcdef on feature',
      Scanned: '2026-03-04 06:18 UTC · 1 h 12 min',
      'Prepared for': 'A reader',
    });
    expect(facts.at(-1)).toEqual({
      Effort: 'high (requested: auto)',
      Agent: 'agent 1.0.0 large',
      Tools: 'scanner 3 (4 findings)',
      Machine: 'linux x64, CLI 1.2.3',
      'Default branch': 'trunk',
      Languages: 'TypeScript',
      Files: '41',
      Methodology: 'methods 1',
      Generated: '2026-03-04 05:06 UTC',
    });
    expect(facts[2]).toEqual({
      Severity: 'High',
      Number: 'F-1',
      Verification: 'Verified',
      Status: 'Fixed verified',
      Category: 'broken access control',
      Component: 'orders api',
      Route: 'GET /orders/:id',
      Origin: 'https://shop.example.test',
      Taxonomy: 'CWE-639',
      Tags: 'access',
      'First seen': '2026-03-04 05:06 UTC',
      Fixed: '2026-03-04 05:06 UTC',
    });
  });

  it('contains every other text of the projection', () => {
    // There is no space between the texts of separate blocks.
    const bare = (text: string) => text.replaceAll(' ', '');
    const shown = bare(bodyText(html));
    for (const text of [
      'Order lookup trusts the id it is given',
      'src/orders/read.ts:40-41',
      'Source · src/orders/read.ts:39-41 · Secrets redacted',
      'The order of another account was returned.',
      'a key, generic, config.yaml:3 hmac:12',
      '2026-03-04 05:06 UTC · Applied, verified in src/a.ts Scoped.',
      `Fingerprint ${'ab'.repeat(32)}`,
      'Authentication Not the second factor. Partial',
      'All handlers were read.',
      'Nothing was run.',
      'Owner, granted by Dana, until 2026-03-04 05:06 UTC the repository',
      'Parts of this report are left out.',
      `Report rep_${'0'.repeat(26)}, schema 1.0.0`,
    ])
      expect(shown).toContain(bare(text));
  });

  it('links web addresses, and shows other references as text', () => {
    const article = within(elementOf(tree, 'F-1'));
    const links = elementsNamed(article, 'a').filter((link) => !attribute(link, 'href')?.startsWith('#'));
    expect(links.map((link) => [attribute(link, 'href'), attribute(link, 'rel'), textOf(link)])).toEqual([
      ['https://example.test/advice', 'noopener noreferrer nofollow', 'https://example.test/advice'],
    ]);
    expect(bodyText(html)).toContain('the runbook');
  });

  it('labels every block of code and makes it focusable', () => {
    const blocks = elementsNamed(tree, 'pre');
    expect(blocks.map((block) => attribute(block, 'aria-label'))).toEqual([
      'Code, F-1, evidence 1',
      'Code, F-1, corroboration 1',
    ]);
    for (const block of blocks) expect(attribute(block, 'tabindex')).toBe('0');
  });

  it('numbers the lines of code and highlights those of the finding', () => {
    const lines = tree.elements.filter((element) => attribute(element, 'data-line') !== undefined);
    expect(lines.map((line) => [line.tagName, attribute(line, 'data-line')])).toEqual([
      ['span', '39'],
      ['mark', '40'],
      ['mark', '41'],
    ]);
  });

  it('has a chart of the severities of open findings, with a title and a description', () => {
    const open = treeOf(renderHtml(fullProjection([fullFinding({ status: 'open' })])));
    const chart = open.elements.find((element) => attribute(element, 'role') === 'img')!;
    expect(attribute(chart, 'aria-labelledby')).toBe('severities-title severities-text');
    expect(textOf(elementOf(open, 'severities-title'))).toBe('Findings by severity');
    expect(textOf(elementOf(open, 'severities-text'))).toBe('1 high');
    expect(elementsNamed(within(chart), 'rect')).toHaveLength(1);
  });

  it('allows only its own style sheet', () => {
    const policy = elementsNamed(tree, 'meta').find((meta) => attribute(meta, 'http-equiv') !== undefined)!;
    expect(attribute(policy, 'content')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'$/,
    );
    expect(html).not.toMatch(/ style=|url\(|@import/);
  });
});

describe('a projection with missing parts', () => {
  it('[T15] leaves no heading, no label and no placeholder', () => {
    const html = renderHtml(minimal);
    expect(bodyText(html).trim()).toBe(`Security report Report ${minimal.id}, schema 1.0.0`);
    expect(textsOf(treeOf(html), 'h1', 'h2', 'h3', 'h4', 'dt')).toEqual(['Security report']);
    expect(textsOf(treeOf(html), 'title')).toEqual(['Security report']);
  });

  it('[T15] has no trace of a missing key', () => {
    const { evidence, corroboration, reproduction, taxonomy, tags, references, ...finding } = fullFinding();
    expect(
      [evidence, corroboration, taxonomy, tags, references].flat().length + reproduction!.length,
    ).toBeGreaterThan(5);
    const { fingerprint, secretReferences, fixHistory, firstSeenAt, fixedAt, status, ...kept } = finding;
    expect([fingerprint, secretReferences, fixHistory, firstSeenAt, fixedAt, status]).not.toContain(
      undefined,
    );
    const narrowed = {
      ...kept,
      affected: { component: 'orders' },
      evidence: [],
      remediation: '',
      verificationPlan: '',
    };
    const tree = treeOf(renderHtml({ ...minimal, findings: [narrowed] }));
    expect(textsOf(tree, 'h2', 'h4')).toEqual([
      'Summary',
      'Contents',
      'How to read this report',
      'Findings',
      'Impact',
    ]);
    const article = within(elementsNamed(tree, 'article')[0]!);
    expect(textsOf(article, 'dt')).toEqual(['Severity', 'Number', 'Verification', 'Category', 'Component']);
    expect(elementsNamed(tree, 'pre', 'time', 'code').map(textOf)).toEqual(['orders', minimal.id]);
  });

  it.each<[Partial<ReportProjection>, string]>([
    [{ findings: [], redactionNotice: 'Parts are left out.' }, 'This view has no findings.'],
    [{ findings: [] }, 'No findings.'],
    [
      { findings: [], coverageAreas: [{ id: 'a', name: 'A', status: 'covered' }] },
      'No findings in 1 of 1 areas.',
    ],
  ])('with %j has the verdict: %s', (keys, verdict) => {
    const html = renderHtml({ ...minimal, ...keys });
    expect(bodyText(html)).toContain(` Security report ${verdict} `);
    expect(textsOf(treeOf(html), 'nav', 'svg', 'article')).toEqual(keys.coverageAreas ? [''] : []);
  });
});

test('[D26] a tool with an incomplete scan is on the cover, and is not counted as an area', () => {
  const coverageAreas: ReportProjection['coverageAreas'] = [
    { id: 'secrets', name: 'Secrets', status: 'covered' },
    { id: 'tool:a', name: 'a', status: 'covered' },
    { id: 'tool:<b>', name: '<b>', status: 'not_covered', note: '<b> failed (exit code 2).' },
  ];
  const html = renderHtml({ ...minimal, findings: [], coverageAreas });
  expect(bodyText(html)).toContain(
    'No findings in 1 of 1 areas. Incomplete scan: findings of 1 tool may be missing. <b> failed (exit code 2). 1 of 1 area covered',
  );
  expect(renderHtml({ ...minimal, coverageAreas: coverageAreas.slice(0, 2) })).not.toContain(
    'Incomplete scan',
  );
});

test('findings are sorted by severity, otherwise in report order, with rows that link to them', () => {
  const severities = ['low', 'critical', 'low', 'info', 'high'] as const;
  const findings = severities.map((severity, index) => fullFinding({ id: `F-${index + 1}`, severity }));
  const tree = treeOf(renderHtml(fullProjection(findings)));
  const order = ['F-2', 'F-5', 'F-1', 'F-3', 'F-4'];
  expect(elementsNamed(tree, 'article').map((article) => attribute(article, 'id'))).toEqual(order);
  const rows = elementsNamed(within(elementOf(tree, 'nav')), 'a').map((link) => attribute(link, 'href'));
  expect(rows).toEqual(order.map((id) => `#${id}`));
});

test('prose becomes paragraphs, lists and code, and anything else stays text', () => {
  const summary =
    'One `two` **three**\nfour\n\n- five\n- six\n\n3. seven\n\n```python\nif x: pass  # <b>\n```';
  const tree = treeOf(renderHtml({ ...minimal, findings: [fullFinding({ summary })] }));
  const body = tree.elements.find((element) => attribute(element, 'class') === 'body')!;
  const [paragraph, list, numbered, code] = body.childNodes as Element[];
  expect(textOf(paragraph!)).toBe('One two **three**\nfour');
  expect(elementsNamed(within(paragraph!), 'code').map(textOf)).toEqual(['two']);
  expect([list, numbered].map((one) => one?.tagName)).toEqual(['ul', 'ol']);
  expect(attribute(numbered!, 'start')).toBe('3');
  expect(textOf(code!)).toBe('if x: pass  # <b>');
  expect(elementsNamed(within(code!), 'span').map(textOf)).toEqual(['if', 'pass', '# <b>']);
});

test('texts of either direction have dir=auto', () => {
  const projection = fullProjection([fullFinding({ title: 'مرحبا', summary: 'مرحبا' })]);
  const tree = treeOf(renderHtml(projection));
  const blocks = tree.elements.filter((element) =>
    element.childNodes.some((child) => 'value' in child && child.value === 'مرحبا'),
  );
  expect(blocks.map(({ tagName }) => tagName)).toEqual(['a', 'h3', 'p']);
  for (const block of blocks) expect(attribute(block, 'dir')).toBe('auto');
});

test('members see the link to the report and which findings are new', () => {
  const projection = fullProjection([fullFinding(), fullFinding({ id: 'F-2' })]);
  const newFindingIds = new Set(['F-2', 'F-9']);
  const reportUrl = 'https://svc.example.test/reports/1';
  const html = renderHtml(projection, { reportUrl, baseline: { newFindingIds } });
  expect(bodyText(html)).toContain('1 new since the previous report');
  const tree = treeOf(html);
  const marked = elementsNamed(tree, 'article').filter((article) =>
    textsOf(within(article), 'dt').includes('Compared'),
  );
  expect(marked.map((article) => attribute(article, 'id'))).toEqual(['F-2']);
  expect(elementsNamed(tree, 'a').map((link) => attribute(link, 'href'))).toContain(reportUrl);
  expect(bodyText(renderHtml(projection))).not.toContain('since the previous report');
});

test('[D11] a document contains each of ten thousand findings', { tags: 'thorough' }, () => {
  const findings = Array.from({ length: 10_000 }, (_, index) => fullFinding({ id: `F-${index + 1}` }));
  const html = renderHtml(fullProjection(findings));
  expect(html.match(/<article /g)).toHaveLength(10_000);
  expect(html).toContain('<main class="long">');
});

describe('Markdown in texts', () => {
  const help =
    '# Risk\n\n| a | b |\n|---|---|\n| `1` | 2 |\n\n[More](https://example.com/a)\n\n<details>\n\n![x](https://example.com/x.png)\n</details>';
  const finding = fullFinding({
    summary: '## What it is',
    remediation: help,
    tags: ['tool:Semgrep', 'rule:no-eval', 'area:src', 'other'],
  });
  const tree = treeOf(renderHtml(fullProjection([finding])));

  it('is rendered as headings, tables and links', () => {
    expect(textsOf(tree, 'h5')).toEqual(['Risk']);
    expect(textsOf(tree, 'h4')[0]).toBe('What it is');
    const table = elementsNamed(tree, 'table').find((element) => textOf(element).startsWith('ab'));
    expect(elementsNamed(within(table!), 'th', 'td').map(textOf)).toEqual(['a', 'b', '1', '2']);
    const links = elementsNamed(tree, 'a').filter((link) => /^(?:More|x)$/.test(textOf(link)));
    expect(links.map((link) => attribute(link, 'href'))).toEqual([
      'https://example.com/a',
      'https://example.com/x.png',
    ]);
    expect(elementsNamed(tree, 'img', 'details')).toEqual([]);
    expect(textOf(elementsNamed(tree, 'article')[0]!)).not.toMatch(/##|\| |<details>|\]\(/);
  });

  it('[D26] tool and rule are shown as facts, not as tags', () => {
    const facts = textsOf(tree, 'dt').map((name, index) => `${name}: ${textsOf(tree, 'dd')[index]}`);
    expect(facts).toEqual(expect.arrayContaining(['Tool: Semgrep', 'Rule: no-eval', 'Tags: other']));
  });
});
