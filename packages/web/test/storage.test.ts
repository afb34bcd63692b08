/** What users do in a browser that keeps nothing for the pages. */
import { randomUUID } from 'node:crypto';
import { bodyOf, createShell, shareOf, syncReport, type DeviceActor, type SessionActor } from '@svc/testkit';
import { beforeAll, expect, test } from 'vitest';
import { blockedStorage, fullStorage } from './blocked-storage.ts';
import { browserSuite, describePages } from './browser-suite.ts';
import type { WatchOptions } from './test-window.ts';

const PASSWORD = 'new horses run far away';
const BLOCKED = 'This browser blocks storage for this site';
const FINDING = 'Order lookup trusts the id it is given';

describePages.each([
  ['denied', blockedStorage],
  ['full', fullStorage],
])('with storage that is %s', (_state, script) => {
  const { server, watch, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let device: DeviceActor;
  let reportId: string;
  beforeAll(async () => {
    ({ owner, device } = await newcomer());
    ({ reportId } = await syncReport(device));
  });

  async function open(path: string, options: WatchOptions = {}) {
    const { page, context } = await watch(options);
    await context.addInitScript(script);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }
  const openSignedIn = (path: string) => open(path, { cookie: owner.cookie });

  test('[D3] a new user gets the recovery code and continues to the requested page', async () => {
    const page = await open('/signup?next=/settings');
    await page.getByLabel('Email').fill('new@example.test');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'new', exact: true }).waitFor();
    const code = await page.getByRole('group', { name: 'Recovery code' }).innerText();
    expect(code).toMatch(/^(\w{5}-){4}\w{5}$/);
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  test('[D3] a user signs in and gets to the overview', async () => {
    const page = await open('/login');
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: owner.user.displayName }).waitFor();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
  });

  test('[D3] a user resets the password and gets the new recovery code', async () => {
    const person = await server.signUp();
    const page = await open('/recover?next=/settings');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Recovery code').fill(person.recoveryCode);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await page.getByRole('button', { name: person.user.displayName }).waitFor();
    expect(await page.getByRole('group', { name: 'Recovery code' }).innerText()).not.toBe('');
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  test('a user reads a report, decides about a finding and returns to the overview', async () => {
    const own = await syncReport(device);
    const page = await openSignedIn(`/reports/${own.reportId}`);
    await page.getByRole('link', { name: FINDING }).click();
    await page.getByRole('button', { name: 'Status of F-1' }).click();
    await page.getByRole('menuitem', { name: 'Accepted risk' }).click();
    await page.getByRole('button', { name: 'Set status' }).click();
    await expect
      .poll(async () => bodyOf(await owner.api.getReport({ params: { id: own.reportId } })).decisions.length)
      .toBe(1);
    await page.getByRole('link', { name: 'svc', exact: true }).click();
    await page.getByRole('heading', { name: 'Newest reports' }).waitFor();
  });

  test('a user shares a report', async () => {
    const page = await openSignedIn(`/reports/${reportId}`);
    await page.getByRole('button', { name: /^Share/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText('Shown once').waitFor();
  });

  test('a viewer opens a share with its password, and a reload asks again, as the page says', async () => {
    const { slug } = await shareOf(owner, reportId, { password: PASSWORD });
    const page = await open(`/s/${slug}`);
    const password = page.getByLabel('Password of this link', { exact: true });
    await page.getByText(`${BLOCKED}, so a reload asks for it again.`).waitFor();
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Open report' }).click();
    await page.getByRole('link', { name: FINDING }).waitFor();
    await page.reload();
    await password.waitFor();
  });

  test('a live page updates automatically', async () => {
    const { reportId: live } = await createShell(device);
    const page = await openSignedIn(`/reports/${live}`);
    const event = {
      eventId: randomUUID(),
      reportId: live,
      occurredAt: new Date().toISOString(),
      type: 'phase_started' as const,
      phase: 'inventory' as const,
    };
    bodyOf(await device.api.sendProgress({ params: { id: live }, body: { events: [event] } }));
    await page.getByRole('listitem').filter({ hasText: 'Listing files: in progress' }).waitFor();
  });

  test('[D13] the settings say that the browser sends no statistics', async () => {
    const page = await openSignedIn('/settings');
    await page.getByText(`${BLOCKED}, so it cannot keep your choice and sends no statistics.`).waitFor();
  });

  test('a saved view lasts until the page is left, as the menu says', async () => {
    const { workspaces } = bodyOf(await owner.api.listWorkspaces());
    const page = await openSignedIn(`/workspaces/${workspaces[0]!.workspaceId}/findings`);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByText(`${BLOCKED}. Views are lost when you reload or close this page.`).waitFor();
    await page.getByLabel('Name of the view').fill('All of them');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'All of them', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Projects', exact: true }).click();
    await page.getByRole('link', { name: 'Findings', exact: true }).click();
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'All of them', exact: true }).waitFor();
  });
});
