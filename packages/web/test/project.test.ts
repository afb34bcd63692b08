/** The project page: findings, reports, comparison, pipelines and deletion. */
import { createHash } from 'node:crypto';
import {
  bindProject,
  bodyOf,
  createTeam,
  findingBody,
  newLocalId,
  syncReport,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';

/** The text spacing of WCAG 1.4.12, which must not lose content. */
const wideSpacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }';

describePages('a project', () => {
  const { server, watch, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let device: DeviceActor;

  beforeAll(async () => {
    ({ owner, device } = await newcomer());
  });

  const finding = (number: number, title: string, more: object = {}) => ({
    ...findingBody(number),
    title,
    fingerprint: createHash('sha256').update(title).digest('hex'),
    ...more,
  });
  const covered = [{ id: 'orders', name: 'Orders api', status: 'covered' }];
  const scanOf = (effortResolved: string) => ({
    startedAt: '2026-03-04T05:06:07.000Z',
    finishedAt: '2026-03-04T05:16:07.000Z',
    effortRequested: 'auto',
    effortResolved,
    agent: { name: 'agent', version: '1.0.0' },
    host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
  });
  const sync = async (project: BoundProject, body: Record<string, unknown>) =>
    (await syncReport(device, { project, body })).reportId;

  /** Three reports that all differ. */
  async function history(): Promise<{ project: BoundProject; reports: string[] }> {
    const project = await bindProject(owner);
    const reports = [
      await sync(project, {
        findings: [finding(1, 'Lasting'), finding(2, 'Repaired'), finding(3, 'Oldest')],
      }),
      await sync(project, { findings: [finding(1, 'Lasting', { severity: 'low' }), finding(2, 'Repaired')] }),
      await sync(project, {
        findings: [finding(4, 'Lasting'), finding(5, 'Appeared', { severity: 'critical' })],
        coverageAreas: covered,
        scan: scanOf('low'),
      }),
    ];
    return { project, reports };
  }

  const group = (page: Page, title: string) =>
    page.getByRole('group').filter({ has: page.getByRole('heading', { name: title }) });

  test('the project page begins with its findings, and the search stays in the URL', async () => {
    const { project } = await history();
    await sync(await bindProject(owner), { findings: [finding(9, 'Of another project')] });
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${project.projectId}`);
    const list = page.getByRole('list', { name: 'Findings', exact: true });
    await list.getByRole('link', { name: 'Appeared' }).waitFor();
    expect(await list.getByText('Of another project').count()).toBe(0);
    expect(await list.getByText('repository').count()).toBe(0);
    const orders = await page.getByLabel('Sort').getByRole('option').allInnerTexts();
    expect(orders).toEqual(['Most severe', 'Newest', 'Oldest']);
    await page.getByRole('searchbox', { name: 'Search findings' }).fill('severity:critical');
    await page.getByText('1 finding', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('severity:critical');
    await page.reload();
    await list.getByRole('link', { name: 'Appeared' }).waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);
  });

  test('the plot of a project has its figures as a table, and a day leads to its newest report', async () => {
    const { project, reports } = await history();
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${project.projectId}?tab=reports`);
    const figure = page.getByRole('figure').filter({ hasText: 'Open findings' }).first();
    await figure.getByText('Show the figures').click();
    const rows = figure.getByRole('table', { name: /^Open findings by day/ }).getByRole('row');
    const [, today = ''] = await rows.allInnerTexts();
    expect(today.split('\t').slice(1, 6).map(Number)).toEqual([1, 1, 0, 0, 0]);
    expect(await page.getByRole('list', { name: 'Reports' }).locator(':scope > li').count()).toBe(3);
    await page.getByLabel('Sort').selectOption('oldest');
    const first = page.getByRole('list', { name: 'Reports' }).getByRole('link').first();
    await expect.poll(() => first.getAttribute('href')).toBe(`/reports/${reports[0]}`);
    expect(new URL(page.url()).searchParams.get('reports')).toBe('oldest');
    await figure.locator('svg').hover({ position: { x: 5, y: 5 } });
    await figure.getByText('nothing open').waitFor();
    await rows.nth(1).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/reports/${reports[2]}`);
    await page.goBack();
    const box = await figure.locator('svg').boundingBox();
    await figure.locator('svg').click({ position: { x: (box?.width ?? 0) - 2, y: 5 } });
    await page.waitForURL(`**/reports/${reports[2]}`);
  });

  test('[D26] the tools of a project are named with their last scans, and the plot can be limited to one', async () => {
    const project = await bindProject(owner);
    await sync(project, {
      findings: [
        finding(1, 'Of a tool', { severity: 'critical', tags: ['tool:semgrep'] }),
        finding(2, 'Of the agent', { severity: 'low' }),
      ],
      scan: { ...scanOf('low'), tools: [{ name: 'Semgrep' }] },
    });
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/workspaces/${project.workspaceId}/projects`);
    await page.getByText('Semgrep, agent').first().waitFor();
    await page.goto(`/projects/${project.projectId}`);
    await page.getByRole('list', { name: 'Last scans' }).getByText('Semgrep, agent').waitFor();
    await page.getByRole('link', { name: 'Reports' }).click();
    const figure = page.getByRole('figure').filter({ hasText: 'Open findings' }).first();
    const today = async () => {
      const [, row = ''] = await figure.getByRole('row').allInnerTexts();
      return row.split('\t').slice(1, 6).map(Number);
    };
    await figure.getByText('Show the figures').click();
    expect(await today()).toEqual([1, 0, 0, 1, 0]);
    await page.getByLabel('Tool').selectOption('Semgrep');
    await expect.poll(today).toEqual([1, 0, 0, 0, 0]);
    await figure.getByText('Open findings of Semgrep').waitFor();
    const oldest = page.getByRole('region', { name: 'Oldest open findings' });
    expect(await oldest.getByRole('link').allInnerTexts()).toEqual(['Of a tool']);
    await page.getByLabel('Tool').selectOption('All tools');
    await expect.poll(today).toEqual([1, 0, 0, 1, 0]);
  });

  test('a recipe for pipelines has the values of this service and can be copied', async () => {
    const { project } = await history();
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${project.projectId}?tab=automation`);
    await page.getByRole('list', { name: 'Last scans' }).getByText('agent').waitFor();
    await page.getByRole('list', { name: 'Your devices' }).getByText('laptop').waitFor();
    const recipe = page.getByRole('group', { name: 'Pipeline', exact: true });
    await recipe.getByText(/CLI_SHA256: '[0-9a-f]{64}'/).waitFor();
    await page.getByRole('tab', { name: 'GitHub Actions' }).press('ArrowRight');
    await recipe.getByText('image: node:24').waitFor();
    await untilCopied(page, () => page.getByRole('button', { name: 'Copy pipeline' }).click());
    expect(await clipboardOf(page)).toContain(`SVC_API_BASE_URL: ${server.url}`);
  });

  test('[D12] the project page compares its two newest reports: new, fixed and changed severity', async () => {
    const { project, reports } = await history();
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${project.projectId}?tab=compare`);
    await page.getByText('1 new, 1 fixed, 0 not seen, 0 reopened, 1 severity changed, 0 recurring').waitFor();
    await group(page, 'New 1').getByRole('link', { name: 'Appeared' }).waitFor();
    await group(page, 'Fixed 1').getByRole('link', { name: 'Repaired' }).waitFor();
    await group(page, 'Severity changed 1').getByText('was low').waitFor();
    await page.getByText('used effort “low”, the older one “high”').waitFor();
    await group(page, 'New 1').getByRole('link', { name: 'Appeared' }).click();
    await page.waitForURL(`**/reports/${reports[2]}?finding=F-5`);
  });

  test('a missing finding counts as fixed only if the newer report covered it', async () => {
    const project = await bindProject(owner);
    await sync(project, { findings: [finding(1, 'Lasting'), finding(2, 'Gone')] });
    await sync(project, {
      findings: [finding(1, 'Lasting')],
      coverageAreas: [{ id: 'orders', name: 'Orders api', status: 'partial' }],
    });
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${project.projectId}?tab=compare`);
    await group(page, 'Not seen 1 · may not be fixed').getByRole('link', { name: 'Gone' }).waitFor();
    await page.getByText('its area was not fully covered').waitFor();
    expect(await page.getByText('0 new, 0 fixed, 1 not seen').isVisible()).toBe(true);
    expect(await page.getByText('not directly comparable').count()).toBe(0);
  });

  test('other reports can be compared, and the URL keeps the selection', async () => {
    const { project, reports } = await history();
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${project.projectId}`);
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.getByLabel('From').selectOption(reports[0] ?? '');
    await page.getByText('1 new, 2 fixed').waitFor();
    await page.reload();
    await page.getByText('1 new, 2 fixed').waitFor();
    await page.getByLabel('To').selectOption(reports[1] ?? '');
    await page.getByText('0 new, 1 fixed').waitFor();
    expect(await page.getByLabel('From').locator('option').count()).toBe(1);
  });

  test('[D5] an owner deletes a project after typing its name; a member has no button for it', async () => {
    const member = await server.signUp();
    const workspaceId = await createTeam(owner, [member]);
    const body = { workspaceId, name: 'Shop & more', bindingPublicId: newLocalId() };
    const { projectId } = bodyOf(await owner.api.createProject({ body }));
    await sync({ workspaceId, projectId }, {});
    const theirs = await watch({ cookie: member.cookie });
    await theirs.page.goto(`/projects/${projectId}?tab=settings`);
    await theirs.page.getByRole('heading', { level: 1, name: 'Shop & more' }).waitFor();
    expect(await theirs.page.getByRole('button', { name: 'Delete project…' }).count()).toBe(0);

    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${projectId}?tab=settings`);
    await page.getByRole('button', { name: 'Delete project…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Shop & more?' });
    const button = dialog.getByRole('button', { name: 'Delete project' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Project name').fill('Shop');
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Project name').fill('Shop & more');
    await button.click();
    await page.waitForURL(`${server.url}/`);
    // The URL changes before the page, and the page before its list, so wait for both.
    await page.getByRole('heading', { level: 1, name: /^(?:Overview|Get started)/ }).waitFor();
    await page.getByRole('link', { name: 'Shop & more' }).first().waitFor({ state: 'detached' });
    await theirs.page.reload();
    await theirs.page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });

  test('a project without reports shows how to scan', async () => {
    const { projectId } = await bindProject(owner);
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/projects/${projectId}`);
    await page.getByRole('group', { name: 'Scan command' }).waitFor();
  });

  test('a signed-out user gets the sign-in page, with the project as the next page', async () => {
    const { projectId } = await bindProject(owner);
    const { page } = await watch();
    await page.goto(`/projects/${projectId}`);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe(`/projects/${projectId}`);
  });

  test('the project page fits a narrow window and wide text spacing', { tags: 'thorough' }, async () => {
    const { project } = await history();
    for (const [width, css] of [
      [320, ''],
      [360, wideSpacing],
    ] as const) {
      const { page } = await watch({ width, cookie: owner.cookie });
      await page.goto(`/projects/${project.projectId}?tab=compare`);
      // The Content-Security-Policy blocks inline styles, so the style sheet is adopted.
      await page.evaluate(
        `document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].replaceSync('${css}')`,
      );
      await page.getByText('1 new, 1 fixed').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const word = await group(page, 'New 1').getByText('Critical').boundingBox();
      expect(word?.width).toBeGreaterThan(30);
    }
  });
});
