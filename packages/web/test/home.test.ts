/** The home page for signed-out visitors, new users and users with reports. */
import { DAY_MS } from '@svc/contract/durations';
import {
  bindProject,
  bodyOf,
  createShell,
  findingBody,
  newLocalId,
  reportBytes,
  shareOf,
  syncReport,
  upload,
  type DeviceActor,
  type SessionActor,
  type Shell,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

/** At least the refetch interval while a scan is running. */
const LOOKED_EVERY_MS = 5000;
const hostile = `"'></title><img src=//e.test onerror=document.title='ran'>`;

describePages('the first page', () => {
  const { server, watch, newcomer } = browserSuite();

  async function finalize(device: DeviceActor, { reportId, localReportId }: Shell): Promise<void> {
    const uploadId = await upload(device, reportId, reportBytes({ localReportId }));
    bodyOf(await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } }));
  }

  async function named(owner: SessionActor, name: string) {
    const { workspaceId } = await bindProject(owner);
    const body = { workspaceId, name, bindingPublicId: newLocalId() };
    const { projectId } = bodyOf(await owner.api.createProject({ body }));
    return { workspaceId, projectId };
  }

  const linesOf = async (page: Page, name: string) =>
    page.getByRole('list', { name }).locator(':scope > li').allInnerTexts();

  test('the home page introduces the product to signed-out visitors and links to sign-up', async () => {
    const { page } = await watch();
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Security reports you can share safely' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Create account' }).waitFor();
  });

  test('the home page shows how the sample report begins, and leads to it', async () => {
    const { page } = await watch({ width: 360 });
    await page.goto('/');
    const preview = page.getByRole('region', { name: 'Report of tallowmere' });
    const shown = [await preview.getByText(/open$/).innerText()];
    for (const row of await preview.locator('ol > li').all()) shown.push(await row.innerText());
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await preview.getByRole('link', { name: 'All 13 findings' }).click();
    await page.getByText('13 of 13', { exact: true }).waitFor();
    await page.getByText(shown[0] ?? '', { exact: true }).waitFor();
    const lines = await page.getByRole('list', { name: 'Findings', exact: true }).getByRole('link').all();
    const worst = await Promise.all(lines.slice(0, 6).map((line) => line.innerText()));
    const words = (text: string) => text.split(/\s+/).join(' ');
    expect(worst.map(words)).toEqual(shown.slice(1).map(words));
  });

  test('the first steps are ticked as they are completed', async () => {
    const owner = await server.signUp();
    const { page } = await watch({ cookie: owner.cookie });
    await page.clock.install();
    await page.goto('/');
    await page.getByText(`SVC_API_BASE_URL=${server.url} svc login`).waitFor();
    const done = (step: string) => page.getByRole('status').filter({ hasText: `${step}: done` });
    expect(await done('').count()).toBe(1);
    const device = await server.linkDevice(owner);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await done('Link this machine').waitFor();
    const shell = await createShell(device);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await done('Scan a repository').waitFor();
    await page.getByRole('link', { name: 'Watch the scan' }).waitFor();
    await finalize(device, shell);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await page.getByRole('link', { name: 'Read the report' }).click();
    await page.waitForURL(`**/reports/${shell.reportId}`);
    await page.getByText('Order lookup trusts the id it is given').first().waitFor();
    await page.getByRole('link', { name: 'svc' }).click();
    await page.getByRole('heading', { name: 'Newest reports' }).waitFor();
  });

  test('the overview lists running reports first, then the newest, and updates automatically', async () => {
    const { owner, device } = await newcomer();
    const project = await bindProject(owner);
    const low = { ...findingBody(2), severity: 'low' };
    await syncReport(device, { project, body: { findings: [findingBody(1), low] } });
    const live = await createShell(device, project);
    await syncReport(device, { project, body: { findings: [] } });
    const { page } = await watch({ cookie: owner.cookie });
    await page.clock.install();
    await page.goto('/');
    await page.getByText('Scan running').waitFor();
    const [first, second, third] = await linesOf(page, 'Newest reports');
    expect(
      [first, second, third].map((line) => /running|No open findings|1\nhigh\n1\nlow/.exec(line ?? '')?.[0]),
    ).toEqual(['running', 'No open findings', '1\nhigh\n1\nlow']);
    await page.getByText('3 of 5 cloud reports today').waitFor();
    await finalize(device, live);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await page.getByText('Scan running').first().waitFor({ state: 'detached' });
    // Dependent data is fetched after the reports.
    await expect.poll(() => linesOf(page, 'Projects')).toEqual([expect.stringContaining('1\nhigh')]);
  });

  test('the overview says what is open, what needs attention, and where to act', async () => {
    const { owner, device } = await newcomer();
    const project = await named(owner, 'attended');
    const findings = [findingBody(1), { ...findingBody(2), severity: 'low', title: 'Accepted until soon' }];
    const { reportId } = await syncReport(device, { project, body: { findings } });
    const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    bodyOf(
      await owner.api.changeFindingStatus({
        params: { id: reportId, findingId: 'F-2' },
        body: { status: 'accepted_risk', until: at(3) },
      }),
    );
    await shareOf(owner, reportId, { label: 'For the auditors', expiresAt: at(1) });
    await syncReport(device, { project, body: { findings } });
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('1 new critical or high finding this week').waitFor();
    await attention.getByText('1 accepted risk opens again soon').waitFor();
    await attention.getByRole('link', { name: 'For the auditors' }).waitFor();
    const open = page.getByRole('region', { name: 'Open now' });
    await open.getByText('1 more than a week ago', { exact: true }).waitFor();
    expect(await open.getByRole('listitem').allInnerTexts()).toContainEqual(
      expect.stringMatching(/^1\s+high/),
    );
    // A row for each day would delay the first paint, so the table is made when it is opened.
    expect(await open.locator('table').count()).toBe(0);
    await open.getByText('Show the figures').click();
    const today = open
      .getByRole('table', { name: /^Open findings by day/ })
      .getByRole('row')
      .nth(1);
    expect((await today.innerText()).split('\t').slice(1)).toEqual(['0', '1', '0', '0', '0']);
    const [shown] = await linesOf(page, 'Projects');
    expect(shown).toMatch(/0 open 12 weeks ago, 1 now\s+agent\s+just now/);
    await attention.getByRole('link', { name: 'Accepted until soon' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/projects\/.*\/findings\/|\/reports\/.*finding=F-2/);
  });

  test('[T12] a hostile project name is text', async () => {
    const { owner, device } = await newcomer();
    const project = await named(owner, hostile);
    for (const _ of [1, 2]) await syncReport(device, { project, body: { project: { name: hostile } } });
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto('/');
    await page.getByRole('link', { name: hostile }).first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.getByRole('list', { name: 'Projects' }).getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    await expect.poll(() => page.title()).toBe(`${hostile} · svc`);
  });
});
