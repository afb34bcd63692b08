import { ReportProjection } from '@svc/contract';
import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { costlyRuns } from '../../test/costly.ts';
import { hostilePieces, polyglots, replaced, type Reach } from '../../test/hostile-projections.ts';
import { attribute, elementsNamed, textOf, treeOf, type Element } from '../../test/html-tree.ts';
import { valuesOf } from '../../test/samples.ts';
import { renderHtml } from './html.ts';
import { visibleText } from '../reading/visible-text.ts';

const tags = new Set(
  (
    'html head meta title style body header main nav section article footer figure figcaption h1 h2 h3 h4 h5 p a b bdi br code ' +
    'pre span mark time ul ol li dl div dt dd table caption thead tbody tr th td svg desc path rect circle'
  ).split(' '),
);
const attributes = new Set(
  (
    'lang charset http-equiv content name id class aria-labelledby aria-label aria-hidden role dir href rel scope tabindex ' +
    'datetime data-line start viewBox preserveAspectRatio x width height d cx cy r'
  ).split(' '),
);
const metas = ['charset', 'Content-Security-Policy', 'viewport', 'color-scheme', 'referrer', 'robots'];

/** Everything in a document that is not allowed. */
function harms(html: string): string[] {
  const tree = treeOf(html);
  const found = tree.elements.flatMap((element) => [
    ...(tags.has(element.tagName) ? [] : [element.tagName]),
    ...element.attrs.filter(({ name }) => !attributes.has(name)).map(({ name }) => name),
    ...linkHarms(element),
  ]);
  const named = elementsNamed(tree, 'meta').map(
    (meta) => attribute(meta, 'name') ?? attribute(meta, 'http-equiv') ?? meta.attrs[0]?.name,
  );
  const counts = ['html', 'head', 'style', 'body', 'main', 'h1', 'footer'].filter(
    (name) => elementsNamed(tree, name).length !== 1,
  );
  // Browsers accept noncharacters.
  const errors = tree.errors.filter((code) => code !== 'noncharacter-in-input-stream');
  return [...errors, ...found, ...counts, ...(named.join() === metas.join() ? [] : named.map(String))];
}

/** Links lead within the document, or to the web without a referrer. */
function linkHarms(element: Element): string[] {
  const href = attribute(element, 'href');
  if (href === undefined || (element.tagName === 'a' && href.startsWith('#'))) return [];
  const isReference = element.tagName === 'a' && /^https?:\/\//i.test(href);
  return isReference && attribute(element, 'rel') === 'noopener noreferrer nofollow' ? [] : [href];
}

describe('[T12] hostile text in every field', () => {
  it.each(polyglots)('does no harm: %s', (polyglot) => {
    const context = { reportUrl: polyglot, baseline: { newFindingIds: new Set(['F-1']) } };
    for (const reach of ['free texts', 'all texts'] as const satisfies readonly Reach[])
      expect(
        harms(
          renderHtml(
            replaced(() => polyglot, reach),
            context,
          ),
        ),
      ).toEqual([]);
  });

  it.each(polyglots)('is shown literally: %s', (polyglot) => {
    const texts = new Map<string, string>();
    const projection = replaced((path) => {
      const text = `${polyglot} at ${path}`;
      // The id of an area is not compared.
      if (!/coverageAreas\/\d+\/id$/.test(path)) texts.set(path, text);
      return text;
    }, 'free texts');
    const shown = textOf(elementsNamed(treeOf(renderHtml(projection)), 'body')[0]!);
    const missing = [...texts].filter(
      ([path, text]) => !shown.includes(path.endsWith('/category') ? text.replaceAll('_', ' ') : text),
    );
    expect(missing).toEqual([]);
    expect(texts.size).toBeGreaterThan(60);
  });

  it('does not change the elements of the document', () => {
    const outline = (text: string) =>
      treeOf(renderHtml(replaced(() => text, 'free texts')))
        .elements.filter(
          ({ parentNode }) => !(parentNode && 'tagName' in parentNode && parentNode.tagName === 'code'),
        )
        .map(({ tagName }) => tagName);
    const plain = outline('plain');
    for (const polyglot of polyglots.filter((text) => !text.startsWith('http')))
      expect(outline(polyglot)).toEqual(plain);
  });

  it('does no harm in any combination', () => {
    const texts = fc
      .array(fc.oneof(fc.constantFrom(...hostilePieces), anyText({ maxLength: 8 })), {
        maxLength: 8,
      })
      .map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 8 }), (some) => {
        let next = 0;
        const make = () => some[next++ % some.length]!;
        expect(harms(renderHtml(replaced(make, 'all texts'), { reportUrl: make() }))).toEqual([]);
      }),
      { numRuns: costlyRuns() },
    );
  });
});

test('[D11] any valid projection gives a safe document, the same each time', () => {
  fc.assert(
    fc.property(valuesOf(ReportProjection), (value) => {
      const projection = value as ReportProjection;
      const html = renderHtml(projection);
      expect(harms(html)).toEqual([]);
      expect(renderHtml(structuredClone(projection))).toBe(html);
    }),
    { numRuns: costlyRuns() },
  );
});

test('invisible characters are shown as code points, so that no text reverses another', () => {
  const html = renderHtml(replaced(() => 'a\u202eb\0\r\nc\ud800', 'free texts'));
  expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\0\r\ud800-\udfff]/);
  expect(html).toContain(visibleText('a\u202eb\0'));
});
