/** The administration pages in a real browser: health, totals, plans, support grants, usage and audit log. */
import { MINUTE_MS } from '@svc/contract/durations';
import {
  bodyOf,
  createFakeClock,
  createShell,
  createTeam,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { keysOf } from './keys.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';
import { passTimeUntil } from './passing-time.ts';
import type { WatchOptions } from './test-window.ts';

const OPERATOR = 'operator@example.test';
const REASON = 'Ticket 4711: the owner asked why the summary counts no findings.';
const POLYGLOT = `jaVasCript:/*-/*\`/*'/*"/**/(window.ran=1)//</title></script><svg/onload='window.ran=1'><img src=x onerror=window.ran=1>\u202e`;

describePages('administration', () => {
  const clock = createFakeClock(Date.now());
  const { server, watch, visit, newcomer } = browserSuite({
    clock,
    generousPlans: true,
    config: { platformAdminEmail: OPERATOR },
  });
  let operator: SessionActor;
  beforeAll(async () => {
    operator = await server.signUp({ email: OPERATOR, displayName: 'Olga' });
  });

  async function open(path: string, options: WatchOptions = {}) {
    const watched = await visit(path, { cookie: operator.cookie, ...options });
    const { page } = watched;
    const list = (name: string) => page.getByRole('list', { name, exact: true });
    /** The listed grant for a report. Others may precede it until the list is refetched. */
    const grantOf = (reportId: string) =>
      list('Support grants, newest first').getByRole('listitem').filter({ hasText: reportId });
    return { ...watched, list, grantOf, form: page.getByRole('form', { name: 'New support grant' }) };
  }
  const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const grantFor = async (reportId: string, reason = REASON) => {
    const expiresAt = new Date(clock.now() + 60 * MINUTE_MS).toISOString();
    const body = { reportId, reason, expiresAt, password: operator.password };
    return bodyOf(await operator.api.createSupportGrant({ body })).grant;
  };
  const usesOf = async (grantId: string) =>
    bodyOf(await operator.api.listSupportGrants()).grants.find((grant) => grant.grantId === grantId)?.uses;

  test('[D17] a support grant opens a report, its owner sees the access, and the page is denied once the grant is revoked', async () => {
    const { owner, device } = await newcomer();
    const { reportId } = await syncReport(device);
    const { page, grantOf, form } = await open(`/admin/reports/${reportId}`);
    await h1(page, 'Support grant required').waitFor();
    await page.getByRole('link', { name: 'Create support grant' }).click();
    await h1(page, 'Support grants').waitFor();
    expect(await form.getByLabel('Report ID').inputValue()).toBe(reportId);
    await form.getByLabel('Reason').fill(REASON);
    await form.getByText(`${REASON.length} of 20 to 2,000 characters.`).waitFor();
    await form.getByLabel('Expires').selectOption('in 4 hours');
    await form.getByLabel('Your password', { exact: true }).fill(operator.password);
    await form.getByRole('button', { name: 'Create support grant' }).click();
    await form.getByRole('status').getByText('Support grant created').waitFor();
    const line = grantOf(reportId);
    await line.getByText('Active').waitFor();
    await line.getByText('never used').waitFor();

    await line.getByRole('link', { name: `Open report ${reportId}` }).click();
    const bar = page.getByRole('region', { name: 'Support access' });
    await bar.getByText('The owner sees this access').waitFor();
    await h1(page, 'shop').waitFor();
    await page.getByRole('link', { name: 'Order lookup' }).first().click();
    await page.getByRole('article').waitFor();
    for (const name of ['Export', /^Share/, /^Status of/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.evaluate(
      `document.dispatchEvent(new Event('visibilitychange', { bubbles: true })), dispatchEvent(new Event('focus'))`,
    );
    await bar.getByRole('link', { name: 'Support grants' }).click();
    await line.getByText('1 access, last').waitFor();

    const owners = await visit(`/reports/${reportId}`, { cookie: owner.cookie });
    const accesses = owners.page.getByRole('region', { name: 'Read by support' });
    await accesses.getByText(REASON, { exact: true }).waitFor();
    await accesses.getByText('Read by support 1 time').waitFor();

    await line.getByRole('button', { name: `Revoke the grant for ${reportId}` }).click();
    const dialog = page.getByRole('dialog', { name: `Revoke the grant for ${reportId}?` });
    await dialog.getByRole('button', { name: 'Revoke grant' }).click();
    await line.getByText('Revoked').waitFor();
    await page.goto(`/admin/reports/${reportId}`);
    await h1(page, 'Support grant required').waitFor();
  });

  test('[D17] each opening counts as one access, and an expired grant removes the report from the page', async () => {
    const { device } = await newcomer();
    const { reportId } = await syncReport(device);
    const { grantId } = await grantFor(reportId);
    const { page } = await watch({ cookie: operator.cookie });
    await page.clock.install({ time: clock.now() });
    await page.goto(`/admin/reports/${reportId}`);
    await h1(page, 'shop').waitFor();
    await page.clock.runFor(20 * MINUTE_MS);
    await page.evaluate(`dispatchEvent(new Event('offline')), dispatchEvent(new Event('online'))`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    expect(await usesOf(grantId)).toBe(1);
    await page.reload();
    await h1(page, 'shop').waitFor();
    expect(await usesOf(grantId)).toBe(2);
    await page.clock.runFor(61 * MINUTE_MS);
    await h1(page, 'Support grant ended').waitFor();
    expect(await page.content()).not.toContain('Order lookup');
    expect(await usesOf(grantId)).toBe(2);
  });

  test('[D17] the support grant form shows errors at its fields and keeps the input', async () => {
    const { device } = await newcomer();
    const { reportId } = await syncReport(device);
    const { form } = await open('/admin/support-grants');
    const make = form.getByRole('button', { name: 'Create support grant' });
    await form.getByLabel('Reason').fill('too short');
    await make.click();
    await form.getByText('This must be text of 20 to 2000 characters.').waitFor();
    expect(await form.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Reason').fill(REASON);
    await form.getByLabel('Report ID').fill('rep_nothing');
    await form.getByLabel('Your password', { exact: true }).fill('not my password');
    await make.click();
    await form.getByRole('alert').getByText('The password is wrong.').waitFor();
    await form.getByLabel('Your password', { exact: true }).fill(operator.password);
    await make.click();
    await form.getByRole('alert').getByText('No report has this ID.').waitFor();
    expect(await form.getByLabel('Reason').inputValue()).toBe(REASON);
    await form.getByLabel('Report ID').fill(` https://svc.example.test/reports/${reportId} `);
    await make.click();
    await form.getByRole('status').getByText('Support grant created').waitFor();
    expect(await form.getByLabel('Reason').inputValue()).toBe('');
  });

  test(
    '[D17] a support grant is created, used and revoked by keyboard alone',
    { tags: 'thorough' },
    async () => {
      const { device } = await newcomer();
      const { reportId } = await syncReport(device);
      const { page, grantOf, form } = await open(`/admin/support-grants?report=${reportId}`);
      const keys = keysOf(page);
      await keys.tabTo(form.getByLabel('Reason'));
      await keys.type(REASON);
      await keys.tabTo(form.getByLabel('Expires'));
      await keys.press('ArrowDown');
      await keys.tabTo(form.getByLabel('Your password', { exact: true }));
      await keys.type(operator.password);
      await keys.press('Enter');
      await keys.pressOn(form.getByRole('link', { name: 'Open the report' }));
      await h1(page, 'shop').waitFor();
      await keys.isOn(h1(page, 'shop'));
      await keys.pressBackOn(page.getByRole('link', { name: 'Support grants' }));
      await keys.isOn(h1(page, 'Support grants'));
      const line = grantOf(reportId);
      await keys.pressOn(line.getByRole('button', { name: /^Revoke/ }));
      await keys.isOn(page.getByRole('button', { name: 'Cancel' }));
      await keys.pressOn(page.getByRole('button', { name: 'Revoke grant', exact: true }));
      await line.getByText('Revoked').waitFor();
      await keys.isSomewhere();
    },
  );

  test('[T12] a reason that contains markup is text, for the administrator and the owner', async () => {
    const { owner, device } = await newcomer();
    const { reportId } = await syncReport(device);
    await grantFor(reportId, POLYGLOT);
    bodyOf(await operator.api.readForSupport({ params: { id: reportId } }));
    const watched = await open('/admin/support-grants');
    const owners = await visit(`/reports/${reportId}`, { cookie: owner.cookie });
    for (const { page } of [watched, owners]) {
      await page.getByText(POLYGLOT, { exact: true }).first().waitFor();
      expect(await page.evaluate('window.ran')).toBeUndefined();
      expect(await page.locator('main img, main svg[onload]').count()).toBe(0);
    }
  });

  test('[D17] support access to a live report shows no content, and its grant ends when the report is deleted', async () => {
    const { owner, device } = await newcomer();
    const { reportId } = await createShell(device);
    await grantFor(reportId);
    const lives = await open(`/admin/reports/${reportId}`);
    await lives.page.getByText('The scan is still running.').waitFor();
    const owners = await visit(`/reports/${reportId}`, { cookie: owner.cookie });
    await owners.page.getByRole('region', { name: 'Read by support' }).getByText(REASON).waitFor();
    bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
    const watched = await open('/admin/support-grants');
    const line = watched.grantOf(reportId);
    await line.getByText('Ended with the report').waitFor();
    await line.getByText('The reason was deleted with the report.').waitFor();
    expect(await line.getByRole('link').count()).toBe(0);
  });

  test('[D17] a plan changes after confirmation and applies immediately', async () => {
    const owner = await server.signUp();
    const team = await createTeam(owner, []);
    const { page, list } = await open('/admin/workspaces');
    await page.getByLabel('Account email').fill(owner.email.toUpperCase());
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await page.getByText('2 workspaces of').waitFor();
    const line = list('Workspaces, newest first').getByRole('listitem').first();
    await line.getByText(`of ${owner.email}`).waitFor();
    const plan = line.getByRole('combobox', { name: `Plan of Team, ${team}` });
    await plan.selectOption('Pro plan');
    const dialog = page.getByRole('dialog', { name: 'Change “Team” from the Free plan to the Pro plan?' });
    await dialog.getByText(team).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => plan.inputValue()).toBe('free');
    await plan.selectOption('Pro plan');
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => plan.inputValue()).toBe('pro');
    const { workspaces } = bodyOf(await owner.api.listWorkspaces());
    expect(workspaces.find(({ workspaceId }) => workspaceId === team)?.plan).toBe('pro');

    await plan.selectOption('Free plan');
    bodyOf(await owner.api.deleteWorkspace({ params: { id: team } }));
    await page.getByRole('dialog').getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
  });

  test('[D17] the workspace search is in the URL: Back and reload keep it', async () => {
    const { page } = await open('/admin/workspaces');
    const field = page.getByLabel('Account email');
    await field.fill('nobody@example.test');
    await field.press('Enter');
    await page.getByText('No account has the email nobody@example.test').waitFor();
    await page.reload();
    await page.getByText('No account has the email nobody@example.test').waitFor();
    expect(await field.inputValue()).toBe('nobody@example.test');
    await page.goBack();
    await page.getByText(/^\d+ workspaces?$/).waitFor();
    expect(await field.inputValue()).toBe('');
  });

  test('[D17] the health, the totals and the audit log show what happened, and the log head can be copied', async () => {
    const { owner, device } = await newcomer();
    await syncReport(device);
    const { page, list } = await open('/');
    await page.getByTitle('Your account').click();
    await page.getByRole('menuitem', { name: 'Administration' }).click();
    await h1(page, 'Health').waitFor();
    await page.getByText('Works').nth(2).waitFor();
    await page.getByText(/^\S+ \wiB of \S+ \wiB$/).waitFor();
    await page.getByRole('row', { name: /^password hashing 0 \d+$/ }).waitFor();
    await page.getByText('Each replica has its own figures.').waitFor();
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Totals' })
      .click();
    await h1(page, 'Totals').waitFor();
    const { reports } = bodyOf(await operator.api.getAdminOverview());
    await page.getByText(`${reports.finalized} finalized`).waitFor();
    await page.getByRole('row', { name: /^Devices linked \d+ \d+$/ }).waitFor();

    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Audit log' })
      .click();
    await h1(page, 'Audit log').waitFor();
    const entry = list('Entries, newest first').getByRole('listitem').filter({ hasText: owner.user.userId });
    await entry.filter({ hasText: 'Device linked' }).first().waitFor();
    const copiesId = entry.first().getByRole('button', { name: `Copy ${owner.user.userId}` });
    await untilCopied(page, () => copiesId.click());
    expect(await clipboardOf(page)).toBe(owner.user.userId);
    const { head } = bodyOf(await operator.api.listAdminAudit({}));
    const end = `${head?.sequence}:${head?.hash}`;
    await page.getByRole('button', { name: 'Copy end of the log' }).click();
    await expect.poll(() => clipboardOf(page)).toBe(end);
    await page.getByText(`audit verify --expect ${end}`).waitFor();
  });

  test('[D13] the usage page lists all events without any person', async () => {
    const { owner } = await newcomer();
    const event = (name: 'report_viewed' | 'cli_linked') =>
      ({ eventId: crypto.randomUUID(), name, occurredAt: new Date(clock.now()).toISOString() }) as const;
    const events = [event('report_viewed'), event('report_viewed'), event('cli_linked')];
    bodyOf(await owner.api.sendAnalytics({ body: { events } }));
    const { page } = await open('/admin/usage');
    const total = async (name: string) =>
      page.getByRole('row', { name }).getByRole('cell').last().textContent();
    await page.getByRole('row', { name: /^Report viewed .* today/ }).waitFor();
    const { days } = bodyOf(await operator.api.getAnalytics({}));
    const counted = (name: string) =>
      String(days.reduce((sum, each) => (each.name === name ? sum + each.count : sum), 0));
    expect(await total('Report viewed')).toBe(counted('report_viewed'));
    expect(await total('CLI linked')).toBe(counted('cli_linked'));
    expect(await page.getByRole('row').count()).toBe(15);
  });

  test('[T20] other users get "not found" for the administration and load none of its code', async () => {
    const person = await server.signUp();
    const [administrators] = await programsOf({ cookie: operator.cookie }, [['/admin', 'Health']]);
    const paths = ['/nothing', '/admin', '/admin/audit', '/admin/reports/rep_x'];
    const nothing = paths.map((path) => [path, 'Not found'] as const);
    for (const options of [{ cookie: person.cookie }, {}]) {
      const [usual, inAll] = await programsOf(options, nothing);
      expect(inAll).toBe(usual);
      expect(usual).toBeLessThan(administrators);
    }
    // Checks navigation within the page too, which requests no document.
    const { page } = await visit('/docs', { cookie: person.cookie });
    await page.evaluate(`history.pushState({}, '', '/admin'), dispatchEvent(new PopStateEvent('popstate'))`);
    await h1(page, 'Not found').waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    const documents = ['/admin', '/nothing'].map(async (path) => {
      const headers = { accept: 'text/html', cookie: person.cookie };
      const response = await fetch(`${server.url}${path}`, { headers });
      return [response.status, await response.text()];
    });
    const [admin, other] = await Promise.all(documents);
    expect(admin).toEqual(other);
  });

  test('a failed request shows an error with a retry button', async () => {
    const { page, context } = await open('/admin', { expected: /^failed: .*\/api\/v1\/admin\// });
    await page.getByText('Live streams').waitFor();
    await context.route('**/api/v1/admin/**', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.clock.install();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await h1(page, 'Audit log').waitFor();
    // Retries are delayed.
    const alert = page.getByRole('alert').getByText('Can’t reach the service.');
    await passTimeUntil(alert);
    await context.unroute('**/api/v1/admin/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('End of the log').first().waitFor();
  });

  /** The number of scripts that a window has loaded after the first and after all of these URLs. */
  async function programsOf(
    options: WatchOptions,
    ways: readonly (readonly [path: string, heading: string])[],
  ): Promise<readonly [first: number, all: number]> {
    const { page } = await watch(options);
    const programs = new Set<string>();
    page.on('request', (request) => {
      if (request.resourceType() === 'script') programs.add(request.url());
    });
    let first = 0;
    for (const [path, heading] of ways) {
      await page.goto(path);
      await h1(page, heading).waitFor();
      expect(page.url()).toBe(`${server.url}${path}`);
      if (first > 0) continue;
      await page.waitForLoadState('networkidle');
      first = programs.size;
    }
    await page.waitForLoadState('networkidle');
    return [first, programs.size];
  }
});
