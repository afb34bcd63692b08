/** A person who has no mouse: what there is to do is done by keys alone, from page to page. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

/** Of the browser, on a machine that has other things to do. */
const patience = { timeout: 15_000 };
/** More than any of the ways below takes. */
const STEPS_MAX = 60;
const PASSWORD = 'correct horse battery staple';

/** Something has the focus, and shows it by an outline or lies under one that does. */
const SHOWS_FOCUS = `(() => {
  const style = getComputedStyle(document.activeElement);
  return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
})()`;

describePages('by keys alone', () => {
  const { server, watch } = browserSuite();

  async function hasFocus(page: Page, wanted: Locator): Promise<boolean> {
    return (await wanted.and(page.locator(':focus')).count()) > 0;
  }

  /** Tabs on until the focus is where it is wanted, and can be seen there. */
  async function tabTo(page: Page, wanted: Locator, key = 'Tab'): Promise<void> {
    await wanted.waitFor();
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      await page.keyboard.press(key);
      if (await hasFocus(page, wanted)) {
        if (await page.evaluate<boolean>(SHOWS_FOCUS)) return;
        throw new Error(`The focus can not be seen on ${String(wanted)}.`);
      }
    }
    throw new Error(`The keys do not come to ${String(wanted)}.`);
  }

  async function pressOn(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
    await tabTo(page, wanted);
    await page.keyboard.press(key);
  }

  /** A menu moves the focus a moment after the key; the next key counts from where it is by then. */
  async function goInMenu(page: Page, key: string, item: string): Promise<void> {
    await page.keyboard.press(key);
    await expect.poll(() => hasFocus(page, page.getByRole('menuitem', { name: item })), patience).toBe(true);
  }

  const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test(
    'a person signs up, keeps the code, goes through the settings and the API, and signs out',
    { timeout: 90_000 },
    async () => {
      await using watched = await watch();
      const { page } = watched;
      await page.goto('/signup');
      await h1(page, 'Make an account').waitFor();
      await tabTo(page, page.getByRole('textbox', { name: 'Email' }));
      await page.keyboard.type('keys@example.test');
      await tabTo(page, page.getByLabel('Password', { exact: true }));
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');

      await h1(page, 'Keep your recovery code').waitFor();
      await pressOn(page, page.getByRole('button', { name: 'Copy recovery code' }));
      await pressOn(page, page.getByRole('checkbox'), 'Space');
      await pressOn(page, page.getByRole('button', { name: 'Continue' }));
      await page.waitForURL(`${server.url}/`);

      await page.goto('/docs');
      await h1(page, 'API reference').waitFor();
      await tabTo(page, page.getByRole('searchbox', { name: 'Search' }));
      await page.keyboard.type('getSession');
      await page.getByText(/^1 of \d+ operations$/).waitFor();
      await pressOn(page, page.getByRole('link', { name: 'Who is signed in' }).first());
      await page.waitForURL(`${server.url}/docs#getSession`);
      await pressOn(page, page.getByRole('button', { name: /^Copy the example/ }));
      await page.getByRole('button', { name: 'Copied' }).waitFor();

      await page.keyboard.press('Home');
      await tabTo(page, page.getByTitle('Your account'), 'Shift+Tab');
      await goInMenu(page, 'Enter', 'Settings');
      await goInMenu(page, 'ArrowDown', 'Sign out');
      await goInMenu(page, 'ArrowUp', 'Settings');
      await page.keyboard.press('Enter');
      await h1(page, 'Settings').waitFor();
      // A page that comes in place of another is told of, and the keys go on from there.
      await expect.poll(() => hasFocus(page, h1(page, 'Settings')), patience).toBe(true);

      await tabTo(page, page.getByTitle('Your account'), 'Shift+Tab');
      await goInMenu(page, 'Enter', 'Settings');
      await goInMenu(page, 'End', 'Sign out');
      // Released in the document that comes: one that goes may never say that it has heard of a key.
      await page.keyboard.down('Enter');
      await page.waitForURL(`${server.url}/`);
      await page.keyboard.up('Enter');
      await expect.poll(async () => (await watched.context.cookies()).length, patience).toBe(0);
      expect(watched.complaints).toEqual([]);
    },
  );

  test('the first key leads past what every page begins with', async () => {
    await using watched = await watch();
    const { page } = watched;
    await page.goto('/docs');
    await h1(page, 'API reference').waitFor();
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the page' });
    expect(await hasFocus(page, skip)).toBe(true);
    await page.keyboard.press('Enter');
    await pressOn(page, page.getByRole('searchbox', { name: 'Search' }), 'a');
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('a');
    expect(watched.complaints).toEqual([]);
  });
});
