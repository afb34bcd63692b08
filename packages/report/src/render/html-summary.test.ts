/**
 * The parts of the HTML export that people read first: what the sender says, the summary, and the table of findings.
 */
import { describe, expect, it, test } from 'vitest';
import { fullFinding, fullProjection } from '../../test/full-projection.ts';
import { elementOf, elementsNamed, textOf, treeOf, type Element, type Tree } from '../../test/html-tree.ts';
import { renderHtml } from './html.ts';

const textsOf = (tree: Tree, ...names: string[]) => elementsNamed(tree, ...names).map(textOf);
const bodyText = (html: string) => textOf(elementOf(treeOf(html), 'body')).replaceAll(/\s+/g, ' ');
const within = (element: Element) => ({ elements: treeOfElement(element), errors: [] });
const treeOfElement = (element: Element): Element[] =>
  element.childNodes.flatMap((child) => ('tagName' in child ? [child, ...treeOfElement(child)] : []));

describe('the cover of a share', () => {
  const message = 'First line <b>\nsecond';
  const cover = { message, sender: 'Ada & Co', expiresAt: '2026-03-04T05:06:07.000Z' };

  it('[D25] names the sender, the viewer, the message and the expiry before everything else', () => {
    expect(bodyText(renderHtml(fullProjection(), { cover }))).toMatch(
      /^ Prepared by Ada & Co for A reader First line <b> second Available online until 2026-03-04 05:06 UTC Security report shop /,
    );
  });

  it('[D25] is absent without a message, a sender and an expiry', () => {
    const none = { message: null, sender: null, expiresAt: null };
    expect(renderHtml(fullProjection(), { cover: none })).toBe(renderHtml(fullProjection()));
  });
});

describe('the summary', () => {
  const of = (...changes: Parameters<typeof fullFinding>[0][]) =>
    treeOf(
      renderHtml(
        fullProjection(changes.map((change, index) => fullFinding({ id: `F-${index + 1}`, ...change }))),
      ),
    );

  it('[D25] counts open, set aside and fixed findings, and lists the worst five that are open', () => {
    const open = Array.from(
      { length: 6 },
      (_, index) => ({ status: 'open', title: `Open ${index}` }) as const,
    );
    const tree = of(
      ...open,
      { status: 'accepted_risk', severity: 'critical', title: 'Accepted' },
      { status: 'fixed_verified', severity: 'low' },
    );
    const summary = within(elementsNamed(tree, 'section')[0]!);
    expect(elementsNamed(summary, 'tr').map((row) => row.childNodes.map(textOf).join(' '))).toEqual([
      'Severity Open Set aside Fixed',
      'Critical 0 1 0',
      'High 6 0 0',
      'Medium 0 0 0',
      'Low 0 0 1',
      'Info 0 0 0',
      'All 6 1 1',
    ]);
    const [worst] = elementsNamed(summary, 'ol');
    expect(elementsNamed(within(worst!), 'a').map(textOf)).toEqual([0, 1, 2, 3, 4].map((n) => `Open ${n}`));
    const texts = textsOf(tree, 'p');
    expect(texts).toContain('6 high open');
    expect(texts).toContain(
      '1 critical, 6 high and 1 low findings, all of them verified; 1 set aside, 1 fixed.',
    );
  });

  it('[D25] says what was not covered', () => {
    const summary = textOf(elementsNamed(of({}), 'section')[0]!);
    expect(summary).toContain('Areas not fully covered');
    expect(summary).toMatch(/PartialAuthentication|Partial Authentication/);
  });
});

test('[D25] a list of more than thirty findings is grouped by rule, the worst rule first', () => {
  const findings = Array.from({ length: 31 }, (_, index) =>
    fullFinding({
      id: `F-${index + 1}`,
      severity: index === 30 ? 'critical' : 'low',
      tags: index % 2 === 0 ? ['rule:no-eval'] : [],
    }),
  );
  const groups = (count: number) =>
    textsOf(treeOf(renderHtml(fullProjection(findings.slice(0, count)))), 'th').filter((text) =>
      / findings?$/.test(text),
    );
  expect(groups(31)).toEqual(['no-eval 16 findings', 'Broken access control 15 findings']);
  expect(groups(30)).toEqual([]);
});
