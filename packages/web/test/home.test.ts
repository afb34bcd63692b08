/** The first page, for whoever is signed out, for a newcomer, and for those who have reports. */
import {
  bindProject,
  bodyOf,
  createShell,
  findingBody,
  newLocalId,
  reportBytes,
  syncReport,
  upload,
  type DeviceActor,
  type SessionActor,
  type Shell,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

/** At least as long as the page waits before it looks again while a scan runs. */
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

  test('says what this is to whoever is signed out, and leads to an account', async () => {
    const { page } = await watch();
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Security reports, read and shared safely' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Make an account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Make an account' }).waitFor();
  });

  test('ticks the steps to a first report as they happen', async () => {
    const owner = await server.signUp();
    const { page } = await watch({ cookie: owner.cookie });
    await page.clock.install();
    await page.goto('/');
    await page.getByText(`SVC_API_BASE_URL=${server.url} svc login`).waitFor();
    const done = (step: string) => page.getByRole('status').filter({ hasText: `${step}: done` });
    expect(await done('').count()).toBe(0);
    const device = await server.linkDevice(owner);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await done('Link this machine').waitFor();
    const shell = await createShell(device);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await done('Scan a repository').waitFor();
    await page.getByRole('link', { name: 'Watch it' }).waitFor();
    await finalize(device, shell);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await page.getByRole('link', { name: 'Read it here' }).click();
    await page.waitForURL(`**/reports/${shell.reportId}`);
    await page.getByText('Order lookup trusts the id it is given').first().waitFor();
    await page.getByRole('link', { name: 'svc' }).click();
    await page.getByRole('heading', { name: 'Newest reports' }).waitFor();
  });

  test('lists the reports that run first, then the newest, with what is open of each, and moves by itself', async () => {
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
      [first, second, third].map((line) => /running|Nothing|1\nhigh\n1\nlow/.exec(line ?? '')?.[0]),
    ).toEqual(['running', 'Nothing', '1\nhigh\n1\nlow']);
    await page.getByText('3 of 5 cloud reports').waitFor();
    await page.getByRole('link', { name: 'Personal' }).waitFor();
    await finalize(device, live);
    await page.clock.fastForward(LOOKED_EVERY_MS);
    await page.getByText('Scan running').first().waitFor({ state: 'detached' });
    // What follows from the reports is asked for once these have come.
    await expect
      .poll(() => linesOf(page, 'Projects what is open in the newest report'))
      .toEqual([expect.stringContaining('1\nhigh')]);
  });

  test('[T12] a hostile name of a project is text', async () => {
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
