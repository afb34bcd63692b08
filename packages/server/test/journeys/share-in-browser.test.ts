/** An owner makes a link on the page of a report, somebody else opens it, and the owner takes it back; in a real browser. */
import { readFileSync } from 'node:fs';
import { startServer, syncReport, type SessionActor, type TestServer } from '@svc/testkit';
import { browserMissing, launchBrowser } from '@svc/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const PASSWORD = 'grüner Tee um vier';

describe.skipIf(browserMissing)('a link in a browser', () => {
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

  async function makeLink(page: Page, fill: (form: ReturnType<Page['locator']>) => Promise<void>) {
    await page.getByText('Share', { exact: false }).first().click();
    const form = page.locator('#share-form');
    await fill(form);
    await form.getByRole('button', { name: 'Make a link' }).click();
    const url = form.getByLabel('The link.');
    await url.waitFor();
    return onThisServer(await url.inputValue());
  }

  /** Links bear the address under which people reach the service. */
  const onThisServer = (address: string) => server.url + new URL(address).pathname;

  test('a password opens it, without the code that was left out, until it is revoked', async () => {
    const { page, complaints } = await visit(`${server.url}/reports/${reportId}`, owner.cookie);
    const url = await makeLink(page, async (form) => {
      await form.getByLabel('Password, if it needs one').fill(PASSWORD);
      await form.getByLabel('Your own name').fill('For the customer');
    });

    const { page: theirs, complaints: theirComplaints } = await visit(url);
    await theirs.getByRole('heading', { name: 'This link needs its password' }).waitFor();
    await theirs.getByLabel('Password').fill('something else');
    await theirs.getByRole('button', { name: 'Open' }).click();
    await theirs.getByText('This is not its password.').waitFor();
    await theirs.getByLabel('Password').fill(PASSWORD);
    await theirs.getByRole('button', { name: 'Open' }).click();
    await theirs.getByRole('heading', { name: 'Findings' }).waitFor();
    await theirs.getByText('Order lookup trusts').first().click();
    const shown = (await theirs.locator('main').textContent()) ?? '';
    expect(shown).toContain('For Anonymous');
    expect(shown).not.toContain('src/orders');
    expect(theirs.url()).toBe(url);

    const download = theirs.waitForEvent('download');
    await theirs.getByRole('button', { name: 'Markdown' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^report-.*\.md$/);
    expect(readFileSync(await file.path(), 'utf8')).not.toContain('src/orders');

    await page.reload();
    await page.getByText('Share (1)').click();
    const link = page.getByRole('listitem').filter({ hasText: 'For the customer' });
    await link.getByText('1 view').waitFor();
    await link.getByRole('button', { name: 'Revoke link' }).click();
    await link.getByText('Revoked.').waitFor();

    await theirs.goto(url);
    await theirs.getByRole('heading', { name: 'This link is not available' }).waitFor();
    expect([...complaints, ...theirComplaints]).toEqual([]);
  });

  test('a link for people with an account asks to sign in, and opens then', async () => {
    const { page } = await visit(`${server.url}/reports/${reportId}`, owner.cookie);
    const url = await makeLink(page, async (form) => {
      await form.getByLabel('Who').first().selectOption('anyone_with_link');
      await form.getByLabel('Without names').check();
    });
    const reader = await server.signUp();
    const { page: theirs } = await visit(url);
    await theirs.getByRole('heading', { name: 'Sign in to open this link' }).waitFor();
    const form = theirs.locator('form[data-call="POST /auth/login"]');
    await form.getByLabel('Email').fill(reader.email);
    await form.getByLabel('Password').fill(reader.password);
    await form.getByRole('button').click();
    await theirs.getByRole('heading', { name: 'Findings' }).waitFor();
    expect(await theirs.getByRole('heading', { level: 1 }).textContent()).toBe('Security report');
  });

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

  test('a link that nobody could open is not made, and a name that is none is called by what was typed', async () => {
    const { page } = await visit(`${server.url}/reports/${reportId}`, owner.cookie);
    await page.locator('#sharing > summary').click();
    const form = page.locator('#share-form');
    await form.getByLabel('Who').first().selectOption('private');
    await form.getByRole('button', { name: 'Make a link' }).click();
    await form.getByText('Name who may open it').waitFor();
    await form.getByLabel('Named:').fill('max@example.test\nmax');
    await form.getByRole('button', { name: 'Make a link' }).click();
    await form.getByText('“max” must be an email address').waitFor();
    await form.getByLabel('Named:').fill('max@example.test');
    await form.getByRole('button', { name: 'Make a link' }).click();
    await form.getByLabel('The link.').waitFor();
    expect(await form.locator('.error').isHidden()).toBe(true);
  });

  test.each(['nothing', 'a'.repeat(27)])('an address that is none is not available: %s', async (slug) => {
    const answer = await fetch(`${server.url}/s/${slug}`, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('private, no-store, must-revalidate');
    expect(await answer.text()).toContain('This link is not available');
  });
});
