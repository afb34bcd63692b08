/** The page of all findings of a workspace: search, decisions over several reports, groups, new findings, trends. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  bodyOf,
  findingBody,
  newLocalId,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { findingsInBothThemes } from './axe.ts';
import { browserSuite, describePages } from './browser-suite.ts';
import { keysOf } from './keys.ts';
import type { WatchOptions } from './test-window.ts';

/** Joined at run time, so that secret scanners do not report this file. */
const NOTE_WITH_SECRET = `It uses ${['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')}.`;

describePages('the findings of a workspace', () => {
  const { watch, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let device: DeviceActor;
  let workspaceId: string;
  let shop: BoundProject;
  let bank: BoundProject;

  beforeAll(async () => {
    ({ owner, device } = await newcomer());
  });
  beforeEach(async () => {
    ({ workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } })));
    [shop, bank] = [await projectNamed('Shop'), await projectNamed('Bank')];
  });

  async function projectNamed(name: string): Promise<BoundProject> {
    const body = { workspaceId, name, bindingPublicId: newLocalId() };
    return { workspaceId, projectId: bodyOf(await owner.api.createProject({ body })).projectId };
  }
  const finding = (title: string, severity = 'high', of = title) => ({
    ...findingBody(1),
    title,
    severity,
    fingerprint: createHash('sha256').update(of).digest('hex'),
  });
  const sync = async (project: BoundProject, findings: readonly object[]) =>
    (
      await syncReport(device, {
        project,
        body: { findings: findings.map((each, at) => ({ ...each, id: `F-${at + 1}` })) },
      })
    ).reportId;

  /** Two findings of the shop and two of the bank. */
  async function twoReports() {
    return {
      shopReport: await sync(shop, [finding('Injection', 'critical'), finding('Weak hash', 'low')]),
      bankReport: await sync(bank, [finding('Injection', 'high', 'other'), finding('Open redirect', 'low')]),
    };
  }
  const statuses = async () =>
    bodyOf(await owner.api.listWorkspaceFindings({ params: { id: workspaceId }, query: { sort: 'project' } }))
      .findings.map(({ projectName, title, status }) => `${projectName}: ${title} ${status}`)
      .toSorted();
  /** Opens the page and waits until its tabs are shown. */
  async function open(search = '', options: WatchOptions = {}) {
    const watched = await watch({ cookie: owner.cookie, ...options });
    await watched.page.goto(`/workspaces/${workspaceId}/findings${search}`);
    await watched.page.getByRole('link', { name: 'List' }).waitFor();
    return watched;
  }
  const counted = (page: Page, text: string | RegExp) =>
    page.getByRole('status').filter({ hasText: text }).first().waitFor();
  const titlesOn = async (page: Page) => page.locator('a[data-key]').allInnerTexts();
  async function shows(page: Page, titles: readonly string[]): Promise<void> {
    await expect.poll(async () => (await titlesOn(page)).toSorted()).toEqual(titles.toSorted());
  }
  const bar = (page: Page) => page.getByRole('group', { name: 'Selected findings' });
  const box = (page: Page, title: string) =>
    page.getByRole('checkbox', { name: `Select ${title}`, exact: true });

  test('[D19] one decision changes findings of several reports, lists what failed, and is undone', async () => {
    const { bankReport } = await twoReports();
    const { page } = await open('?sort=project');
    await box(page, 'Weak hash').waitFor();
    // The bank's finding changes after the list was loaded.
    const params = { id: bankReport, findingId: 'F-2' };
    bodyOf(await owner.api.changeFindingStatus({ params, body: { status: 'fix_suggested' } }));
    bodyOf(await owner.api.changeFindingStatus({ params, body: { status: 'fix_applied' } }));
    await page.getByRole('checkbox', { name: 'Select all 4 loaded' }).click();
    await bar(page).getByText('4 findings selected').waitFor();
    await bar(page).getByRole('button', { name: 'Set status…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status of 4 findings' });
    await dialog.getByLabel('Status', { exact: true }).selectOption('Fix suggested');
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await page.getByText('2 findings set to fix suggested.').waitFor();
    await page.getByText('2 findings not changed in 1 report.').waitFor();
    const failed = page.getByRole('list', { name: 'Reports that failed' }).getByRole('listitem');
    expect(await failed.allInnerTexts()).toEqual([
      'Bank, 2 findings: Its findings have changed. Clear the selection, select them again and set the status.',
    ]);
    await bar(page).getByText('2 findings selected').waitFor();
    expect(await statuses()).toEqual([
      'Bank: Injection open',
      'Bank: Open redirect fix_applied',
      'Shop: Injection fix_suggested',
      'Shop: Weak hash fix_suggested',
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 findings restored.').waitFor();
    expect((await statuses()).filter((each) => each.startsWith('Shop'))).toEqual([
      'Shop: Injection open',
      'Shop: Weak hash open',
    ]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await failed.waitFor({ state: 'hidden' });
  });

  test('[D19] a decision is rejected as a whole for a secret in its note', async () => {
    await twoReports();
    const { page } = await open();
    await page.getByRole('checkbox', { name: 'Select all 4 loaded' }).click();
    await bar(page).getByRole('button', { name: 'Set status…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Status', { exact: true }).selectOption('Accepted risk');
    await dialog.getByLabel('Note').fill(NOTE_WITH_SECRET);
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await dialog.getByText('This contains a secret.').waitFor();
    expect((await statuses()).every((each) => each.endsWith(' open'))).toBe(true);
  });

  test('all matching findings are selected although they are not loaded, and accepted with a reason by keyboard', async () => {
    const many = Array.from({ length: 230 }, (_, at) =>
      finding(`Number ${String(at).padStart(3, '0')}`, 'low'),
    );
    await sync(shop, [...many, finding('Injection', 'critical')]);
    const { page } = await open('?q=severity:low');
    const keys = keysOf(page);
    await counted(page, '230 findings');
    expect(await page.locator('a[data-key]').count()).toBe(50);
    await keys.press('j');
    await keys.isOn(page.locator('a[data-key]').first());
    await keys.press('x');
    await keys.press('j');
    await keys.press('j');
    await keys.press('Shift+X');
    await bar(page).getByText('3 findings selected').waitFor();
    await keys.press('Shift+A');
    await bar(page).getByText('230 findings selected').waitFor();
    await keys.press('s');
    const dialog = page.getByRole('dialog', { name: 'Set status of 230 findings' });
    await keys.isOn(dialog.getByLabel('Status', { exact: true }));
    await keys.tabTo(dialog.getByRole('radio', { name: 'None given' }));
    for (let reason = 0; reason < 4; reason += 1) await keys.press('ArrowDown');
    await keys.isOn(dialog.getByRole('radio', { name: 'Used in tests' }));
    await keys.pressOn(dialog.getByRole('button', { name: 'Set status' }));
    await page.getByText('230 findings set to accepted risk.').waitFor();
    await page.getByRole('searchbox', { name: 'Search findings' }).fill('status:open');
    await shows(page, ['Injection']);
  });

  test('a range of boxes is selected with Shift, and another search clears the selection', async () => {
    await twoReports();
    const { page } = await open('?sort=project');
    await box(page, 'Weak hash').waitFor();
    const boxes = page.locator('input[data-select]');
    await boxes.nth(0).click();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 findings selected').waitFor();
    await page.getByRole('searchbox', { name: 'Search findings' }).fill('hash');
    await shows(page, ['Weak hash']);
    await bar(page).waitFor({ state: 'hidden' });
  });

  test('the order and the groups are in the URL, and a group is selected as a whole', async () => {
    await twoReports();
    const { page } = await open();
    await shows(page, ['Injection', 'Injection', 'Open redirect', 'Weak hash']);
    await page.getByLabel('Sort').selectOption('Project');
    await page.getByRole('combobox', { name: 'Group' }).selectOption('Title');
    await page.waitForURL(/sort=project&group=title/);
    await page.reload();
    const groups = page.getByRole('list', { name: 'Groups of findings' });
    await groups.waitFor();
    const injection = groups.getByRole('button', { name: /Injection/ });
    expect(await injection.innerText()).toMatch(/Critical\s+Injection\s+2/);
    await injection.click();
    await shows(page, ['Injection', 'Injection']);
    await page.getByRole('checkbox', { name: 'Select 2 findings of Injection' }).click();
    await bar(page).getByText('2 findings selected').waitFor();
    await page.getByRole('combobox', { name: 'Group' }).selectOption('Severity');
    const names = await groups.getByRole('button').allInnerTexts();
    expect(names.map((name) => name.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Critical 1',
      'High 1',
      'Low 2',
    ]);
  });

  test('filters, a saved view and the CSV file follow the search', async () => {
    await twoReports();
    const { page } = await open();
    await page.getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('checkbox', { name: 'Low' }).click();
    await page.keyboard.press('Escape');
    await counted(page, '2 findings');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Name of the view').fill('Low ones');
    await page.getByRole('button', { name: 'Save' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const csv = await readFile(await (await saved).path(), 'utf8');
    const lines = csv.trim().split('\r\n').slice(1);
    expect(new Set(lines.map((line) => line.split(',')[1]))).toEqual(
      new Set(['"Open redirect"', '"Weak hash"']),
    );
    await page.goto(`/workspaces/${workspaceId}/findings?q=hash`);
    await counted(page, '1 finding');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Low ones', exact: true }).click();
    await counted(page, '2 findings');
  });

  test('what is new since the last visit is counted, marked and filtered, and reloading keeps it', async () => {
    await twoReports();
    const { page } = await open();
    await counted(page, '4 findings');
    expect(await page.getByText('since your visit').count()).toBe(0);
    // Stores a previous visit that ended before the second report of the shop.
    const key = `svc-visit-${workspaceId}`;
    await page.goto('/health');
    const seenAt = Date.now();
    await sync(shop, [finding('Injection', 'critical'), finding('Weak hash', 'low'), finding('Appeared')]);
    await page.evaluate(
      `localStorage.setItem(${JSON.stringify(key)}, ${JSON.stringify(JSON.stringify({ since: seenAt, seenAt }))})`,
    );
    for (const _visit of ['first', 'reloaded']) {
      await page.goto(`/workspaces/${workspaceId}/findings`);
      await page.getByRole('button', { name: /^1 new finding since your visit/ }).waitFor();
      const marked = page.getByRole('listitem').filter({ has: page.getByText('New', { exact: true }) });
      expect(await marked.getByRole('link').allInnerTexts()).toEqual(['Appeared']);
    }
    await page.getByRole('button', { name: /^1 new finding/ }).click();
    await page.waitForURL(/only=new/);
    await shows(page, ['Appeared']);
  });

  test('the search in the header finds findings by text, id and key', async () => {
    await twoReports();
    const { page } = await open();
    await counted(page, '4 findings');
    await page.keyboard.press('Control+K');
    const search = page.getByRole('combobox', { name: /^Search projects/ });
    const found = page.getByRole('group', { name: 'Findings of this workspace' }).getByRole('option');
    const finds = async (text: string, options: readonly RegExp[]) => {
      await search.fill(text);
      await expect
        .poll(async () => found.allInnerTexts())
        .toEqual(options.map((each) => expect.stringMatching(each) as string));
    };
    await finds('redirect', [/Open redirect\s+F-2 · Low · Bank/]);
    await finds('f-2', [/F-2 · Low/, /F-2 · Low/]);
    const [{ findingKey } = { findingKey: '' }] = bodyOf(
      await owner.api.listWorkspaceFindings({ params: { id: workspaceId }, query: { q: 'weak' } }),
    ).findings;
    await finds(findingKey, [/Weak hash/]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/finding=F-2/);
  });

  test('a result that the arrow keys reached stays selected when findings arrive before it', async () => {
    await twoReports();
    const { page } = await open();
    await counted(page, '4 findings');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/findings\?.*\bq=re/, async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: /^Search projects/ }).fill('re');
    const results = page.getByRole('listbox', { name: 'Results' });
    const found = results.getByRole('option', { name: 'Open redirect' });
    await results.getByRole('group', { name: 'Pages' }).waitFor();
    await page.keyboard.press('ArrowDown');
    const selected = () => results.getByRole('option', { selected: true }).allInnerTexts();
    const before = await selected();
    expect(await found.count()).toBe(0);
    release();
    await found.waitFor();
    expect(await selected()).toEqual(before);
  });

  test('the first screen needs no call for findings, and a search needs one', async () => {
    await twoReports();
    const { page } = await watch({ cookie: owner.cookie });
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/')) calls.push(pathname.replace('/api/v1', ''));
    });
    await page.goto(`/workspaces/${workspaceId}/findings`);
    await shows(page, ['Injection', 'Injection', 'Open redirect', 'Weak hash']);
    expect(calls.filter((each) => each.endsWith('/findings'))).toEqual([]);
    expect(calls.length).toBeLessThanOrEqual(3);
    calls.length = 0;
    await page.goto(`/workspaces/${workspaceId}/findings?q=weak`);
    await shows(page, ['Weak hash']);
    expect(calls.filter((each) => each.endsWith('/findings'))).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(4);
  });

  test('the list is accessible in both themes, with a selection and with groups', async () => {
    await twoReports();
    const { page } = await watch({ cookie: owner.cookie, width: 360 });
    const check = async () => expect(await findingsInBothThemes(page)).toEqual([]);
    await page.goto(`/workspaces/${workspaceId}/findings`);
    await box(page, 'Weak hash').click();
    await bar(page).waitFor();
    await check();
    const filters = page.getByRole('button', { name: /^Filters/ });
    expect(await page.getByLabel('Sort').isVisible()).toBe(false);
    await filters.click();
    await page.getByLabel('Sort').waitFor();
    await page.getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('checkbox', { name: 'Low' }).click();
    await check();
    expect([
      await filters.textContent(),
      await page.evaluate('document.documentElement.scrollWidth'),
    ]).toEqual(['Filters, 1', 360]);
    await page.goto(`/workspaces/${workspaceId}/findings?group=title`);
    await page.getByRole('button', { name: /Injection/ }).click();
    await check();
  });

  test('the trends of a workspace and of a project are accessible, printable, and have their figures as a table', async () => {
    await twoReports();
    const { page } = await watch({ cookie: owner.cookie, width: 360 });
    for (const [at, tab] of [
      [`/workspaces/${workspaceId}/findings?view=trends`, 'Trends'],
      [`/projects/${shop.projectId}?tab=reports`, 'Reports'],
    ] as const) {
      await page.goto(at);
      const figures = page.getByText('Show the figures').first();
      await figures.waitFor();
      expect(await page.getByRole('main').locator('[aria-current=page]').allInnerTexts()).toEqual([tab]);
      await figures.click();
      const lastRow = page.getByRole('table').first().getByRole('row').last();
      expect(await lastRow.innerText()).toMatch(/\d/);
      const oldest = page.getByRole('region', { name: 'Oldest open findings' });
      await oldest.getByRole('link', { name: 'Weak hash' }).first().waitFor();
      expect(await findingsInBothThemes(page)).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('table').first().isVisible()).toBe(true);
      expect(await page.getByLabel('Period').isVisible()).toBe(false);
      await page.emulateMedia({ media: null });
    }
  });
});
