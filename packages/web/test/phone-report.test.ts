/** The report page on a phone with a touch screen. */
import { severities } from '@svc/contract/enums';
import { findingBody, syncReport, type SessionActor } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

/** One finding more than a list can have before it is windowed. */
const LONG = 1001;
const titleOf = (number: number) => `Order ${number} can be read by every customer`;

const findings = Array.from({ length: 10 }, (_, at) => ({
  ...findingBody(at + 1),
  severity: severities[at % 5],
  category: at < 5 ? 'crypto' : 'secrets',
  affected: { component: `service ${at % 2}`, file: `src/${at}.ts`, lineStart: 1 },
}));

describePages('a report on a phone', () => {
  const { watch, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let reportId: string;
  let long: string;

  beforeAll(async () => {
    const { owner: signedIn, device } = await newcomer();
    owner = signedIn;
    ({ reportId } = await syncReport(device, { body: { findings } }));
    const many = Array.from({ length: LONG }, (_, at) => ({
      ...findingBody(at + 1),
      title: titleOf(at + 1),
    }));
    ({ reportId: long } = await syncReport(device, { body: { findings: many } }));
  });

  async function open(path: string): Promise<Page> {
    const { page } = await watch({ cookie: owner.cookie, isPhone: true });
    await page.goto(path);
    await page
      .getByRole('checkbox', { name: /^Select/ })
      .nth(1)
      .waitFor();
    return page;
  }
  const width = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

  test('the filters are behind one button, which says how many are set and gets the focus back', async () => {
    const page = await open(`/reports/${reportId}`);
    const filters = page.getByRole('button', { name: /^Filters/ });
    const [severity, category] = [/^Severity/, /^Category/].map((name) => page.getByRole('button', { name }));
    const isShown = (button = severity) => button?.isVisible();
    await page.getByRole('searchbox', { name: 'Search findings' }).waitFor();
    expect(await isShown()).toBe(false);
    await filters.tap();
    await severity?.tap();
    await page.getByRole('checkbox', { name: 'High 2' }).tap();
    await category?.tap();
    await page.getByRole('checkbox', { name: 'Crypto 1' }).tap();
    await page.getByText('1 of 10', { exact: true }).waitFor();
    expect([await filters.textContent(), await width(page)]).toEqual(['Filters, 2', 360]);
    // The first Escape closes the facet, the second one hides all facets.
    await page.keyboard.press('Escape');
    expect(await isShown()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await isShown()).toBe(false);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Filters, 2');
    await page.waitForURL(/category=crypto/);
    await page.reload();
    await page.getByText('1 of 10', { exact: true }).waitFor();
    expect(await filters.textContent()).toBe('Filters, 2');
    // In a wide window the facets are in a row again.
    await page.setViewportSize({ width: 1024, height: 740 });
    expect([await filters.isVisible(), await isShown()]).toEqual([false, true]);
  });

  test('column heads, folded details, rows and the path to the page are large enough for a finger', async () => {
    const page = await open(`/reports/${reportId}`);
    const list = page.getByRole('list', { name: 'Findings', exact: true });
    const targets = [
      ...(await page.getByRole('group', { name: 'Columns' }).getByRole('button').all()),
      ...(await page.locator('summary').all()),
      ...(await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').all()),
      page.getByRole('heading', { level: 1 }).getByRole('link'),
      list.getByRole('link').first(),
    ];
    const boxes = await Promise.all(targets.map((target) => target.boundingBox()));
    const shown = boxes.flatMap((box) => (box ? [[box.width, box.height]] : []));
    expect(shown.length).toBeGreaterThanOrEqual(6);
    for (const size of shown) expect(Math.min(...size)).toBeGreaterThanOrEqual(44);
  });

  test('a row of a long list shows two lines of its title, and the last row ends where the list ends', async () => {
    const page = await open(`/reports/${long}?group=none`);
    const row = (number: number) => page.getByRole('link', { name: titleOf(number) });
    const isWhole = (number: number) =>
      row(number)
        .getByTitle(titleOf(number))
        .evaluate((title) => title.scrollHeight === title.clientHeight && title.clientHeight === 40);
    await page.getByText('1,001 of 1,001', { exact: true }).waitFor();
    expect(await isWhole(1)).toBe(true);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await row(LONG).waitFor();
    expect(await isWhole(LONG)).toBe(true);
    const ends = await row(LONG).evaluate((link) => {
      const [line, list] = [link.closest('li'), link.closest('[role=presentation]')];
      return [line, list].map((element) => element?.getBoundingClientRect().bottom);
    });
    expect(ends[0]).toBe(ends[1]);
  });
});
