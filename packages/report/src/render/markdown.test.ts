import type { ReportProjection } from '@svc/contract';
import { expect, it } from 'vitest';
import { fullProjection } from '../../test/markdown-projection.ts';
import { treeOf } from '../../test/markdown-readers.ts';
import { findingOf } from '../../test/samples.ts';
import { renderMarkdown } from './markdown.ts';

const { id, schemaVersion } = fullProjection;
const bare: ReportProjection = { id, schemaVersion, projectedFor: { principalType: 'anonymous' } };
const whole = renderMarkdown(fullProjection);

function headingsOf(markdown: string): string[] {
  return markdown.split('\n').filter((line) => /^#{1,2} /.test(line));
}

it('[D11] has a heading for each part of the report, and begins with the verdict', () => {
  expect(headingsOf(whole)).toEqual([
    '# Security report: shop',
    '## Contents',
    '## Summary',
    '## Findings',
    '## Coverage',
    '## Limitations',
    '## Authorization',
    '## Scan',
  ]);
  expect(whole.split('\n').slice(2, 5)).toEqual([
    '**1 critical, 1 high open**',
    '',
    '1 critical, 1 high, 1 medium, 1 low and 1 informational findings, 1 of them verified.',
  ]);
});

it('[D11] has no section for a part that the projection lacks', () => {
  expect(renderMarkdown(bare)).toBe(`# Security report\n\nReport \`${id}\`\n`);
});

it('[D11] has a verdict for a narrowed view without findings and for a report without findings', () => {
  const { coverageAreas = [] } = fullProjection;
  const redactionNotice = 'Parts of this report are left out.';
  expect(renderMarkdown({ ...bare, findings: [], redactionNotice })).toContain(
    '\n**This view has no findings.**\n',
  );
  expect(renderMarkdown({ ...bare, findings: [], coverageAreas })).toContain(
    '\n**No findings in 1 of 3 areas.**\n',
  );
});

it('[D26] lists tools with an incomplete scan below the verdict', () => {
  const coverageAreas = [
    { id: 'secrets', name: 'Secrets', status: 'covered' },
    { id: 'tool:b', name: 'b', status: 'partial', note: '*b* could not look at everything.' },
  ] as const;
  expect(renderMarkdown({ ...bare, findings: [], coverageAreas: [...coverageAreas] })).toContain(
    '\n**No findings in 1 of 1 areas.**\n\n**Incomplete scan: findings of 1 tool may be missing.**\n\n' +
      '- \\*b\\* could not look at everything.\n',
  );
});

it('[D11] shows the link to the report and new findings only if the context has them', () => {
  const context = {
    reportUrl: 'https://svc.example/reports/rep_1',
    baseline: { newFindingIds: new Set(['F-2']) },
  };
  const markdown = renderMarkdown(fullProjection, context);
  expect(markdown).toContain('<https://svc.example/reports/rep_1>');
  expect(markdown.match(/New in this report/g)).toHaveLength(1);
  expect(whole).not.toMatch(/svc\.example|New in this report/);
});

it('has exactly one anchor for each internal link', () => {
  const links = [...whole.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
  const anchors = [...whole.matchAll(/<a id="([^"]*)">/g)].map(([, anchor]) => anchor);
  const slugs = [...whole.matchAll(/^## (\w+)$/gm)].map(([, title = '']) => title.toLowerCase());
  expect(anchors).toEqual(['f-1', 'f-2', 'f-3', 'f-4', 'f-5']);
  expect(new Set(links)).toEqual(new Set([...slugs.filter((slug) => slug !== 'contents'), ...anchors]));
  expect(links).toHaveLength(new Set(links).size);
});

it('labels code with the language of its file', () => {
  expect(whole).toContain('```typescript\napp.get(');
  const evidence = [
    { kind: 'source' as const, description: 'Here it is.', snippet: 'x', location: 'a/b.mmd:3' },
  ];
  expect(renderMarkdown({ ...bare, findings: [findingOf({ evidence })] })).toContain('```\nx\n```');
});

it('fences code with more backticks than it contains', () => {
  const evidence = [
    { kind: 'source' as const, description: 'Here it is.', snippet: 'a\n````\nb', location: 'b.md' },
  ];
  expect(renderMarkdown({ ...bare, findings: [findingOf({ evidence })] })).toContain(
    '`````\na\n````\nb\n`````',
  );
});

it.each([
  ['https://cwe.mitre.org/data/definitions/639.html', 'https://cwe.mitre.org/data/definitions/639.html'],
  ['http://a.example?b=c&d=%20#e', 'http://a.example?b=c&d=%20#e'],
  ['https://github.com@evil.example/', undefined],
  ['https://a.example/&lt;', 'https://a.example/&lt'],
  ['https://a.example/&lt;b', undefined],
  ['https://a.example/$x$', undefined],
  ['https://a.example/`x`', undefined],
  ['https://ex\u00e4mple.example/', undefined],
  ['https://[::1', undefined],
  ['https://a.example/ and more', undefined],
  ['javascript:alert(1)//https://a.example', undefined],
  ['//a.example', undefined],
])('[T12] links the reference %s to %s', (reference, url) => {
  const markdown = renderMarkdown({
    ...bare,
    findings: [findingOf({ references: [reference.replace(/&lt;$/, '&lt')] })],
  });
  const links = [...JSON.stringify(treeOf(markdown)).matchAll(/"url":("(?:[^"\\]|\\.)*")/g)]
    .map(([, json = '""']) => JSON.parse(json) as string)
    .filter((link) => !link.startsWith('#'));
  expect(links).toEqual(url === undefined ? [] : [url]);
});

it('has the same bytes for the same projection', () => {
  expect(renderMarkdown(structuredClone(fullProjection))).toBe(whole);
});

it('is readable as plain text', () => {
  const summary =
    'It is the user\u2019s own id (see `read.ts`), e.g. 3 * 4 & a snake_case - not more!\nMail a@b.c, or @team.';
  const markdown = renderMarkdown({ ...bare, findings: [findingOf({ summary })] });
  expect(markdown).toContain(
    'It is the user\u2019s own id (see `read.ts`), e.g. 3 \\* 4 & a snake_case - not more!\nMail `a@b.c`, or `@team`.',
  );
});

it('[D11] escapes headings, tables and links in texts, and shows tools and rules as facts', () => {
  const remediation = '# Risk\n\n| a | b |\n|---|---|\n\n[More](https://example.com/a)';
  const tags = ['tool:Semgrep', 'rule:no-eval', 'identity:code:0123', 'other'];
  const text = renderMarkdown({ ...bare, findings: [findingOf({ remediation, tags })] });
  expect(text).toContain('\\# Risk\n\n\\| a \\| b \\|\n\\|---\\|---\\|\n\n');
  expect(text).not.toContain('[More](');
  expect(text).toContain('- **Tool:** Semgrep\n- **Rule:** `no-eval`\n');
  expect(text).toContain('- **Tags:** `other`\n');
  expect(text).not.toContain('identity:');
});

it('[D25] has the most severe findings first', () => {
  const severities = ['low', 'critical', 'info', 'high'] as const;
  const findings = severities.map((severity, index) => findingOf({ id: `F-${index + 1}`, severity }));
  const headings = renderMarkdown({ ...bare, findings }).match(/^### .*?F-\d/gm);
  expect(headings?.map((heading) => heading.slice(-3))).toEqual(['F-2', 'F-4', 'F-1', 'F-3']);
});

it('[D25] above 1 MB has a note, and a section for each severity', () => {
  const summary = 'x'.repeat(7000);
  const findings = Array.from({ length: 160 }, (_, index) =>
    findingOf({ id: `F-${index + 1}`, severity: index % 2 === 0 ? 'low' : 'critical', summary }),
  );
  const long = renderMarkdown({ ...bare, findings });
  expect(long).toContain('> This report is longer than 1 MB');
  expect(headingsOf(long)).toEqual([
    '# Security report',
    '## Contents',
    '## Critical findings',
    '## Low findings',
  ]);
  expect(long).toContain('- [Critical findings](#critical-findings)\n  - [F-2](#f-2)');
  expect(renderMarkdown({ ...bare, findings: findings.slice(0, 100) })).not.toContain('1 MB');
});
