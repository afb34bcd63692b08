/** A person follows a scan and reads its report, in a real browser. */
import { randomUUID } from 'node:crypto';
import type { ProgressEvent } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createShell,
  findingBody,
  newLocalId,
  reportBytes,
  startServer,
  syncReport,
  upload,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { browserMissing, launchBrowser } from '@svc/testkit/browser';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Breaks out of text, of attributes and of the title; the title says whether anything of it ran. */
const hostile = (which: number) => `${which}"'></title><img src=//e.test onerror=document.title='ran'>`;

describe.skipIf(browserMissing)('a report in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let owner: SessionActor;
  let device: DeviceActor;

  beforeAll(async () => {
    server = await startServer({ generousPlans: true });
    browser = await launchBrowser();
    owner = await server.signUp();
    device = await server.linkDevice(owner);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** What the page complained about, and what it asked of others. */
  async function visit(
    path: string,
    { cookie = owner.cookie, ...look }: BrowserContextOptions & { cookie?: string } = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext(look);
    const [name = '', value = ''] = cookie.split('=');
    if (value !== '') await context.addCookies([{ name, value, url: server.url }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) complaints.push(request.url());
    });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
    await page.goto(server.url + path);
    return { page, complaints };
  }

  const say = async (
    reportId: string,
    ...events: Omit<ProgressEvent, 'eventId' | 'reportId' | 'occurredAt'>[]
  ) =>
    bodyOf(
      await device.api.sendProgress({
        params: { id: reportId },
        body: {
          events: events.map((event) => ({
            ...event,
            reportId,
            eventId: randomUUID(),
            occurredAt: new Date().toISOString(),
          })),
        },
      }),
    );

  test('a scan is followed by itself, and its page becomes the report when it is final', async () => {
    const { reportId, localReportId } = await createShell(device);
    await say(reportId, { type: 'scan_started' }, { type: 'phase_started', phase: 'inventory' });
    const { page, complaints } = await visit(`/reports/${reportId}`);
    const phases = page.locator('#phases');
    const feed = page.getByRole('list', { name: 'Events' });
    await phases.getByText('Listing the files: under way').waitFor();
    await say(
      reportId,
      { type: 'phase_completed', phase: 'inventory', safeCode: 'ok' },
      { type: 'phase_started', phase: 'secret_review' },
      { type: 'finding_recorded', phase: 'secret_review' },
      { type: 'heartbeat' },
      { type: 'tool_completed', phase: 'secret_review', safeCode: 'tool_failed' },
    );
    await phases.getByText('Listing the files: done').waitFor();
    await feed.getByText('A tool has finished · Searching for secrets · the tool failed').waitFor();
    expect(await feed.getByRole('listitem').count()).toBe(6);
    expect(await page.locator('#found').textContent()).toBe('1 finding so far');

    const uploadId = await upload(device, reportId, reportBytes({ localReportId }));
    bodyOf(await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } }));
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    expect(await page.getByText('1 finding, 1 verified').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('whoever is signed out signs in on the page and is then at the report', async () => {
    const { reportId } = await syncReport(device);
    const { page } = await visit(`/reports/${reportId}`, { cookie: '' });
    await page.getByRole('heading', { name: 'Sign in to read this report' }).waitFor();
    const form = page.locator('form[data-call="POST /auth/login"]');
    await form.getByLabel('Email').fill(owner.email);
    await form.getByLabel('Password').fill(owner.password);
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'Findings' }).waitFor();
    expect(page.url()).toBe(`${server.url}/reports/${reportId}`);
  });

  test('a page that is open when its reader signs out elsewhere asks to sign in', async () => {
    const reader = await server.signUp();
    const { reportId } = await createShell(await server.linkDevice(reader));
    const { page } = await visit(`/reports/${reportId}`, { cookie: reader.cookie });
    await page.getByRole('heading', { name: 'Phases' }).waitFor();
    bodyOf(await reader.api.logOut());
    await page.getByRole('heading', { name: 'Sign in to read this report' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Phases' }).count()).toBe(0);
  });

  test('by the keyboard alone a finding is opened and its code scrolled to', async () => {
    const { reportId } = await syncReport(device);
    const { page } = await visit(`/reports/${reportId}`);
    const code = page.getByText('orders.get(id)', { exact: true });
    expect(await code.isVisible()).toBe(false);
    const focused = () => page.evaluate("document.activeElement?.closest('.finding') !== null");
    while (!(await focused())) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await code.waitFor();
    await page.keyboard.press('Tab');
    expect(await code.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
  });

  test('[T12] hostile text in every field is shown as it is: no script, no request, no violation', async () => {
    const { body, texts } = hostileReport();
    const { reportId } = await syncReport(device, { body });
    const { page, complaints } = await visit(`/reports/${reportId}`);
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    const shown = (await page.locator('main').textContent()) ?? '';
    expect(texts.filter((text) => !shown.includes(text))).toEqual([]);
    expect(await page.title()).toBe('repository: report');
    expect(await page.locator('main').locator('script, img, svg').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('[T12] a hostile name of a project is text on its reports and on the first page', async () => {
    const { workspaceId } = await bindProject(owner);
    const body = { workspaceId, name: hostile(0), bindingPublicId: newLocalId() };
    const { projectId } = bodyOf(await owner.api.createProject({ body }));
    const project = { workspaceId, projectId };
    const final = await syncReport(device, { project });
    const live = await createShell(device, project);
    for (const path of [`/reports/${final.reportId}`, `/reports/${live.reportId}`, '/']) {
      const { page, complaints } = await visit(path);
      await page.getByText(hostile(0)).first().waitFor();
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.title()).not.toBe('ran');
      expect(complaints).toEqual([]);
    }
  });

  test.each(['light', 'dark'] as const)(
    'on a narrow screen, %s, nothing is cut off or overlaps',
    async (colorScheme) => {
      const long = 'averylongwordwithoutanyspace'.repeat(3);
      const finding = {
        ...findingBody(1),
        title: long,
        affected: { component: 'x', file: `src/${long}.ts` },
      };
      const { reportId } = await syncReport(device, { body: { findings: [finding], limitations: [long] } });
      const live = await createShell(device);
      for (const path of [`/reports/${reportId}`, `/reports/${live.reportId}`, '/']) {
        const { page } = await visit(path, { viewport: { width: 360, height: 740 }, colorScheme });
        await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      }
    },
  );
});

/** A report of hostile texts, each with a number of its own, and all of them. */
function hostileReport() {
  const texts: string[] = [];
  const text = () => {
    texts.push(hostile(texts.length + 1));
    return texts.at(-1);
  };
  const evidence = () => ({ kind: 'source', description: text(), snippet: text(), location: text() });
  const finding = {
    ...findingBody(1),
    title: text(),
    summary: text(),
    impact: text(),
    affected: { component: 'orders', file: text(), lineStart: 1 },
    evidence: [evidence()],
    corroboration: [evidence()],
    remediation: text(),
    verificationPlan: text(),
    reproduction: text(),
    taxonomy: [text()],
    tags: [text()],
    references: [text()],
    secretReferences: [{ label: text(), kind: text(), location: text(), fingerprint: 'f' }],
  };
  const places = [{ route: text() }, { origin: text() }, { component: text() }];
  const elsewhere = places.map((place, index) => ({
    ...findingBody(index + 2),
    affected: { component: 'orders', ...place },
  }));
  const [startedAt, finishedAt] = ['2026-03-04T05:06:07.000Z', '2026-03-04T05:16:07.000Z'];
  const body = {
    findings: [finding, ...elsewhere],
    project: { name: 'shop', repositoryUrl: text() },
    scan: {
      startedAt,
      finishedAt,
      effortRequested: 'auto',
      effortResolved: 'high',
      branch: text(),
      agent: { name: text(), version: text(), model: text() },
      host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
      tools: [{ name: text(), version: text() }],
    },
    coverage: [text()],
    coverageAreas: [{ id: 'a', name: text(), status: 'partial', note: text() }],
    limitations: [text()],
  };
  return { body, texts };
}
