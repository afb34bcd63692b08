/** What a page loads before its first screen, which appears before a large report has loaded. */
import * as fs from 'node:fs';
import path from 'node:path';
import { findingBody, shareOf, syncReport, type SessionActor } from '@svc/testkit';
import { axeViolations } from '@svc/testkit/axe';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { lateEffects } from './late-effects.ts';

const dist = path.join(import.meta.dirname, '../dist');
const LOADED_BYTES_MAX = 150 * 1024;
/** A marker in every bundle that contains the schema library. */
const SCHEMA_MARK = '~kind';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** The files of an entry and of its static imports. */
function firstFilesOf(entry: string): readonly string[] {
  const manifest = JSON.parse(fs.readFileSync(path.join(dist, 'manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const files = new Set<string>();
  function visit(name: string): void {
    const chunk = manifest[name];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.css?.forEach((style) => files.add(style));
    chunk.imports?.forEach(visit);
  }
  visit(entry);
  expect(files.size).toBeGreaterThan(2);
  return [...files];
}

test('the scripts and styles of the share page are at most 150 KB compressed', () => {
  const sizes = firstFilesOf('src/share.tsx').map((file) => {
    const coded = path.join(dist, `${file}.br`);
    return fs.statSync(fs.existsSync(coded) ? coded : path.join(dist, file)).size;
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LOADED_BYTES_MAX);
});

test.each(['src/share.tsx', 'src/app.tsx'])('%s loads no schemas, since it trusts the service', (entry) => {
  const scripts = firstFilesOf(entry).map((file) => fs.readFileSync(path.join(dist, file), 'utf8'));
  expect(scripts.some((script) => script.includes(SCHEMA_MARK))).toBe(false);
  const docs = firstFilesOf('src/pages/docs.tsx').map((file) =>
    fs.readFileSync(path.join(dist, file), 'utf8'),
  );
  expect(docs.some((script) => script.includes(SCHEMA_MARK))).toBe(true);
});

describePages('the first screen', () => {
  const { server, watch } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let reportId: string;

  beforeAll(async () => {
    owner = await server.signUp();
    const findings = Array.from({ length: 120 }, (_, index) => ({
      ...findingBody(index + 1),
      severity: index === 119 ? 'critical' : 'low',
      title: index === 119 ? 'The worst of them' : `A lesser one, number ${index + 1}`,
    }));
    ({ reportId } = await syncReport(await server.linkDevice(owner), { body: { findings } }));
  });

  test('a page that arrives before the effects of its skeleton have run is shown', async () => {
    const { page, context } = await watch({ cookie: owner.cookie });
    await context.addInitScript(lateEffects);
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/report-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/reports/${reportId}`, { waitUntil: 'commit' });
    await page.getByText('Loading').waitFor();
    held.resolve();
    await page.getByRole('link', { name: 'The worst of them' }).waitFor();
  });

  test('the first screen shows the worst findings and all counts, then the rest', async () => {
    const { slug } = await shareOf(owner, reportId);
    const { page } = await watch();
    const held = Promise.withResolvers<void>();
    await page.route(/\/report\?cover=1$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/s/${slug}`);
    await page.getByRole('link', { name: 'The worst of them' }).waitFor();
    await page.getByText('1 critical open', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'number 119' }).count()).toBe(0);
    const before = await page.getByRole('link', { name: 'The worst of them' }).boundingBox();
    held.resolve();
    await page.getByRole('link', { name: 'number 119' }).waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: 'The worst of them' }).boundingBox()).toEqual(before);
  });

  test('the first screen of an own report is interactive before the rest has loaded', async () => {
    const { page } = await watch({ cookie: owner.cookie });
    const held = Promise.withResolvers<void>();
    await page.route(`**/api/v1/reports/${reportId}`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('link', { name: 'The worst of them' }).click();
    await page.getByRole('heading', { name: 'The worst of them' }).waitFor();
    expect(await page.getByRole('link', { name: 'number 119' }).count()).toBe(0);
    held.resolve();
    await page.getByRole('link', { name: 'number 119' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Status of F-120' }).waitFor();
  });

  test('findings and groups can be selected before the rest has loaded, and a group then gets all of its findings', async () => {
    const findings = Array.from({ length: 120 }, (_, index) => ({
      ...findingBody(index + 1),
      title: `Number ${index + 1}`,
      tags: ['tool:Linter', `rule:rule-${index % 2}`],
    }));
    const person = await server.signUp();
    const { reportId: id } = await syncReport(await server.linkDevice(person), { body: { findings } });
    const { page } = await watch({ cookie: person.cookie });
    const held = Promise.withResolvers<void>();
    await page.route(`**/api/v1/reports/${id}`, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/reports/${id}?group=none`);
    await page.getByRole('checkbox', { name: 'Select F-1', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Select F-2', exact: true }).check();
    await page.getByText('2 findings selected.').waitFor();
    await page.getByRole('combobox', { name: 'Group' }).selectOption('rule');
    const group = page.getByRole('checkbox', { name: 'Select 60 findings of rule-0' });
    await group.check();
    await page.getByText('61 findings selected.').waitFor();
    expect(await axeViolations(page, { resultTypes: ['violations'] })).toEqual([]);
    held.resolve();
    const bar = page.getByRole('group', { name: 'Selected findings' });
    await bar.getByText('61 findings selected', { exact: true }).waitFor();
    expect(await group.isChecked()).toBe(true);
    await group.uncheck();
    await bar.getByText('1 finding selected', { exact: true }).waitFor();
  });

  test('the first screen of a small report is complete and needs no request', async () => {
    const person = await server.signUp();
    const small = await syncReport(await server.linkDevice(person), { body: { findings: [findingBody(1)] } });
    const { page } = await watch({ cookie: person.cookie });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`/reports/${small.reportId}`);
    await page.getByRole('button', { name: 'Share' }).waitFor();
    expect(asked).not.toContain(`/api/v1/reports/${small.reportId}`);
  });

  test("the first screen stays and offers a retry if the rest can't be loaded", async () => {
    const { slug } = await shareOf(owner, reportId);
    const { page } = await watch({ expected: /^failed: / });
    await page.route(/\/report\?cover=1$/, (route) => route.abort());
    await page.goto(`/s/${slug}`);
    await page.getByRole('link', { name: 'The worst of them' }).waitFor();
    await page.getByText('Only the first part of the report could be loaded').waitFor();
    await page.unroute(/\/report\?cover=1$/);
    await page.getByRole('button', { name: 'Load the rest' }).click();
    await page.getByRole('link', { name: 'number 119' }).waitFor({ state: 'attached' });
    await page.getByText('Only the first part').waitFor({ state: 'detached' });
  });
});
