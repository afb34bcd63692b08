/** An HTML export in a real browser: scripts, requests, layout and print. */
import { axeViolations } from '@svc/testkit/axe';
import { browserMissing, sharedBrowser } from '@svc/testkit/browser';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../src/render/html.ts';
import { fullFinding, fullProjection } from './full-projection.ts';
import { polyglots, replaced } from './hostile-projections.ts';

const ADDRESS = 'http://report.test/report.html';

describe.skipIf(browserMissing)('an HTML export in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

  /** A page that shows documents, and everything that they log, open or request. */
  async function open(look: BrowserContextOptions = {}) {
    const page = await (await browser.newContext(look)).newPage();
    let html = '';
    const events: string[] = [];
    page.on('console', (message) => events.push(message.text()));
    page.on('pageerror', (error) => events.push(error.message));
    page.on('dialog', (dialog) => events.push(dialog.message()));
    page.on('popup', (popup) => events.push(popup.url()));
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (url !== ADDRESS) events.push(url);
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body: url === ADDRESS ? html : '' });
    });
    async function show(given: string): Promise<void> {
      html = given;
      await page.goto(ADDRESS);
    }
    return { page, events, show };
  }

  test('[T12] runs nothing and sends no request for any polyglot', async () => {
    const { page, events, show } = await open();
    const failed: unknown[] = [];
    for (const polyglot of polyglots) {
      await show(
        renderHtml(
          replaced(() => polyglot, 'all texts'),
          { reportUrl: polyglot },
        ),
      );
      await hoverAndFocusAll(page);
      const title = await page.title();
      const elements = await page.locator('script, img, iframe, object, form, base').count();
      const done = events.splice(0);
      if (!title.includes('security report') || elements > 0 || done.length > 0)
        failed.push({ polyglot, title, elements, done });
    }
    expect(failed).toEqual([]);
  });

  test('[T12] runs and loads nothing even if markup broke out of a text', async () => {
    const broken =
      '<script>document.title="ran"</script><img src="//e.test/x" onerror="document.title=1"><p style="color:red">';
    const html = renderHtml(fullProjection()).replace('<main>', `<main>${broken}`);
    const { page, events, show } = await open();
    await show(html);
    expect(await page.title()).toBe('shop: security report');
    // The browser logs what it blocked, and sends no request.
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(3);
    expect(events.filter((event) => !event.includes('Content Security Policy'))).toEqual([]);
  });

  const findings = (['critical', 'high', 'medium', 'low', 'info'] as const).map((severity, index) =>
    fullFinding({
      id: `F-${index + 1}`,
      severity,
      summary: 'See `x`:\n\n- one\n- two\n\n```ts\nconst a = 1;\n```',
    }),
  );

  test('has no accessibility violations in either theme', async () => {
    const { page, events, show } = await open();
    await show(renderHtml(fullProjection(findings)));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const rules = colorScheme === 'light' ? {} : { runOnly: ['color-contrast'] };
      const found = await axeViolations(page, { resultTypes: ['violations'], preload: false, ...rules });
      expect([colorScheme, found]).toEqual([colorScheme, []]);
    }
    expect(events).toEqual([]);
  });

  test('fits screens of any width, with any content', async () => {
    const long = 'averylongwordwithoutanyspace'.repeat(6);
    const { page, show } = await open();
    await show(renderHtml(replaced(() => long, 'free texts')));
    for (const width of [360, 1024, 3840]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  test('prints completely, on a light page with wrapped code', async () => {
    const { page, show } = await open({ colorScheme: 'dark' });
    await show(renderHtml(fullProjection(findings)));
    await page.emulateMedia({ media: 'print' });
    const styles = await page.evaluate(
      `[document.body, document.querySelector('pre')].map((part) => getComputedStyle(part)).map((style) => [style.backgroundColor, style.whiteSpace, style.maxHeight])`,
    );
    expect(styles).toEqual([
      ['rgb(255, 255, 255)', 'normal', 'none'],
      ['rgb(249, 249, 251)', 'pre-wrap', 'none'],
    ]);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(5);
  });
});

async function hoverAndFocusAll(page: Page): Promise<void> {
  await page.evaluate(`for (const element of document.querySelectorAll('*')) {
    for (const type of ['mouseover', 'mouseenter', 'focus', 'load', 'error', 'toggle', 'animationstart'])
      element.dispatchEvent(new Event(type));
    element.focus?.();
  }`);
}
