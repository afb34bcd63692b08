/** The reference of the API in a real browser. */
import { endpoints, type Operation } from '@svc/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { expectNoAxeFindings, themes, untilCopied } from './page-watch.ts';

/** The tool looks at thousands of elements. */
const slow = { timeout: 300_000 };

describePages('the API reference', { timeout: 90_000 }, () => {
  const { server, watch } = browserSuite();

  const articleOf = (page: Page, operation: Operation) =>
    page.getByRole('article', { name: endpoints[operation].summary, exact: true });
  const signUpOf = (page: Page) => articleOf(page, 'signUp');
  const total = Object.keys(endpoints).length;

  test.each(themes)(
    'has no finding of axe in the %s theme, and can be read signed out',
    slow,
    async (theme) => {
      await using watched = await watch({ theme });
      const { page } = watched;
      await page.goto('/docs');
      await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
      // One of everything that there is; all of it would keep the tool busy for long.
      await page.getByRole('searchbox', { name: 'Search' }).fill('defaultPolicy');
      await articleOf(page, 'signUp').waitFor({ state: 'detached' });
      await articleOf(page, 'createShare').getByText('Fields of SharePolicy').first().click();
      await expectNoAxeFindings(page);
      await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
      await page.getByRole('button', { name: 'Show all operations' }).waitFor();
      await expectNoAxeFindings(page);
      expect(watched.complaints).toEqual([]);
    },
  );

  test('has no finding of axe as a whole', slow, async () => {
    await using watched = await watch();
    await watched.page.goto('/docs');
    await signUpOf(watched.page).waitFor();
    await expectNoAxeFindings(watched.page);
    expect(watched.complaints).toEqual([]);
  });

  test('tells of an operation how it is called, what it takes, answers and refuses', async () => {
    await using watched = await watch();
    await watched.page.goto('/docs');
    const text = await signUpOf(watched.page).innerText();
    for (const part of [
      'POST',
      '/api/v1/auth/signup',
      'Anyone may call it.',
      '12 to 256 characters',
      'may be left out',
      'recoveryCode',
      'RATE_LIMITED',
      'Too many attempts.',
      `curl --request POST '${server.url}/api/v1/auth/signup'`,
    ])
      expect(text).toContain(part);
    expect(watched.complaints).toEqual([]);
  });

  test('the address leads to an operation, whether it is loaded, followed or gone back to', async () => {
    await using watched = await watch();
    const { page } = watched;
    async function isAtTop(operation: Operation): Promise<boolean> {
      const box = await articleOf(page, operation).boundingBox();
      return box !== null && box.y >= 0 && box.y < 100;
    }
    await page.goto('/docs#createProject');
    await expect.poll(() => isAtTop('createProject')).toBe(true);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'Who is signed in' }).click();
    await expect.poll(() => isAtTop('getSession')).toBe(true);
    expect(new URL(page.url()).hash).toBe('#getSession');
    await expect
      .poll(() => contents.getByRole('link', { name: 'Who is signed in' }).getAttribute('aria-current'))
      .toBe('location');
    await page.goBack();
    await expect.poll(() => isAtTop('createProject')).toBe(true);
    expect(watched.complaints).toEqual([]);
  });

  test('a search leaves the operations that hold its words, and says how many', async () => {
    await using watched = await watch();
    const { page } = watched;
    await page.goto('/docs');
    await page.getByRole('searchbox', { name: 'Search' }).fill('recoveryCode');
    await page.getByText(`3 of ${total} operations`).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(3);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
    await page.getByText('No operation holds all of these words.').waitFor();
    await page.getByRole('button', { name: 'Show all operations' }).click();
    await expect.poll(() => page.getByRole('article').count()).toBe(total);
    expect(watched.complaints).toEqual([]);
  });

  test('an example is copied whole', async () => {
    await using watched = await watch();
    const { page } = watched;
    await page.goto('/docs');
    const example = page.getByRole('button', { name: 'Copy the example: Sign in with email and password' });
    await untilCopied(page, () => example.click());
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`curl --request POST '${server.url}/api/v1/auth/login'`);
    expect(copied.endsWith(`}'`)).toBe(true);
    expect(watched.complaints).toEqual([]);
  });

  test.each([360, 768, 1280, 3840])('nothing is wider than a window of %d px', async (width) => {
    await using watched = await watch({ width });
    const { page } = watched;
    await page.goto('/docs');
    await signUpOf(page).waitFor();
    const isTooWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate<boolean>(isTooWide)).toBe(false);
    expect(await page.getByRole('link', { name: 'Credentials and errors' }).isVisible()).toBe(width >= 1024);
    expect(watched.complaints).toEqual([]);
  });

  test('is printed without what only a screen needs', async () => {
    await using watched = await watch({ theme: 'dark' });
    const { page } = watched;
    await page.goto('/docs');
    await signUpOf(page).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('navigation', { name: 'Contents' }).waitFor({ state: 'hidden' });
    expect(
      await page
        .getByRole('button', { name: /^Copy the example/ })
        .first()
        .isVisible(),
    ).toBe(false);
    expect(await signUpOf(page).isVisible()).toBe(true);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    expect(watched.complaints).toEqual([]);
  });

  test('is loaded by those alone who open it', async () => {
    await using watched = await watch();
    const { page } = watched;
    const loaded: string[] = [];
    page.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
    await page.goto('/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const isDocs = (name: string) => name.startsWith('/assets/docs-');
    expect(loaded.some(isDocs)).toBe(false);
    await page.getByRole('link', { name: 'API' }).click();
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    await expect.poll(() => loaded.some(isDocs)).toBe(true);
    expect(watched.complaints).toEqual([]);
  });
});
