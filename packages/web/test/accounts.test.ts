/** Signing up, in, and in again when the password is lost, in a real browser. */
import { startServer, type TestServer } from '@svc/testkit';
import { browserMissing, launchBrowser } from '@svc/testkit/browser';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeFindings, themes, watchPage } from './page-watch.ts';

describe.skipIf(browserMissing)('accounts', () => {
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

  test.each(themes)('[D3] the forms have no finding of axe in the %s theme', async (theme) => {
    await using watched = await watchPage(browser, server.url, { theme });
    for (const path of ['/login', '/signup']) {
      await watched.page.goto(path);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
      await expectNoAxeFindings(watched.page);
    }
    expect(watched.complaints).toEqual([]);
  });
});
