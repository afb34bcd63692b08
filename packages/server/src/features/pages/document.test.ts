import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOf } from './document.ts';
import type { WebBuild } from './web-build.ts';

const files = { script: '/assets/app-1.js', styles: ['/assets/app-1.css'], preloads: ['/assets/part-1.js'] };
const build: WebBuild = {
  assetsFolder: '/nowhere',
  entries: { app: files, share: files },
  early: '/assets/early-1.js',
  icon: '/assets/icon-1.svg',
};
const OPENING = '<script type="application/json" id="first-data">';
const empty = documentOf(build, 'app', []);

/** The data in the document, and the document without it. */
function partsOf(text: string): { data: string; rest: string } {
  const from = text.indexOf(OPENING) + OPENING.length;
  const to = text.toLowerCase().indexOf('</script', from);
  return { data: text.slice(from, to), rest: `${text.slice(0, from)}[]${text.slice(to)}` };
}

const hostile = fc.constantFrom(
  '</script>',
  '</SCRIPT ',
  '<!--',
  '--><script>',
  '<script',
  ']]>',
  '&lt;',
  '\u2028',
  '\u2029',
  '\0',
  '\\',
  '"',
  '\uD800',
);
const text = fc.array(fc.oneof(hostile, anyText()), { maxLength: 6 }).map((parts) => parts.join(''));

test('[T12] first data with any text stays data, and the page reads it unchanged', () => {
  const answers = fc.array(
    fc.record({ name: fc.constant('getSession' as const), body: fc.dictionary(text, text) }),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(answers, (given) => {
      const { data, rest } = partsOf(documentOf(build, 'app', given));
      // An HTML parser leaves the element, or starts a comment, only at this character.
      expect(data).not.toContain('<');
      expect(rest).toBe(empty);
      expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(given)));
    }),
  );
});

test('the document of a page names the modules of that page as well', () => {
  const pages = {
    home: [],
    project: [],
    projects: [],
    findings: [],
    finding: [],
    report: ['/assets/report-1.js'],
  };
  const named = documentOf({ ...build, pages }, 'app', [], 'report');
  expect(named).toContain('<link rel="modulepreload" href="/assets/report-1.js">');
  expect(documentOf({ ...build, pages }, 'app', [], 'home')).toBe(empty);
});

test('a document contains no inline script, style or handler', () => {
  expect(empty.match(/<script(?![^>]* src="\/assets\/)[^>]*>/g)).toEqual([OPENING]);
  expect(empty).not.toMatch(/<style| style=| on[a-z]+=|javascript:|data:/i);
});
