/** What the pages show in a browser that keeps no session cookie. */
import { bodyOf, createTeam, shareOf, syncReport, type SessionActor } from '@svc/testkit';
import { startFaultyProxy, type FaultyProxy } from '@svc/testkit/faulty-proxy';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findingsInBothThemes } from './axe.ts';
import { blockedStorage } from './blocked-storage.ts';
import { browserSuite, describePages } from './browser-suite.ts';
import type { WatchOptions } from './test-window.ts';

const PASSWORD = 'new horses run far away';
const BLOCKED = 'Your browser blocks cookies for this site. Allow them, then sign in.';

describePages('with cookies that are blocked', () => {
  const { server, watch } = browserSuite();
  let owner: SessionActor;
  /** Pages behind it get no cookies until it recovers. */
  let proxy: FaultyProxy;
  beforeAll(async () => {
    proxy = await startFaultyProxy(server.url);
    owner = await server.signUp();
  });
  beforeEach(() => proxy.fail('cookie'));
  afterAll(() => proxy.close());

  async function open(path: string, script = '', options: WatchOptions = {}) {
    const watched = await watch({ url: proxy.url, ...options });
    await watched.context.addInitScript(script);
    await watched.page.goto(path);
    await watched.page.getByRole('heading', { level: 1 }).waitFor();
    return watched;
  }
  async function signIn(page: Page, { email, password } = owner): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  }
  const says = (page: Page, text = BLOCKED) => page.getByRole('alert').getByText(text).waitFor();
  const pathOf = (page: Page) => page.url().slice(proxy.url.length);
  const codeOn = (page: Page) => page.getByRole('group', { name: 'Recovery code' }).innerText();

  test.each([
    ['cookies', ''],
    ['cookies and storage', blockedStorage],
  ])(
    '[D3] a new user whose browser blocks %s gets the recovery code and the reason, and signs in once they are allowed',
    async (what, script) => {
      const email = `${what.length}@example.test`;
      const { page } = await open('/signup?next=/settings', script);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Create account' }).click();
      await says(page);
      expect(await codeOn(page)).toMatch(/^(\w{5}-){4}\w{5}$/);
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await findingsInBothThemes(page)).toEqual([]);
      await page.getByLabel('I have saved the recovery code').check();
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(/\/login\?/);
      await signIn(page, { ...owner, email, password: PASSWORD });
      await says(page);
      expect(pathOf(page)).toBe('/login?next=%2Fsettings');
      proxy.recover();
      await signIn(page, { ...owner, email, password: PASSWORD });
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
    },
  );

  test('[D3] a user who resets the password gets the new recovery code and the reason', async () => {
    const person = await server.signUp();
    const { page } = await open('/recover');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Recovery code').fill(person.recoveryCode);
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await says(page);
    const recoveryCode = await codeOn(page);
    const body = { email: person.email, recoveryCode, newPassword: 'another few words' };
    bodyOf(await server.anonymous.api.recover({ body }));
  });

  test('a page that requires an account says why signing in fails', async () => {
    const { page } = await open('/settings');
    await signIn(page);
    await says(page);
    expect(pathOf(page)).toBe('/login?next=%2Fsettings');
  });

  test('[D10] a share that requires an account says why signing in fails, and any other opens', async () => {
    const { reportId } = await syncReport(await server.linkDevice(owner));
    const named = await shareOf(owner, reportId, { mode: 'private', anonymousAllowed: false });
    const { page } = await open(`/s/${named.slug}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page);
    await says(page);
    expect(pathOf(page)).toBe(`/login?next=%2Fs%2F${named.slug}`);
    const locked = await shareOf(owner, reportId, { password: PASSWORD });
    await page.goto(`/s/${locked.slug}`);
    await page.getByLabel('Password of this link', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Open report' }).click();
    await page.getByRole('link', { name: 'Order lookup' }).waitFor();
  });

  test('[D4] the approval page of a device link keeps its match code and says why signing in fails', async () => {
    const { publicRequestId } = await server.beginLink();
    const { page } = await open(`/link/${publicRequestId}`);
    const code = await page.getByRole('group', { name: 'Your terminal must show the same code' }).innerText();
    await signIn(page);
    await says(page);
    await page.getByText(code, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    proxy.recover();
    await signIn(page);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
  });

  test('an invitation says why signing in fails', async () => {
    const id = await createTeam(owner);
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id } }));
    const { page } = await open(new URL(url).pathname);
    await signIn(page);
    await says(page);
  });

  test('a session that ends while a page is in use can’t be replaced, and the dialog says why', async () => {
    const { page, context } = await open('/settings', '', { cookie: owner.cookie });
    await context.clearCookies();
    const password = page.getByRole('region', { name: 'Recovery code', exact: true });
    await password.getByLabel('Password', { exact: true }).fill(owner.password);
    await password.getByRole('button', { name: 'Create new recovery code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.getByLabel('Password', { exact: true }).fill(owner.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').getByText(BLOCKED).waitFor();
  });

  test('[T29] a browser with two session cookies says that the cookies must be deleted', async () => {
    proxy.recover();
    const { page, context } = await open('/login');
    const { hostname: domain } = new URL(proxy.url);
    await context.addCookies([{ name: 'svc_session', value: 'other', domain, path: '/api' }]);
    await signIn(page);
    await says(page, 'Delete the cookies of this site and sign in again.');
  });
});
