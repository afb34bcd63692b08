/** The share page in a real browser: projections, errors, and the absence of hidden content. */
import { MINUTE_MS } from '@svc/contract/durations';
import { readFileSync } from 'node:fs';
import {
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  reportBytes,
  shareOf,
  syncReport,
  upload,
  wholePolicy,
  type SessionActor,
} from '@svc/testkit';
import type { Page, Request, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { keepAnswers } from './page-watch.ts';

const PASSWORD = 'grüner Tee um vier';
const SECRET_PLACE = 'src/orders/read-1.ts';

describePages('the share page', () => {
  const clock = createFakeClock(Date.now());
  const { server, watch } = browserSuite({ clock, generousPlans: true });
  let owner: SessionActor;
  let reportId: string;

  beforeAll(async () => {
    owner = await server.signUp();
    const findings = [
      findingBody(1),
      { ...findingBody(2), severity: 'low', title: 'The log tells too much' },
    ];
    ({ reportId } = await syncReport(await server.linkDevice(owner), { body: { findings } }));
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
  /** Waits until the page requests the report. */
  const isRead = (page: Page) => page.waitForRequest(/\/report\?cover=1$/);
  const viewsOf = async (shareId: string) =>
    bodyOf(await owner.api.listShares({ params: { id: reportId } })).shares.find(({ id }) => id === shareId)
      ?.viewCount;

  test('[D9] two viewers of one share link see their own projections, without a trace of hidden content', async () => {
    const guest = await server.signUp();
    const { slug } = await shareOf(owner, reportId, {
      defaultPolicy: {
        ...wholePolicy,
        fields: { remediation: true },
        findings: { mode: 'allow_all', maxSeverity: 'low' },
      },
      principals: [{ principalValue: guest.user.userId, policy: wholePolicy }],
    });
    const whole = await watch({ cookie: guest.cookie });
    await whole.page.goto(`/s/${slug}?finding=F-1`);
    await whole.page.getByRole('article').getByText('orders.get(id)').waitFor();
    expect(await whole.page.content()).toContain(SECRET_PLACE);

    const narrow = await watch();
    const answers = await keepAnswers(narrow.context);
    await narrow.page.goto(`/s/${slug}`);
    await narrow.page.getByRole('link', { name: 'The log tells too much' }).waitFor();
    await expect.poll(() => answers.filter((text) => text.endsWith('/report?cover=1'))).toHaveLength(1);
    await narrow.page.waitForLoadState('networkidle');
    const received = [
      ...answers,
      await narrow.page.content(),
      await narrow.page.evaluate(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, document.title])',
      ),
      JSON.stringify(await narrow.context.storageState()),
    ];
    expect(received.join('\n')).toContain('The log tells too much');
    for (const hidden of ['Order lookup', SECRET_PLACE, 'orders.get(id)', 'F-2'])
      expect([hidden, received.join('\n').includes(hidden)]).toEqual([hidden, false]);
  });

  test('the password opens the share and is stored nowhere; an export has the same content', async () => {
    const { slug, shareId } = await shareOf(owner, reportId, {
      password: PASSWORD,
      defaultPolicy: { ...wholePolicy, fields: { ...wholePolicy.fields, code: false } },
    });
    const { page, context } = await watch();
    await page.goto(`/s/${slug}`);
    await heading(page, 'Password required').waitFor();
    await page.getByLabel('Password of this link', { exact: true }).fill('something else');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Wrong password').waitFor();
    expect(await page.getByLabel('Password of this link', { exact: true }).inputValue()).toBe(
      'something else',
    );
    await page.getByLabel('Password of this link', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
    await expect.poll(() => viewsOf(shareId)).toBe(1);

    await page.getByRole('button', { name: 'Download' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Markdown' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^report-.*\.md$/);
    expect(readFileSync(await file.path(), 'utf8')).toContain('Order lookup');
    expect(readFileSync(await file.path(), 'utf8')).not.toContain(SECRET_PLACE);

    const kept = JSON.stringify([await context.storageState(), page.url(), await page.content()]);
    expect(kept).not.toContain('Tee um vier');
    await page.reload();
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
    const unlock = `share unlock ${slug}`;
    const stored = () => page.evaluate(`sessionStorage.getItem(${JSON.stringify(unlock)})`);
    expect(await stored()).toMatch(/^\w+\.[\w-]{43}$/);

    clock.advance(12 * 60 * MINUTE_MS);
    await page.reload();
    await heading(page, 'Password required').waitFor();
    expect(await stored()).toBeNull();
  });

  test('[D25] the page begins with who shared the report, with whom, why and until when', async () => {
    const kim = await server.signUp();
    const { slug } = await shareOf(owner, reportId, {
      message: 'Dear Kim,\nthe findings of June.',
      showSender: true,
      expiresAt: new Date(clock.now() + MINUTE_MS * 60 * 24).toISOString(),
      principals: [{ principalValue: kim.user.userId, label: 'Kim', policy: wholePolicy }],
    });
    const { page } = await watch({ cookie: kim.cookie });
    await page.goto(`/s/${slug}`);
    const cover = page.getByRole('region', { name: 'About this share' });
    await cover.getByText(`Prepared by ${owner.user.displayName} for Kim`).waitFor();
    await cover.getByText('the findings of June.').waitFor();
    const end = cover.getByText('This share link expires tomorrow.').getByRole('time');
    expect(await end.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d \S+$/);
    const meaning = page.getByText('Can be exploited now');
    expect(await meaning.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    await meaning.waitFor();
    await cover.getByText(/^This share link expires \d+ \w+ \d{4}, \d\d:\d\d \S+\.$/).waitFor();
    await page.emulateMedia({ media: null });
    await meaning.waitFor({ state: 'hidden' });
    await page.getByText('What the severities mean').click();
    await meaning.waitFor();

    const bare = await shareOf(owner, reportId);
    const { page: anonymous } = await watch();
    await anonymous.goto(`/s/${bare.slug}`);
    await anonymous.getByRole('link', { name: 'Order lookup' }).waitFor();
    expect(await anonymous.getByRole('region', { name: 'About this share' }).count()).toBe(0);
  });

  test('[T17] after ten wrong passwords the page says how long the link is locked', async () => {
    const { slug } = await shareOf(owner, reportId, { password: PASSWORD });
    for (let guess = 0; guess < 9; guess += 1)
      await server.anonymous.api.readShare({ params: { slug }, sharePassword: `wrong ${guess}` });
    const { page } = await watch();
    await page.goto(`/s/${slug}`);
    for (const wrong of ['tenth wrong', 'eleventh']) {
      await page.getByLabel('Password of this link', { exact: true }).fill(wrong);
      await page.getByRole('button', { name: 'Open' }).click();
      if (wrong === 'tenth wrong') await page.getByText('Wrong password').waitFor();
    }
    await heading(page, 'Too many wrong passwords').waitFor();
    await page.getByText(/is locked for 10 minutes, until \d\d:\d\d [A-Z]\S*, even/).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true);
  });

  test('a share for accounts asks to sign in and returns to the report', async () => {
    const { slug } = await shareOf(owner, reportId, { mode: 'anyone_with_link', anonymousAllowed: false });
    const reader = await server.signUp();
    const { page } = await watch();
    await page.goto(`/s/${slug}`);
    await heading(page, 'Sign in to open this share link').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(reader.email);
    await page.getByLabel('Password', { exact: true }).fill(reader.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/s/${slug}`);
  });

  test('[T16] an unavailable share shows the same page for each of four reasons', async () => {
    const revoked = await shareOf(owner, reportId);
    bodyOf(await owner.api.revokeShare({ params: { shareId: revoked.shareId }, query: { reportId } }));
    const ended = await shareOf(owner, reportId, {
      expiresAt: new Date(clock.now() + MINUTE_MS).toISOString(),
    });
    const others = await shareOf(owner, reportId, { mode: 'private', anonymousAllowed: false });
    const stranger = await server.signUp();
    clock.advance(MINUTE_MS);
    const shown = new Set<string>();
    const { page } = await watch({ cookie: stranger.cookie });
    for (const slug of [revoked.slug, ended.slug, others.slug, 'x'.repeat(27)]) {
      await page.goto(`/s/${slug}`);
      await heading(page, 'Share link not available').waitFor();
      await expect.poll(() => page.title()).toBe('Shared report · svc');
      shown.add(`${await page.title()}\n${await page.locator('body').innerHTML()}`);
    }
    expect(shown.size).toBe(1);
  });

  test('[T19] an open share page is cleared when the link is revoked', async () => {
    const { slug, shareId } = await shareOf(owner, reportId);
    const { page } = await watch();
    await page.clock.install();
    await page.goto(`/s/${slug}`);
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
    await expect.poll(() => viewsOf(shareId)).toBe(1);
    const askedAgain = page.waitForResponse((response) => response.request().method() === 'HEAD');
    await page.clock.runFor(31_000);
    expect((await askedAgain).status()).toBe(200);
    await expect.poll(() => viewsOf(shareId)).toBe(1);
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    await page.clock.runFor(31_000);
    await heading(page, 'Share link not available').waitFor();
    expect(await page.content()).not.toContain('Order lookup');
  });

  test('[T19] a response that arrives after its share link was revoked is not shown', async () => {
    const { slug, shareId } = await shareOf(owner, reportId);
    const { page } = await watch();
    const [asked, letGo, arrived] = [
      Promise.withResolvers<Request>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    const hold = async (route: Route) => {
      const response = await route.fetch();
      asked.resolve(route.request());
      await letGo.promise;
      await route.fulfill({ response });
    };
    await page.route(/\/report\?cover=1$/, hold, { times: 1 });
    // The browser sometimes reports a streamed response as failed although it is complete.
    const note = async (request: Request) => {
      if (request === (await asked.promise)) arrived.resolve();
    };
    page.on('requestfinished', (request) => void note(request));
    page.on('requestfailed', (request) => void note(request));
    await page.clock.install();
    await page.goto(`/s/${slug}`);
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
    await asked.promise;
    bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId } }));
    const denied = page.waitForResponse((response) => response.status() === 404);
    await page.clock.runFor(31_000);
    expect((await denied).request().method()).toBe('HEAD');
    await heading(page, 'Share link not available').waitFor();
    letGo.resolve();
    await arrived.promise;
    // The page has rendered the result after two frames.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.content()).not.toContain('Order lookup');
  });

  test('[D10] the share page of a running scan is empty, and shows the report when it is final', async () => {
    const device = await server.linkDevice(owner);
    const { reportId: live, localReportId } = await createShell(device);
    const { slug } = await shareOf(owner, live);
    const { page } = await watch();
    await page.clock.install();
    await Promise.all([isRead(page), page.goto(`/s/${slug}`)]);
    await page.getByText('the scan is running').waitFor();
    expect(await page.getByText('For Anonymous').count()).toBe(0);
    const uploadId = await upload(device, live, reportBytes({ localReportId }));
    bodyOf(await device.api.finalizeReport({ params: { id: live }, body: { uploadId } }));
    await page.clock.runFor(31_000);
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
  });

  test('[D10] the share page names a signed-in viewer, during the scan and after it', async () => {
    const device = await server.linkDevice(owner);
    const { reportId: live, localReportId } = await createShell(device);
    const reader = await server.signUp();
    const { slug } = await shareOf(owner, live);
    const { page } = await watch({ cookie: reader.cookie });
    await page.clock.install();
    await Promise.all([isRead(page), page.goto(`/s/${slug}`)]);
    await page.getByText('the scan is running').waitFor();
    const named = page.getByRole('region', { name: 'About this share' }).locator('bdi');
    const before = await named.innerText();
    const uploadId = await upload(device, live, reportBytes({ localReportId }));
    bodyOf(await device.api.finalizeReport({ params: { id: live }, body: { uploadId } }));
    await page.clock.runFor(31_000);
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
    expect([before, await named.innerText()]).toEqual([reader.user.displayName, reader.user.displayName]);
  });

  test('[D6] the share page says if the report has expired or the service is unreachable', async () => {
    const { reportId: gone } = await syncReport(await server.linkDevice(owner));
    const { slug } = await shareOf(owner, gone);
    bodyOf(await owner.api.deleteReport({ params: { id: gone } }));
    const { page, context } = await watch({ expected: /^failed: / });
    await page.goto(`/s/${slug}`);
    await heading(page, 'Report expired').waitFor();
    const { slug: locked } = await shareOf(owner, reportId, { password: PASSWORD });
    await page.goto(`/s/${locked}`);
    await page.getByLabel('Password of this link', { exact: true }).fill(PASSWORD);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Open' }).click();
    await heading(page, 'Can’t load the report').waitFor();
    await expect.poll(() => page.title()).toBe('Shared report · svc');
  });

  test('the share page has no links into the product and a generic title', async () => {
    const { slug } = await shareOf(owner, reportId);
    const { page } = await watch();
    await page.goto(`/s/${slug}`);
    await heading(page, 'shop').waitFor();
    await expect.poll(() => page.title()).toBe('Shared report · svc');
    const hrefs = await page
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(
      hrefs.filter((href) => !/^(?:[?#]|https:\/\/cwe|\/api\/v1\/shares\/slug\/|\/s\/)/.test(href)),
    ).toEqual([]);
    expect(await page.getByRole('navigation').count()).toBe(0);
  });
});
