/** The usage events that the pages send, and when they send none, in a real browser. */
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

  /** The counts by surface, name and format. */
  async function counts(): Promise<Record<string, number>> {
    const { days } = bodyOf(await operator.api.getAnalytics({}));
    return Object.fromEntries(
      days.map(({ name, format, surface, count }) => [
        [surface, name, format].filter(Boolean).join(' '),
        count,
      ]),
    );
  }

  /** Counts the analytics requests in the service's log: the browser hides requests that outlive their page. */
  const requestsSoFar = () =>
    server.logLines.filter((line) => line.includes('/api/v1/analytics/events')).length;

  async function opened(path: string, options: WatchOptions = {}) {
    const requestsBefore = requestsSoFar();
    const watched = await watch(options);
    await watched.page.goto(path);
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    return { watched, requestsBefore };
  }

  async function exportAs(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: /^(?:Export|Download)$/ }).click();
    const saved = page.waitForEvent('download');
    await page
      .getByRole('link', { name: new RegExp(`^${name}\\b`) })
      .first()
      .click();
    await saved;
  }

  /** Leaves the page. It then sends its remaining events before any other request. */
  async function leave(page: Page): Promise<void> {
    await page.goto('/nothing');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate("fetch('/api/v1/health?after').then((answer) => answer.text())");
  }

  test('[D13] actions of a user arrive as counts', async () => {
    const before = await counts();
    const { watched } = await opened(`/reports/${reportId}`, { cookie: owner.cookie });
    const { page } = watched;
    await exportAs(page, 'JSON');
    await exportAs(page, 'SARIF for GitHub');
    await page.getByRole('button', { name: /^Share/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    await page.getByRole('region', { name: 'Preview' }).getByText('1 finding', { exact: true }).waitFor();
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText('Shown once').waitFor();
    await sheet.getByRole('button', { name: 'Show all share links' }).click();
    await sheet
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    await sheet
      .getByRole('group', { name: /^Revoke/ })
      .getByRole('button', { name: /^Revoke/ })
      .click();
    // Shown only after the page has received the response.
    await sheet.getByText('No active share links.').waitFor();
    await page.goto('/settings');
    const workspaces = page.getByRole('region', { name: 'Workspaces', exact: true });
    await workspaces.getByRole('button', { name: 'New team workspace' }).click();
    const dialog = page.getByRole('dialog', { name: 'New team workspace' });
    await dialog.getByLabel('Name').fill('Payments');
    await dialog.getByRole('button', { name: 'Create workspace' }).click();
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

  test('[D13] a status change is counted while the page is open, and a watched scan after its page is left', async () => {
    const before = await counts();
    const { page } = await watch({ cookie: owner.cookie });
    // Events are sent some seconds after the first one.
    await page.clock.install();
    await page.goto(`/reports/${reportId}?finding=F-1`);
    await page.getByRole('button', { name: 'Status of F-1' }).click();
    await page.getByRole('menuitem', { name: 'Accepted risk' }).click();
    await page.getByRole('button', { name: 'Set status' }).click();
    const moved = (before['web finding_status_changed'] ?? 0) + 1;
    const later = () => page.clock.runFor(1000).then(counts);
    await expect.poll(later).toMatchObject({ 'web finding_status_changed': moved });
    const device = await server.linkDevice(owner);
    const live = bodyOf(await device.api.createReport({ body: shellOf(await bindProject(owner)) }));
    // A page follows the scan and records the event in the same step.
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

  test('[D13] the setting turns statistics off for this browser until it is turned on again', async () => {
    const { watched, requestsBefore } = await opened('/settings', { cookie: owner.cookie });
    const { page } = watched;
    const choice = page.getByLabel('Send usage statistics from this browser');
    expect(await choice.isChecked()).toBe(true);
    await choice.uncheck();
    await useAll(watched);
    await page.goto('/settings');
    expect(await choice.isChecked()).toBe(false);
    expect(requestsSoFar()).toBe(requestsBefore);
    const before = await counts();
    await choice.check();
    await useAll(watched);
    // No earlier events were kept.
    await expect.poll(counts).toEqual({
      ...before,
      'web report_viewed': (before['web report_viewed'] ?? 0) + 1,
      'web report_exported json': (before['web report_exported json'] ?? 0) + 1,
    });
    expect(requestsSoFar()).toBeGreaterThan(requestsBefore);
  });

  test.each([
    [
      'with Global Privacy Control',
      'This browser asks not to be tracked',
      "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })",
    ],
    [
      'with Do Not Track',
      'This browser asks not to be tracked',
      "Object.defineProperty(navigator, 'doNotTrack', { value: '1' })",
    ],
    [
      'that blocks storage',
      'This browser blocks storage for this site',
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('No.', 'SecurityError'); } })",
    ],
  ])('[D13] a browser %s sends no events, and the settings say why', async (_title, reason, script) => {
    const { context, page } = await watch({ cookie: owner.cookie });
    await context.addInitScript(script);
    const requestsBefore = requestsSoFar();
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('button', { name: 'Export' }).waitFor();
    await page.goto('/settings');
    await page.getByText(reason).waitFor();
    expect(await page.getByLabel('Send usage statistics from this browser').isDisabled()).toBe(true);
    await leave(page);
    expect(requestsSoFar()).toBe(requestsBefore);
  });

  test('[D13] the share page sends no events, even for signed-in viewers and exports', async () => {
    const { slug } = await shareOf(owner, reportId);
    const { watched, requestsBefore } = await opened(`/s/${slug}`, { cookie: owner.cookie });
    await exportAs(watched.page, 'JSON');
    await leave(watched.page);
    expect(requestsSoFar()).toBe(requestsBefore);
  });

  test('[D13] a page whose events fail to send shows no error', async () => {
    const { page, context } = await watch({ cookie: owner.cookie, expected: /analytics\/events/ });
    const requestsBefore = requestsSoFar();
    await context.route('**/api/v1/analytics/events', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/analytics/'));
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate("window.dispatchEvent(new Event('pagehide'))");
    await failed;
    await leave(page);
    expect(requestsSoFar()).toBe(requestsBefore);
  });

  test('[D13] pages without a signed-in user send no events', async () => {
    const { watched, requestsBefore } = await opened('/login');
    for (const path of ['/', '/sample', '/signup', '/recover']) {
      await watched.page.goto(path);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
    }
    await leave(watched.page);
    expect(requestsSoFar()).toBe(requestsBefore);
  });
});
