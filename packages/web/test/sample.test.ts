/** The sample report in a real browser. */
import * as fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

const dist = path.join(import.meta.dirname, '../dist');
const asCustomer = 'Customer view';
const asTeam = 'Team view';
/** Content hidden from the customer: project name, a finding, the file of another finding, and a line of code. */
const keptBack = ['tallowmere', 'CSV injection in exported orders', 'callbacks.py', 'mark_paid'];

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

test('the sample report loads only with its own page', () => {
  const holding = fs
    .readdirSync(path.join(dist, 'assets'))
    .filter((name) => name.endsWith('.js'))
    .filter((name) => fs.readFileSync(path.join(dist, 'assets', name), 'utf8').includes(keptBack[1] ?? ''));
  const manifest = JSON.parse(fs.readFileSync(path.join(dist, 'manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  expect(holding.map((name) => `assets/${name}`)).toEqual([manifest['src/pages/sample.tsx']?.file]);
  const importing = Object.values(manifest).filter(({ imports }) =>
    imports?.includes('src/pages/sample.tsx'),
  );
  expect(importing).toEqual([]);
});

describePages('the sample report', () => {
  const { server, watch } = browserSuite();

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const counted = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();
  const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

  test('the sample is linked on the home page and shows the team view', async () => {
    const { page } = await watch();
    await page.goto('/');
    await page.getByRole('link', { name: 'View sample report' }).click();
    await heading(page, 'tallowmere');
    await counted(page, '13 of 13');
    await expect.poll(() => page.title()).toBe('Sample report · svc');
    await page.getByRole('link', { name: 'Payment callbacks are accepted' }).click();
    const article = page.getByRole('article');
    await article.getByText('services/payments/callbacks.py:33-36').waitFor();
    await article.getByRole('group', { name: 'Code, evidence 1 of F-3' }).getByText('mark_paid').waitFor();
    expect(await page.getByRole('button', { name: /^(?:Share|Export)$/ }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
    await heading(page, 'Create account');
  });

  test('[D9] the customer view of the sample contains no hidden content', async () => {
    const { page } = await watch();
    await page.goto('/sample');
    await page.getByRole('radio', { name: asCustomer }).check();
    await heading(page, 'Security report');
    await counted(page, '6 of 6');
    await page.getByText('The share link shows 6 of 13 findings, the critical and high ones').waitFor();
    const findings = await page.locator('main ol a').all();
    for (const [index, finding] of findings.entries()) {
      await finding.click();
      await page
        .getByRole('region', { name: `Finding F-${index + 1}` })
        .getByText('Impact')
        .waitFor();
      const shown = (await page.content()).toLowerCase();
      expect(keptBack.filter((text) => shown.includes(text.toLowerCase()))).toEqual([]);
    }
  });

  test('the view, the filters and the selected finding of the sample are in the URL', async () => {
    const { page } = await watch();
    await page.goto('/sample?as=customer');
    await page.getByRole('searchbox', { name: 'Search findings' }).fill('severity:high');
    await counted(page, '4 of 6');
    await page.getByRole('link', { name: 'Server-side request forgery' }).click();
    await page.getByRole('heading', { level: 2, name: 'Server-side request forgery' }).waitFor();
    expect(searchOf(page)).toEqual({ as: 'customer', q: 'severity:high', finding: 'F-6' });
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'Server-side request forgery' }).waitFor();
    await counted(page, '4 of 6');
    await page.getByRole('radio', { name: asCustomer }).press('ArrowUp');
    await heading(page, 'tallowmere');
    await counted(page, '13 of 13');
    expect(searchOf(page)).toEqual({});
    const team = page.getByRole('radio', { name: asTeam });
    expect(await team.isChecked()).toBe(true);
    await team.and(page.locator(':focus')).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 2, name: 'Server-side request forgery' }).waitFor();
    await counted(page, '4 of 6');
  });

  test('a link to a finding scrolls to it', async () => {
    const { page } = await watch();
    await page.goto('/sample?finding=F-5');
    await heading(page, 'tallowmere');
    const bottom = "document.getElementById('finding-F-5').getBoundingClientRect().bottom";
    const isSeen = () => page.evaluate(`${bottom} < innerHeight`);
    await expect.poll(isSeen).toBe(true);
  });

  test('the sample page offers no sign-up to signed-in users', async () => {
    const { cookie } = await server.signUp();
    const { page } = await watch({ cookie });
    await page.goto('/sample');
    await heading(page, 'tallowmere');
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
  });
});
