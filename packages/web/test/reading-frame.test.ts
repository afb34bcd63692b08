/**
 * The report page in a window with space for list and finding side by side: each scrolls alone, and long lists have
 * groups.
 */
import { findingBody, syncReport, type DeviceActor, type SessionActor } from '@svc/testkit';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { lateTimers } from './late-effects.ts';

const RULES = 3;
const COUNT = 120;

describePages('a report in a wide window', () => {
  const { watch, visit, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let device: DeviceActor;
  let reportId: string;

  beforeAll(async () => {
    ({ owner, device } = await newcomer());
    const findings = Array.from({ length: COUNT }, (_, at) => ({
      ...findingBody(at + 1),
      severity: ['high', 'medium', 'low'][at % RULES],
      title: at % RULES === 0 ? 'Input reaches eval' : `Of rule ${at % RULES}, number ${at}`,
      tags: ['tool:Semgrep', `rule:rule-${at % RULES}`],
      affected: { component: 'web', file: `src/${COUNT - at}.ts`, lineStart: 1 },
    }));
    ({ reportId } = await syncReport(device, { body: { findings } }));
  });

  const open = (search = '') =>
    visit(`/reports/${reportId}${search}`, { cookie: owner.cookie, width: 1280, height: 720 });
  const list = (page: Page) => page.locator('[data-list-scroller]');
  const scrolledBy = (place: Locator) => place.evaluate((element) => element.scrollTop);
  const titles = (page: Page) =>
    list(page)
      .getByRole('link')
      .evaluateAll((links) => links.slice(0, 3).map((link) => link.querySelector('[title]')?.textContent));

  test('the first finding is visible without scrolling, and the window never scrolls', async () => {
    const { page } = await open('?group=none');
    const first = page.getByRole('link', { name: 'Input reaches eval' }).first();
    const { y = 720, height = 0 } = (await first.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(480);
    await first.click();
    await page.getByRole('article').waitFor();
    const panel = page.getByRole('region', { name: 'Finding F-1' });
    const bottom = ({ y: top, height: size }: { y: number; height: number }) => top + size;
    for (const part of [list(page), panel]) {
      const box = await part.boundingBox();
      expect(box && bottom(box)).toBeLessThanOrEqual(720);
      expect(box?.height).toBeGreaterThan(300);
    }
    await list(page).evaluate((element) => element.scrollTo(0, 1000));
    expect(await scrolledBy(list(page))).toBe(1000);
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(720);
  });

  test('next and previous open the neighbours and keep them in view', async () => {
    const { page } = await open('?group=none&finding=F-1');
    await page.getByText('1 of 120', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Previous finding' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Next finding' }).click();
    await page.getByRole('region', { name: 'Finding F-4' }).waitFor();
    for (let turn = 0; turn < 20; turn += 1) await page.keyboard.press('j');
    await page.getByText('22 of 120', { exact: true }).waitFor();
    const current = page.locator('a[aria-current]');
    const { y = 0, height = 0 } = (await current.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(300);
    expect(y + height).toBeLessThanOrEqual(720);
  });

  test('no step is lost when many keys are pressed in a moment', async () => {
    const { page, context } = await watch({ cookie: owner.cookie, width: 1280, height: 720 });
    await context.addInitScript(lateTimers);
    await page.goto(`/reports/${reportId}?finding=F-40`);
    // The groups are known when the whole report is loaded.
    await page.getByText('14 of 120', { exact: true }).waitFor();
    for (let turn = 0; turn < 60; turn += 1) await page.keyboard.press('j');
    await page.getByText('74 of 120', { exact: true }).waitFor();
  });

  test('next and previous cross the groups, and only the groups of opened findings are unfolded', async () => {
    const { page } = await open();
    const group = (rule: string) => list(page).getByRole('button', { name: `${rule} 40` });
    await group('Input reaches eval').waitFor();
    await page.getByText('120 of 120', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.getByText('1 of 120', { exact: true }).waitFor();
    await page.goto(`/reports/${reportId}?finding=F-40`);
    await page.getByText('14 of 120', { exact: true }).waitFor();
    const current = list(page).locator('a[aria-current]');
    const isInView = async () => {
      const { y = 0, height = 0 } = (await current.boundingBox()) ?? {};
      return y > 300 && y + height <= 720;
    };
    const currentId = () => current.getAttribute('data-id');
    await expect.poll(isInView).toBe(true);
    expect(await currentId()).toBe('F-40');
    await group('Input reaches eval').click();
    await current.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Next finding' }).click();
    await page.getByText('15 of 120', { exact: true }).waitFor();
    expect(await currentId()).toBe('F-43');
    for (let turn = 0; turn < 26; turn += 1) await page.keyboard.press('j');
    await page.getByText('41 of 120', { exact: true }).waitFor();
    expect(await currentId()).toBe('F-2');
    expect(await isInView()).toBe(true);
    const folded = await Promise.all(
      ['Input reaches eval', 'rule-1', 'rule-2'].map((rule) => group(rule).getAttribute('aria-expanded')),
    );
    expect(folded).toEqual(['true', 'true', 'false']);
    await page.keyboard.press('k');
    await page.getByRole('region', { name: 'Finding F-118' }).waitFor();
    await page.goto(`/reports/${reportId}?finding=F-120`);
    await page.getByText('120 of 120', { exact: true }).nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'Next finding' }).isDisabled()).toBe(true);
  });

  test('more than a hundred findings are grouped by rule, and a box selects a group', async () => {
    const { page } = await open();
    const group = page.getByRole('button', { name: 'Input reaches eval 40' });
    await group.waitFor();
    expect(
      await page.getByRole('list', { name: 'Findings', exact: true }).getByRole('listitem').count(),
    ).toBe(RULES);
    await page.getByRole('checkbox', { name: 'Select 40 findings of Input reaches eval' }).check();
    await page.getByText('40 findings selected').waitFor();
    await group.click();
    await page.getByRole('checkbox', { name: 'Select F-1', exact: true }).uncheck();
    await page.getByText('39 findings selected').waitFor();
    const box = page.getByRole('checkbox', { name: 'Select 40 findings of Input reaches eval' });
    expect(
      await box.evaluate((element) => (element as unknown as { indeterminate: boolean }).indeterminate),
    ).toBe(true);
    await page.getByRole('checkbox', { name: 'Select all 120 shown' }).check();
    await page.getByText('120 findings selected').waitFor();
  });

  test('a column sorts the list, the second click reverses the order, and the URL keeps it', async () => {
    const { page } = await open('?group=none');
    const byLocation = page.getByRole('button', { name: 'Sort by location' });
    await byLocation.click();
    await expect
      .poll(() => titles(page))
      .toEqual(['Of rule 2, number 119', 'Of rule 2, number 110', 'Of rule 2, number 20']);
    await byLocation.click();
    await page.waitForURL(/sort=-location/);
    await page.reload();
    await page.getByRole('button', { name: 'Sort by location, reversed' }).click();
    await expect.poll(() => titles(page)).toEqual(Array.from({ length: 3 }, () => 'Input reaches eval'));
  });

  test('a part of the severity bar filters the list, and shows all when pressed again', async () => {
    const { page } = await open();
    const part = page
      .getByRole('list', { name: '120 open findings by severity' })
      .getByRole('button', { name: 'medium' });
    await part.click();
    await page.getByText('40 of 120', { exact: true }).waitFor();
    expect(await part.getAttribute('aria-pressed')).toBe('true');
    await part.click();
    await page.getByText('120 of 120', { exact: true }).waitFor();
  });
});
