/** What the pages tell of their use, in a real browser; and when they tell nothing. */
import { bodyOf, shellOf, bindProject, shareOf, syncReport, type SessionActor } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import type { WatchedPage, WatchOptions } from './test-window.ts';

const OPERATOR = 'operator@example.test';

describePages('counting on the pages', () => {
  const { server, watch } = browserSuite({
    generousPlans: true,
    config: { platformAdminEmail: OPERATOR },
  });
  let operator: SessionActor;
  let owner: SessionActor;
  let reportId: string;
  beforeAll(async () => {
    operator = await server.signUp({ email: OPERATOR });
  });
  beforeEach(async () => {
    owner = await server.signUp();
    ({ reportId } = await syncReport(await server.linkDevice(owner)));
  });

  /** By name and format. */
  async function counts(): Promise<Record<string, number>> {
    const { days } = bodyOf(await operator.api.getAnalytics({}));
    return Object.fromEntries(
      days.map(({ name, format, surface, count }) => [
        [surface, name, format].filter(Boolean).join(' '),
        count,
      ]),
    );
  }

  /** How often the service was told anything. By its log: the browser shows no requests that outlive their page. */
  const toldSoFar = () => server.logLines.filter((line) => line.includes('/api/v1/analytics/events')).length;

  async function opened(path: string, options: WatchOptions = {}) {
    const told = toldSoFar();
    const watched = await watch(options);
    await watched.page.goto(path);
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    return { watched, told };
  }

  async function exportAs(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name, exact: true }).click();
    await saved;
  }

  /** What is left to be told is told when the page is left, before anything else is asked for. */
  async function leave(page: Page): Promise<void> {
    await page.goto('/nothing');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate("fetch('/api/v1/health?after').then((answer) => answer.text())");
  }

  test('[D13] what a person has done arrives as counts', async () => {
    const before = await counts();
    const { watched } = await opened(`/reports/${reportId}`, { cookie: owner.cookie });
    const { page } = watched;
    await exportAs(page, 'JSON');
    await exportAs(page, 'SARIF for GitHub');
    await page.getByRole('button', { name: /^Share/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Share this report' });
    await page.getByRole('region', { name: 'Preview' }).getByText('1 finding', { exact: true }).waitFor();
    await sheet.getByRole('button', { name: 'Make the link' }).click();
    await sheet.getByText('Shown once').waitFor();
    await sheet.getByRole('button', { name: 'Show all links' }).click();
    await sheet
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    await sheet
      .getByRole('group', { name: /^Revoke/ })
      .getByRole('button', { name: /^Revoke/ })
      .click();
    // The page has its answer by then, and not only the service what was asked for.
    await sheet.getByText('No link works at the moment.').waitFor();
    await page.goto('/settings');
    const workspaces = page.getByRole('region', { name: 'Workspaces', exact: true });
    await workspaces.getByRole('button', { name: 'New team workspace' }).click();
    const dialog = page.getByRole('dialog', { name: 'New team workspace' });
    await dialog.getByLabel('Name').fill('Payments');
    await dialog.getByRole('button', { name: 'Make the workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
    await leave(page);
    const once = (name: string) => (before[name] ?? 0) + 1;
    const wanted = [
      'web report_viewed',
      'web report_exported json',
      'web report_exported sarif',
      'web share_previewed',
      'web share_created',
      'web share_revoked',
      'web workspace_created',
    ];
    await expect.poll(counts).toMatchObject(Object.fromEntries(wanted.map((name) => [name, once(name)])));
  });

  test('[D13] a finding that was moved and a scan that is watched are counted, without the page being left', async () => {
    const before = await counts();
    const { watched } = await opened(`/reports/${reportId}?finding=F-1`, { cookie: owner.cookie });
    const { page } = watched;
    await page.clock.install();
    await page.getByLabel('New status of F-1').selectOption('accepted_risk');
    await page.getByRole('button', { name: 'Change status' }).click();
    const moved = (before['web finding_status_changed'] ?? 0) + 1;
    const later = () => page.clock.runFor(1000).then(counts);
    await expect.poll(later).toMatchObject({ 'web finding_status_changed': moved });
    const device = await server.linkDevice(owner);
    const live = bodyOf(await device.api.createReport({ body: shellOf(await bindProject(owner)) }));
    // What a page does once it is shown is done together: following the scan, and noting it.
    const following = page.waitForRequest(/\/reports\/[^/]+\/events/);
    await page.goto(`/reports/${live.reportId}`);
    await following;
    await leave(page);
    const watchedCount = (before['web report_watched'] ?? 0) + 1;
    await expect.poll(counts).toMatchObject({ 'web report_watched': watchedCount });
  });

  async function useAll({ page }: WatchedPage): Promise<void> {
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await exportAs(page, 'JSON');
    await leave(page);
  }

  test('[D13] the switch in the settings holds for this browser until it is turned on again', async () => {
    const { watched, told } = await opened('/settings', { cookie: owner.cookie });
    const { page } = watched;
    const choice = page.getByLabel('Count how this browser is used');
    expect(await choice.isChecked()).toBe(true);
    await choice.uncheck();
    await useAll(watched);
    await page.goto('/settings');
    expect(await choice.isChecked()).toBe(false);
    expect(toldSoFar()).toBe(told);
    const before = await counts();
    await choice.check();
    await useAll(watched);
    // Of what happened before, nothing was kept to be told now.
    await expect.poll(counts).toEqual({
      ...before,
      'web report_viewed': (before['web report_viewed'] ?? 0) + 1,
      'web report_exported json': (before['web report_exported json'] ?? 0) + 1,
    });
    expect(toldSoFar()).toBeGreaterThan(told);
  });

  test.each([
    ['Global Privacy Control', "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })"],
    ['Do Not Track', "Object.defineProperty(navigator, 'doNotTrack', { value: '1' })"],
  ])('[D13] a browser with %s tells nothing, and the settings say so', async (_title, script) => {
    const { context, page } = await watch({ cookie: owner.cookie });
    await context.addInitScript(script);
    const told = toldSoFar();
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('button', { name: 'Export' }).waitFor();
    await page.goto('/settings');
    await page.getByText('This browser asks not to be tracked').waitFor();
    expect(await page.getByLabel('Count how this browser is used').isDisabled()).toBe(true);
    await leave(page);
    expect(toldSoFar()).toBe(told);
  });

  test('[D13] the page of a link tells nothing, not even of those who have an account, whatever is saved', async () => {
    const { slug } = await shareOf(owner, reportId);
    const { watched, told } = await opened(`/s/${slug}`, { cookie: owner.cookie });
    await exportAs(watched.page, 'JSON');
    await leave(watched.page);
    expect(toldSoFar()).toBe(told);
  });

  test('[D13] a page that can not tell anything says nothing of it', async () => {
    const { page, context } = await watch({ cookie: owner.cookie, expected: /analytics\/events/ });
    const told = toldSoFar();
    await context.route('**/api/v1/analytics/events', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/analytics/'));
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate("window.dispatchEvent(new Event('pagehide'))");
    await failed;
    await leave(page);
    expect(toldSoFar()).toBe(told);
  });

  test('[D13] the pages of nobody tell nothing', async () => {
    const { watched, told } = await opened('/login');
    for (const path of ['/', '/sample', '/signup', '/recover']) {
      await watched.page.goto(path);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
    }
    await leave(watched.page);
    expect(toldSoFar()).toBe(told);
  });
});
