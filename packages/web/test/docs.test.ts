/** The API reference in a real browser. */
import { endpoints, type Operation } from '@svc/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';

describePages('the API reference', () => {
  const { server, watch } = browserSuite();

  const articleOf = (page: Page, operation: Operation) =>
    page.getByRole('article', { name: endpoints[operation].summary, exact: true });
  const signUpOf = (page: Page) => articleOf(page, 'signUp');
  const total = Object.keys(endpoints).length;

  test('the reference shows request, responses and errors of an operation, and can be searched, copied and printed', async () => {
    const { page } = await watch();
    await page.goto('/docs');
    const text = await signUpOf(page).innerText();
    for (const part of [
      'POST',
      '/api/v1/auth/signup',
      'No credential required.',
      '12 to 256 characters',
      'optional',
      'recoveryCode',
      'RATE_LIMITED',
      'Too many attempts.',
      `curl --request POST '${server.url}/api/v1/auth/signup'`,
    ])
      expect(text).toContain(part);

    const example = page.getByRole('button', { name: 'Copy the example: Sign in with email and password' });
    await untilCopied(page, () => example.click());
    const copied = await clipboardOf(page);
    expect(copied).toContain(`curl --request POST '${server.url}/api/v1/auth/login'`);
    expect(copied.endsWith(`}'`)).toBe(true);

    await page.getByRole('searchbox', { name: 'Search' }).fill('recoveryCode');
    await page.getByText(`3 of ${total} operations`).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
    await page.getByText('No operation matches your search.').waitFor();
    await page.getByRole('button', { name: 'Show all operations' }).click();
    await expect.poll(() => page.getByRole('article').count()).toBe(total);

    // A narrow window and a print show only the operations.
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const group = contents.getByRole('link', { name: 'Credentials and errors' });
    await group.waitFor();
    await page.setViewportSize({ width: 1000, height: 800 });
    await group.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await group.waitFor();
    await page.emulateMedia({ media: 'print' });
    await contents.waitFor({ state: 'hidden' });
    await example.waitFor({ state: 'hidden' });
    expect(await signUpOf(page).isVisible()).toBe(true);
  });

  test('the reference loads only on its own page, and a URL leads to each operation', async () => {
    const { page } = await watch();
    async function isAtTop(operation: Operation): Promise<boolean> {
      const box = await articleOf(page, operation).boundingBox();
      return box !== null && box.y >= 0 && box.y < 100;
    }
    const loaded: string[] = [];
    page.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
    const isDocs = (name: string) => name.startsWith('/assets/docs-');
    await page.goto('/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(loaded.some(isDocs)).toBe(false);
    await page.getByRole('link', { name: 'API' }).click();
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    expect(loaded.some(isDocs)).toBe(true);
    await page.goto('about:blank');
    await page.goto('/docs#createProject');
    await expect.poll(() => isAtTop('createProject')).toBe(true);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'Get the signed-in user' }).click();
    await expect.poll(() => isAtTop('getSession')).toBe(true);
    expect(new URL(page.url()).hash).toBe('#getSession');
    await expect
      .poll(() => contents.getByRole('link', { name: 'Get the signed-in user' }).getAttribute('aria-current'))
      .toBe('location');
    await page.goBack();
    await expect.poll(() => isAtTop('createProject')).toBe(true);
  });
});
