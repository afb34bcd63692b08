/** The header and the search: from any page to projects, reports, findings and settings. */
import { bindProject, bodyOf, createTeam, findingBody, syncReport, type SessionActor } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

describePages('navigation', () => {
  const { server, visit, newcomer } = browserSuite();
  let owner: SessionActor;
  let reports: readonly string[];
  let projectId: string;

  beforeAll(async () => {
    const person = await newcomer();
    ({ owner } = person);
    const project = await bindProject(owner);
    const first = await syncReport(person.device, { project, body: { findings: [findingBody(1)] } });
    ({ projectId } = project);
    const findings = [{ ...findingBody(1), title: 'Zip slip in the import' }, findingBody(2)];
    reports = [first.reportId, (await syncReport(person.device, { project, body: { findings } })).reportId];
    await createTeam(owner, []);
  });

  const option = (page: Page, name: string) => page.getByRole('option', { name }).first();
  const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('the search opens with the keyboard, finds a finding by text or id, and leads to it', async () => {
    const { page } = await visit(`/reports/${reports[1]}`, { cookie: owner.cookie });
    await page.getByRole('checkbox', { name: 'Select F-1' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: /^Search/ });
    await field.and(page.locator(':focus')).waitFor();
    await field.fill('zip slip');
    await option(page, 'Zip slip').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByRole('heading', { name: 'Zip slip' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('f-2');
    await option(page, 'F-2').click();
    await page.getByRole('region', { name: 'Finding F-2' }).waitFor();
  });

  test('the search finds a report by its id, and offers what can be done on the page', async () => {
    const { page } = await visit('/settings', { cookie: owner.cookie });
    const search = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Search/ }).fill(text);
    };
    await search(reports[0] ?? '');
    await option(page, 'repository').click();
    await page.waitForURL(`**/reports/${reports[0]}`);
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await search('export as json');
    const saving = page.waitForEvent('download');
    await option(page, 'Export as JSON').click();
    expect((await saving).suggestedFilename()).toMatch(/\.json$/);
    await search('share');
    await option(page, 'Share this report').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Share report' }).waitFor();
  });

  test('the arrow keys move through the results, and Escape returns the focus', async () => {
    const { page } = await visit('/settings', { cookie: owner.cookie });
    const trigger = page.getByRole('banner').getByRole('button', { name: 'Search' });
    await trigger.click();
    const field = page.getByRole('combobox', { name: /^Search/ });
    // Results that arrive later come before the others.
    for (const name of ['Projects', 'Reports', 'Pages'])
      await page.getByRole('group', { name, exact: true }).waitFor();
    const active = () =>
      field.evaluate((element) => {
        const id = element.getAttribute('aria-activedescendant') ?? '';
        return element.ownerDocument.getElementById(id)?.getAttribute('aria-selected');
      });
    const before = await field.getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe('true');
    expect(await field.getAttribute('aria-activedescendant')).not.toBe(before);
    await page.keyboard.press('ArrowUp');
    expect(await field.getAttribute('aria-activedescendant')).toBe(before);
    await page.keyboard.press('Escape');
    await trigger.and(page.locator(':focus')).waitFor();
  });

  test('a report leads to its project, and to the other reports of the project', async () => {
    const { page } = await visit(`/reports/${reports[1]}`, { cookie: owner.cookie });
    await page.getByRole('button', { name: /^Report of/ }).click();
    const others = page.getByRole('list', { name: 'Reports of this project' });
    expect(await others.getByRole('link').count()).toBe(2);
    await others.getByRole('link').nth(1).click();
    await page.waitForURL(`**/reports/${reports[0]}`);
    await page.goBack();
    await page.getByRole('link', { name: /^\d new, \d fixed since/ }).click();
    await page.waitForURL(`**/projects/${projectId}?**`);
    await page.getByRole('link', { name: 'Reports', exact: true }).click();
    const listed = page.getByRole('list', { name: 'Reports' });
    await listed.getByRole('link').nth(1).waitFor();
    expect(await listed.getByRole('link').count()).toBe(2);
  });

  test('the header switches workspaces and leads to their projects and shares', async () => {
    const { page } = await visit('/', { cookie: owner.cookie });
    const header = page.getByRole('banner');
    await header.getByRole('link', { name: 'Projects' }).click();
    await h1(page, 'Projects').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'repository' }).waitFor();
    await header.getByRole('button', { name: /^Workspace/ }).click();
    await header.getByRole('link', { name: /^Team/ }).click();
    await page.getByText('No projects yet.').waitFor();
    await header.getByRole('link', { name: 'Shares' }).click();
    await h1(page, 'Shares').waitFor();
    await page.getByText('No active share links.').waitFor();
    expect(new URL(page.url()).origin).toBe(server.url);
  });

  test('the header cuts long names, and has two rows in a narrow window and one in a wide one', async () => {
    const long = await server.signUp({ displayName: 'Maximiliana Featherstonehaugh-Cholmondeley' });
    const workspace = { name: 'Workspace of Maximiliana Featherstonehaugh' };
    const { workspaceId } = bodyOf(await long.api.createWorkspace({ body: workspace }));
    const { page } = await visit(`/workspaces/${workspaceId}/projects`, { cookie: long.cookie, width: 360 });
    const header = page.getByRole('banner');
    // Each row is at least 32 pixels high.
    expect((await header.boundingBox())?.height).toBeLessThan(3 * 32);
    for (const name of [/^Workspace/, 'Search', /^Maximiliana/]) {
      const { x = 0, width = 0 } = (await header.getByRole('button', { name }).boundingBox()) ?? {};
      expect(x).toBeGreaterThan(0);
      expect(x + width).toBeLessThanOrEqual(360);
    }
    await page.setViewportSize({ width: 768, height: 800 });
    // No text in the header wraps.
    expect((await header.boundingBox())?.height).toBeLessThan(50);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(768);
  });
});
