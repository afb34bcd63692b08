import { exportFormats } from '@svc/contract';
import { expect, it } from 'vitest';
import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { AT } from '../../test/samples.ts';
import { contentDispositionOf, contentTypes, fileNameOf } from './file-name.ts';

const nameOf = (name: string) => fileNameOf({ project: { name }, generatedAt: AT }, 'html');

it('[D11] names an export by its project and date', () => {
  const projection = { project: { name: 'Shop Front' }, generatedAt: '2026-03-04T23:59:59.999Z' };
  expect(exportFormats.map((format) => fileNameOf(projection, format))).toEqual([
    'report-shop-front-2026-03-04.html',
    'report-shop-front-2026-03-04.json',
    'report-shop-front-2026-03-04.md',
    'report-shop-front-2026-03-04.sarif',
  ]);
});

it('[D11] names an export without project and date if one of them is missing', () => {
  expect(fileNameOf({}, 'markdown')).toBe('report.md');
  expect(fileNameOf({ generatedAt: AT }, 'markdown')).toBe('report.md');
  expect(fileNameOf({ project: { name: 'shop' } }, 'markdown')).toBe('report.md');
});

it.each([
  ['Żółć & Øresund Straße', 'zolc-oresund-strasse'],
  ['ﬁne ① İstanbul ḊỌT', 'fine-1-istanbul-dot'],
  ['@scope/name.js', 'scope-name-js'],
  ['…', 'project'],
  ['..', 'project'],
  ['', 'project'],
  ['日本語', 'project'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a"\r\nSet-Cookie: b=c', 'a-set-cookie-b-c'],
  ['NUL', 'nul'],
  ['a\u202Egpj.exe\u0000', 'a-gpj-exe'],
])('[T12] turns the project name %j into %s', (name, slug) => {
  expect(nameOf(name)).toBe(`report-${slug}-2026-03-04.html`);
});

it('cuts a long name between words, and a long word anywhere', () => {
  expect(nameOf(`${'a'.repeat(50)} bbbbb ccccc`)).toBe(`report-${'a'.repeat(50)}-bbbbb-2026-03-04.html`);
  expect(nameOf('a'.repeat(61))).toBe(`report-${'a'.repeat(60)}-2026-03-04.html`);
});

const names = fc.oneof(
  anyText({ maxLength: 200 }),
  fc
    .array(fc.constantFrom('a', 'É', '"', '\\', '/', '.', '\r\n', ';', '%0d', ' ', 'con', '\u202e'), {
      maxLength: 50,
    })
    .map((parts) => parts.join('')),
);

it('[T12] gives a name of safe characters and bounded length for any project', () => {
  fc.assert(
    fc.property(names, fc.constantFrom(...exportFormats), (name, format) => {
      const fileName = fileNameOf({ project: { name }, generatedAt: AT }, format);
      expect(fileName).toMatch(/^report-[a-z0-9]+(?:-[a-z0-9]+)*-2026-03-04\.(?:html|json|md|sarif)$/);
      expect(fileName.length).toBeLessThanOrEqual('report--2026-03-04.sarif'.length + 60);
      expect(contentDispositionOf(fileName)).toBe(`attachment; filename="${fileName}"`);
    }),
  );
});

it('[T12] gives a well-formed download header for any name', () => {
  fc.assert(
    fc.property(names, (name) => {
      expect(contentDispositionOf(name)).toMatch(/^attachment; filename="[0-9A-Za-z._-]*"$/);
    }),
  );
});

it('leaves out an invalid date', () => {
  expect(fileNameOf({ project: { name: 'a' }, generatedAt: '"\r\n' }, 'json')).toBe('report.json');
});

it('states the character set of a download', () => {
  for (const format of exportFormats) expect(contentTypes[format]).toMatch(/^[a-z]+\/[a-z]+; charset=utf-8$/);
});
