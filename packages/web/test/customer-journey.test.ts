/**
 * The journey of a customer on a phone: from a password-protected link to the report, and again later. With
 * `SVC_TEST_SCREENSHOTS=<folder>` each step also writes a screenshot, as `npm run screenshots -- --journey` does.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { bodyOf, findingBody, shareOf, syncReport, type SessionActor } from '@svc/testkit';
import { MINUTE_MS } from '@svc/contract/durations';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

const PASSWORD = 'four green teas';
const SENDER = 'Mira Holm';
const MESSAGE = 'Dear Kim,\nplease fix the critical finding by Friday. Call me if anything is unclear.';
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const screenshots = process.env['SVC_TEST_SCREENSHOTS'];

const findings = [
  { ...findingBody(1), severity: 'critical', title: 'Order lookup trusts the id that it is given' },
  { ...findingBody(2), title: 'Password reset links stay valid after they were used' },
  { ...findingBody(3), severity: 'medium', title: 'The import unpacks archives outside of its folder' },
  { ...findingBody(4), severity: 'low', title: 'The log holds addresses of customers' },
];

describePages('a customer with a phone', () => {
  const { server, watch } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let reportId: string;

  beforeAll(async () => {
    owner = await server.signUp({ displayName: SENDER });
    ({ reportId } = await syncReport(await server.linkDevice(owner), { body: { findings } }));
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  const link = (page: Page, at: number) => page.getByRole('link', { name: findings[at]?.title ?? '' });

  /** Checks that the page is no wider than the window, and takes a screenshot if one is wanted. */
  async function step(page: Page, name: string): Promise<void> {
    expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 360]);
    if (screenshots !== undefined)
      await page.screenshot({
        path: path.join(screenshots, `${name}.png`),
        animations: 'disabled',
        caret: 'hide',
      });
  }

  /** Checks that a person reads these texts without scrolling. */
  async function readsAtOnce(page: Page, texts: readonly (string | RegExp)[]): Promise<void> {
    for (const text of texts) {
      const place = page.getByText(text).first();
      await place.waitFor();
      const { y = Infinity, height = 0 } = (await place.boundingBox()) ?? {};
      expect([text, y + height <= (page.viewportSize()?.height ?? 0)]).toEqual([text, true]);
    }
  }

  async function download(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Download' }).tap();
    const html = page.getByRole('link', { name: 'HTML' });
    await html.waitFor();
    const { x = 0, width = 0 } =
      (await page.getByRole('list', { name: 'Download as' }).locator('..').boundingBox()) ?? {};
    expect([x, 360 - x - width]).toEqual([16, 16]);
    await step(page, '5-download');
    const arriving = page.waitForEvent('download');
    await html.tap();
    const file = await arriving;
    expect(file.suggestedFilename()).toMatch(/^report-.*\.html$/);
    return readFile(await file.path(), 'utf8');
  }

  test('[D25] opens a protected link, reads and downloads the report, returns, and sees when it was revoked', async () => {
    const expiresAt = new Date(Date.now() + WEEK_MS).toISOString();
    const given = { password: PASSWORD, message: MESSAGE, showSender: true, expiresAt };
    const { slug, shareId } = await shareOf(owner, reportId, given);
    const { page, context } = await watch({ isPhone: true });

    await page.goto(`/s/${slug}`);
    await heading(page, 'Password required').waitFor();
    await readsAtOnce(page, [
      'Someone shared a security report with you',
      'Ask the person who sent you the link',
      new URL(server.url).host,
      'Password of this link',
      'Open report',
    ]);
    // The page shows nothing of the share before the password.
    for (const hidden of [SENDER, 'Dear Kim']) expect(await page.content()).not.toContain(hidden);
    await step(page, '1-password');

    const field = page.getByLabel('Password of this link', { exact: true });
    await field.tap();
    await page.keyboard.type('four black teas');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong password').waitFor();
    await step(page, '2-wrong-password');
    await field.tap();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');

    await link(page, 0).waitFor();
    await readsAtOnce(page, [
      `Prepared by ${SENDER}`,
      'please fix the critical finding by Friday.',
      /^This share link expires in \d+ days\.$/,
      '1 critical, 1 high',
    ]);
    await step(page, '3-report');
    await link(page, 0).tap();
    await page.getByRole('article').getByText('The handler loads the order by id alone.').waitFor();
    // The message has been read, so the finding starts near the top.
    expect(await page.getByText(`Prepared by ${SENDER}`).isVisible()).toBe(false);
    await step(page, '4-finding');
    await page.getByRole('button', { name: 'All findings' }).tap();
    await page.getByRole('article').waitFor({ state: 'detached' });
    await link(page, 3).waitFor();

    const saved = await download(page);
    for (const text of [SENDER, 'please fix the critical finding', findings[3]?.title ?? ''])
      expect(saved).toContain(text);

    await page.goto('/health');
    await page.goBack();
    await link(page, 0).waitFor();
    await page.reload();
    await link(page, 0).waitFor();
    const other = await context.newPage();
    await other.goto(`/s/${slug}`);
    await heading(other, 'Password required').waitFor();
    await other.close();

    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    await page.reload();
    await heading(page, 'Share link not available').waitFor();
    await readsAtOnce(page, ['It was revoked, has expired, or is for someone else.']);
    expect(await page.content()).not.toContain(SENDER);
    await step(page, '6-revoked');
  });
});
