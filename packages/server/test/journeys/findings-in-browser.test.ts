/** An owner works on the findings of a report on its page; in a real browser. */
import { startServer, syncReport, type SessionActor, type TestServer } from '@svc/testkit';
import { browserMissing, launchBrowser } from '@svc/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describe.skipIf(browserMissing)('findings in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let owner: SessionActor;
  let reportId: string;

  beforeAll(async () => {
    server = await startServer({ generousPlans: true });
    browser = await launchBrowser();
    owner = await server.signUp();
    ({ reportId } = await syncReport(await server.linkDevice(owner)));
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  async function visit(address: string, cookie = ''): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext();
    const [name = '', value = ''] = cookie.split('=');
    if (value !== '') await context.addCookies([{ name, value, url: server.url }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
    await page.goto(address);
    return { page, complaints };
  }

  test('a finding is set aside on the page of its report', async () => {
    const { page } = await visit(`${server.url}/reports/${reportId}`, owner.cookie);
    await page.getByText('Order lookup trusts').first().click();
    await page.getByLabel('Status').first().selectOption('accepted_risk');
    await page.getByRole('button', { name: 'Change' }).first().click();
    await page.locator('.finding[open] summary').getByText('accepted risk').waitFor();
    expect(await page.getByLabel('Status').first().inputValue()).toBe('accepted_risk');
  });

  test('an address that names a finding opens it', async () => {
    const { page } = await visit(`${server.url}/reports/${reportId}?finding=F-1`, owner.cookie);
    await page.locator('#F-1[open]').getByRole('heading', { name: 'Impact' }).waitFor();
    const { page: other, complaints } = await visit(
      `${server.url}/reports/${reportId}?finding=sharing`,
      owner.cookie,
    );
    expect(await other.locator('details[open]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('a finding can be moved only to where it can go', async () => {
    const { reportId: other } = await syncReport(await server.linkDevice(owner));
    const { page } = await visit(`${server.url}/reports/${other}`, owner.cookie);
    const offered = await page.getByLabel('Status').first().locator('option').allTextContents();
    expect(offered).toEqual(['open', 'fix suggested', 'accepted risk', 'false positive']);
  });
});
