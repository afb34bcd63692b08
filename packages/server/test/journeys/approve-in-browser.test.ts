/** A person who has never been here approves a device, in a real browser. */
import { bodyOf, startServer, type TestServer } from '@svc/testkit';
import { browserMissing, launchBrowser } from '@svc/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

describe.skipIf(browserMissing)('the approval page in a browser', () => {
  let server: TestServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startServer();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  /** A fresh visitor, and everything the page complained about. */
  async function visit(path: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await browser.newContext()).newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
    await page.goto(server.url + path);
    return { page, complaints };
  }

  test('[T7] a new person signs up, sees the match code and the device, approves, and the device gets its token', async () => {
    const { publicRequestId, verifier } = await server.beginLink({
      deviceName: 'build <script>alert(1)</script>',
    });
    const { page, complaints } = await visit(`/link/${publicRequestId}`);
    const matchCode = await page.locator('.code').first().textContent();

    await page.getByText('Make an account').first().click();
    const form = page.locator('form[data-call="POST /auth/signup"]');
    await form.getByLabel('Email').fill('new@example.test');
    await form.getByLabel('Password').fill('new horses run far');
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'Keep your recovery code' }).waitFor();
    expect(await page.locator('#recovery-code').textContent()).toMatch(/^([0-9A-Z]{5}-){4}[0-9A-Z]{5}$/);
    await page.getByRole('button', { name: 'I have kept it' }).click();

    await page
      .getByRole('heading', { name: 'Connect “build <script>alert(1)</script>” to your account?' })
      .waitFor();
    expect(await page.locator('.code').first().textContent()).toBe(matchCode);
    expect(await page.getByText('If a website or a person sent you here, deny it.').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'is approved' }).waitFor();

    const exchanged = bodyOf(
      await server.anonymous.api.exchangeDeviceLink({ params: { id: publicRequestId }, body: { verifier } }),
    );
    expect(exchanged.email).toBe('new@example.test');
    await page.reload();
    await page.getByRole('heading', { name: 'This device is connected' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a wrong password is said in place, and what was typed stays', async () => {
    const { page } = await visit('/');
    const form = page.locator('form[data-call="POST /auth/login"]');
    await form.getByLabel('Email').fill('nobody@example.test');
    await form.getByLabel('Password').fill('not the password');
    await form.getByRole('button').click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByRole('alert').textContent()).toContain('do not belong together');
    expect(await form.getByLabel('Email').inputValue()).toBe('nobody@example.test');
  });

  test('a denied link is shown as denied', async () => {
    const owner = await server.signUp();
    const { publicRequestId } = await server.beginLink();
    const { page } = await visit('/');
    const [name = '', value = ''] = owner.cookie.split('=');
    await page.context().addCookies([{ name, value, url: server.url }]);
    await page.goto(`${server.url}/link/${publicRequestId}`);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'This link was denied' }).waitFor();
    const link = await owner.api.getDeviceLink({ params: { id: publicRequestId } });
    expect(link).toMatchObject({ body: { state: 'denied' } });
  });
});
