/** The document in a real browser: what it runs, asks for, looks like and prints. */
import { AxeBuilder } from '@axe-core/playwright';
import { browserMissing, launchBrowser } from '@svc/testkit/browser';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../src/render/html.ts';
import { fullFinding, fullProjection } from './full-projection.ts';
import { polyglots, replaced } from './hostile-projections.ts';

const ADDRESS = 'http://report.test/report.html';

describe.skipIf(browserMissing)('the document in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** The page, and whatever it did besides being shown. */
  async function show(html: string, look: BrowserContextOptions = {}) {
    const page = await (await browser.newContext(look)).newPage();
    const deeds: string[] = [];
    page.on('console', (message) => deeds.push(message.text()));
    page.on('pageerror', (error) => deeds.push(error.message));
    page.on('dialog', (dialog) => deeds.push(dialog.message()));
    page.on('popup', (popup) => deeds.push(popup.url()));
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      if (url !== ADDRESS) deeds.push(url);
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body: url === ADDRESS ? html : '' });
    });
    await page.goto(ADDRESS);
    return { page, deeds };
  }

  test.each(polyglots)('[T12] runs nothing and asks for nothing: %s', async (polyglot) => {
    const { page, deeds } = await show(
      renderHtml(
        replaced(() => polyglot, 'all texts'),
        { reportUrl: polyglot },
      ),
    );
    await hoverAndFocusAll(page);
    expect(await page.title()).toContain('security report');
    expect(await page.locator('script, img, iframe, object, form, base').count()).toBe(0);
    expect(deeds).toEqual([]);
    await page.context().close();
  });

  test('[T12] even markup that broke out would run and load nothing', async () => {
    const broken =
      '<script>document.title="ran"</script><img src="//e.test/x" onerror="document.title=1"><p style="color:red">';
    const html = renderHtml(fullProjection()).replace('<main>', `<main>${broken}`);
    const { page, deeds } = await show(html);
    expect(await page.title()).toBe('shop: security report');
    // The browser tells what it refused, and asks nobody.
    await expect.poll(() => deeds.length).toBeGreaterThanOrEqual(3);
    expect(deeds.filter((deed) => !deed.includes('Content Security Policy'))).toEqual([]);
    await page.context().close();
  });

  const findings = (['critical', 'high', 'medium', 'low', 'info'] as const).map((severity, index) =>
    fullFinding({
      id: `F-${index + 1}`,
      severity,
      summary: 'See `x`:\n\n- one\n- two\n\n```ts\nconst a = 1;\n```',
    }),
  );

  test.each(['light', 'dark'] as const)(
    'on a %s page nothing stands in anyone’s way',
    async (colorScheme) => {
      const { page, deeds } = await show(renderHtml(fullProjection(findings)), { colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(deeds).toEqual([]);
      await page.context().close();
    },
  );

  test.each([360, 1024, 3840])('fits a screen that is %d wide, whatever it holds', async (width) => {
    const long = 'averylongwordwithoutanyspace'.repeat(6);
    const { page } = await show(renderHtml(replaced(() => long, 'free texts')), {
      viewport: { width, height: 800 },
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.context().close();
  });

  test('is printed whole, on a light page, with its code wrapped', async () => {
    const { page } = await show(renderHtml(fullProjection(findings)), { colorScheme: 'dark' });
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
    await page.context().close();
  });
});

async function hoverAndFocusAll(page: Page): Promise<void> {
  await page.evaluate(`for (const element of document.querySelectorAll('*')) {
    for (const type of ['mouseover', 'mouseenter', 'focus', 'load', 'error', 'toggle', 'animationstart'])
      element.dispatchEvent(new Event(type));
    element.focus?.();
  }`);
}
