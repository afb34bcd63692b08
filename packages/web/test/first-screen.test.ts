/** What a page loads before its first screen, which appears before a large report has loaded. */
import * as fs from 'node:fs';
import path from 'node:path';
import {
  bindProject,
  findingBody,
  shareOf,
  syncReport,
  type BoundProject,
  type SessionActor,
} from '@svc/testkit';
import { axeViolations } from '@svc/testkit/axe';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { lateEffects } from './late-effects.ts';
import { holdRequests } from './layout-shifts.ts';

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

  describe('steps before all findings have loaded are taken once they have', () => {
    const openHeld = async (count: number, query = '') => {
      const findings = Array.from({ length: count }, (_, index) => ({
        ...findingBody(index + 1),
        tags: ['tool:Linter', `rule:rule-${index % 2}`],
      }));
      const person = await server.signUp();
      const { reportId: id } = await syncReport(await server.linkDevice(person), { body: { findings } });
      const { page } = await watch({ cookie: person.cookie, width: 1280, height: 720 });
      const held = Promise.withResolvers<void>();
      await page.route(`**/api/v1/reports/${id}`, async (route) => {
        await held.promise;
        await route.continue();
      });
      await page.goto(`/reports/${id}${query}`);
      return { page, release: () => held.resolve() };
    };

    test('in a list of groups', async () => {
      const { page, release } = await openHeld(120);
      await page
        .getByRole('checkbox', { name: /^Select 60 findings of / })
        .first()
        .waitFor();
      for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key);
      release();
      await page.getByRole('region', { name: 'Finding F-3' }).waitFor();
      await page.getByText('2 of 120', { exact: true }).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('region', { name: 'Finding F-5' }).waitFor();
    });

    test('past the findings that have', async () => {
      const { page, release } = await openHeld(90);
      await page.getByRole('link', { name: 'Order lookup' }).first().waitFor();
      for (let step = 0; step < 80; step += 1) await page.keyboard.press('j');
      release();
      await page.getByText('80 of 90', { exact: true }).waitFor();
    });

    test('from a finding that has not', async () => {
      const { page, release } = await openHeld(90, '?finding=F-85');
      await page.getByRole('link', { name: 'Order lookup' }).first().waitFor();
      await page.keyboard.press('j');
      release();
      await page.getByRole('region', { name: 'Finding F-86' }).waitFor();
    });
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

  describe('while the data arrives', () => {
    const SHIFT_MAX = 0.01;
    const LAYOUT_HEIGHT_MIN = 250;
    const PASSWORD = 'the garden gate';
    const scanBody = {
      startedAt: '2026-03-04T05:06:07.000Z',
      finishedAt: '2026-03-04T05:16:07.000Z',
      effortRequested: 'auto',
      effortResolved: 'low',
      agent: { name: 'agent', version: '1.0.0' },
      host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
    };
    let person: SessionActor;
    let project: BoundProject;
    let newest: string;

    beforeAll(async () => {
      person = await server.signUp();
      project = await bindProject(person);
      const device = await server.linkDevice(person);
      for (const [count, tool] of [
        [9, 'Linter'],
        [12, 'Scanner'],
      ] as const) {
        const findings = Array.from({ length: count }, (_, at) => ({
          ...findingBody(at + 1),
          tags: [`tool:${tool}`, 'rule:one'],
          title: `Number ${at + 1}`,
        }));
        const scan = { ...scanBody, tools: [{ name: tool }] };
        ({ reportId: newest } = await syncReport(device, { project, body: { findings, scan } }));
      }
    });

    /** The loading message has the height of the layout. */
    async function expectSkeleton(page: Page, what: string) {
      const message = page.getByRole('status').filter({ hasText: `Loading ${what}…` });
      expect((await message.boundingBox())?.height).toBeGreaterThan(LAYOUT_HEIGHT_MIN);
    }

    test.each([
      ['oldest', 360],
      ['newest', 1280],
    ] as const)(
      'the reports of a project do not shift, the %s response first, at %i px',
      async (order, width) => {
        const { page } = await watch({ cookie: person.cookie, width });
        const { untilHeld, shiftUntil } = await holdRequests(page);
        await page.goto(`/projects/${project.projectId}?tab=reports`);
        await page.getByRole('list', { name: 'Reports' }).waitFor();
        await untilHeld();
        await expectSkeleton(page, 'the trends');
        const title = page.getByRole('region', { name: 'Oldest' }).getByRole('link', { name: 'Number 1' });
        expect(await shiftUntil(title.first(), order)).toBeLessThanOrEqual(SHIFT_MAX);
        await page.getByRole('combobox', { name: 'Tool' }).waitFor();
      },
    );

    test('a comparison has a skeleton and does not shift', async () => {
      const { page } = await watch({ cookie: person.cookie });
      const { untilHeld, shiftUntil } = await holdRequests(page);
      await page.goto(`/projects/${project.projectId}?tab=compare`);
      await untilHeld();
      await expectSkeleton(page, 'the two reports');
      expect(await shiftUntil(page.getByText(/^\d+ new, /))).toBeLessThanOrEqual(SHIFT_MAX);
    });

    test('a report in a narrow window keeps the place of what changed since the previous one', async () => {
      const { page } = await watch({ cookie: person.cookie, width: 360 });
      const { shiftUntil } = await holdRequests(page);
      await page.goto(`/reports/${newest}`);
      const changes = page.getByRole('link', { name: /^\d+ new, \d+ fixed since/ });
      expect(await shiftUntil(changes)).toBeLessThanOrEqual(SHIFT_MAX);
    });

    test('the overview does not shift after a link leads to it in a narrow window', async () => {
      const { page } = await watch({ cookie: person.cookie, width: 360 });
      const { shiftUntil } = await holdRequests(page);
      await page.goto('/docs');
      await page.getByRole('link', { name: 'svc', exact: true }).click();
      const last = page.getByRole('region', { name: 'Needs attention' }).getByRole('link');
      expect(await shiftUntil(last.first())).toBeLessThanOrEqual(SHIFT_MAX);
    });

    test('a protected share that is loaded again has a skeleton and does not shift', async () => {
      const { slug } = await shareOf(person, newest, { password: PASSWORD });
      const { page } = await watch();
      await page.goto(`/s/${slug}`);
      await page.getByLabel('Password of this link', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      const last = page.getByRole('link', { name: 'Number 12' });
      await last.waitFor();
      const { untilHeld, shiftUntil } = await holdRequests(page);
      await page.reload();
      await untilHeld();
      await expectSkeleton(page, 'the report');
      expect(await shiftUntil(last)).toBeLessThanOrEqual(SHIFT_MAX);
    });
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
