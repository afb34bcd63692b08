/** The settings in a real browser, including when the session ends meanwhile. */
import { MINUTE_MS } from '@svc/contract/durations';
import { bodyOf, codeOf, createTeam, type SessionActor } from '@svc/testkit';
import type { Locator, Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { descriptionOf } from './page-watch.ts';
import type { WatchOptions } from './test-window.ts';

const NEW_PASSWORD = 'new horses run far away';

describePages('settings', () => {
  const { server, visit } = browserSuite();

  async function open(person: SessionActor, options: WatchOptions = {}) {
    const watched = await visit('/settings', { cookie: person.cookie, ...options });
    await watched.page.getByRole('heading', { name: 'Settings' }).waitFor();
    const part = (name: string) => watched.page.getByRole('region', { name, exact: true });
    return { ...watched, part };
  }
  const logIn = (email: string, password: string) =>
    server.anonymous.api.logIn({ body: { email, password } });

  test('[D16] [D24] changing the password requires the current one, ends other sessions and optionally revokes devices', async () => {
    const person = await server.signUp({ displayName: 'Ada' });
    const device = await server.linkDevice(person);
    bodyOf(await logIn(person.email, person.password));
    const { page, part } = await open(person);
    await part('Profile').getByText(person.email).waitFor();
    await part('Sessions').getByText('Another browser').waitFor();
    const form = part('Password');
    const change = async (present: string, chosen: string) => {
      await form.getByLabel('Current password', { exact: true }).fill(present);
      await form.getByLabel('New password', { exact: true }).fill(chosen);
      await form.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not the password', NEW_PASSWORD);
    await form.getByRole('alert').getByText('The password is wrong.').waitFor();
    await change(person.password, 'short');
    await form.getByText('This must be text of 12').waitFor();
    await change(person.password, NEW_PASSWORD);
    await form.getByRole('status').getByText('Password changed.').waitFor();
    expect(await form.getByLabel('New password', { exact: true }).inputValue()).toBe('');
    await part('Sessions').getByText('Another browser').first().waitFor({ state: 'detached' });
    expect(codeOf(await logIn(person.email, NEW_PASSWORD))).toBe('ok');
    expect(await page.locator('input[autocomplete=username]').first().inputValue()).toBe(person.email);

    expect(codeOf(await device.api.listWorkspaces())).toBe('ok');
    await form.getByLabel('Also revoke all devices').check();
    await change(NEW_PASSWORD, person.password);
    await part('Devices').getByText('1 revoked device').waitFor();
    expect(codeOf(await device.api.listWorkspaces())).toBe('DEVICE_REVOKED');
  });

  test('[D16] a new recovery code is shown once until it is saved, and replaces the old one', async () => {
    const person = await server.signUp();
    const { page, part } = await open(person);
    const form = part('Recovery code');
    await form.getByLabel('Password', { exact: true }).fill(person.password);
    await form.getByRole('button', { name: 'Create new recovery code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save your recovery code' });
    const code = (await dialog.getByRole('group', { name: 'Recovery code' }).textContent()) ?? '';
    expect(code).toHaveLength(29);
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByLabel('I have saved the recovery code').check();
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await page.content()).includes(code)).toBe(false);
    const recover = (recoveryCode: string) =>
      server.anonymous.api.recover({
        body: { email: person.email, recoveryCode, newPassword: NEW_PASSWORD },
      });
    expect(codeOf(await recover(person.recoveryCode))).toBe('UNAUTHENTICATED');
    expect(codeOf(await recover(code))).toBe('ok');
  });

  test('[D16] [D24] sessions show browser, system and network, and can be ended one by one or all but the current', async () => {
    const person = await server.signUp();
    for (let browsers = 0; browsers < 2; browsers += 1) bodyOf(await logIn(person.email, person.password));
    await server.anonymous.fetch('/api/v1/auth/login', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      },
      body: JSON.stringify({ email: person.email, password: person.password }),
    });
    const { page, part } = await open(person);
    const sessions = part('Sessions');
    expect(await sessions.getByText('This browser').count()).toBe(1);
    const firefox = sessions.getByRole('listitem').filter({ hasText: 'Another browser: Firefox on Linux' });
    await firefox.getByText('network 127.0.0.0/24').waitFor();
    const ending = sessions.getByRole('button', { name: 'End session' }).first();
    const question = page.getByRole('dialog', { name: 'End this session?' });
    const cancel = question.getByRole('button', { name: 'Cancel' });
    await ending.click();
    // Clicks in one tick: the close event of a dialog fires with the next frame.
    await cancel.evaluate(
      async (button, opener) => {
        const { requestAnimationFrame } = button.ownerDocument.defaultView;
        button.click();
        await Promise.resolve();
        opener.click();
        await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
      },
      await ending.elementHandle(),
    );
    expect(await question.isVisible()).toBe(true);
    await cancel.click();
    expect(bodyOf(await person.api.listSessions()).sessions).toHaveLength(4);
    await ending.click();
    await question.getByRole('button', { name: 'End session' }).click();
    await sessions.getByRole('button', { name: 'End 2 other sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click();
    await sessions.getByText('Another browser').first().waitFor({ state: 'hidden' });
    expect(bodyOf(await person.api.listSessions()).sessions).toMatchObject([{ current: true }]);
  });

  test('[D4] [D24] a device shows its expiry, and loses access when revoked after confirmation', async () => {
    const person = await server.signUp();
    const { page, part } = await open(person);
    const devices = part('Devices');
    await devices.getByText('No devices are connected.').waitFor();

    const { publicRequestId: id, verifier } = await server.beginLink({ deviceName: 'borrowed' });
    bodyOf(await person.api.approveDeviceLink({ params: { id }, body: { lifetimeMinutes: 45 } }));
    bodyOf(await server.anonymous.api.exchangeDeviceLink({ params: { id }, body: { verifier } }));
    const device = await server.linkDevice(person, { deviceName: 'work laptop', clientVersion: '1.4.2' });
    await page.reload();
    const borrowed = devices.getByRole('listitem').filter({ hasText: 'borrowed' });
    await borrowed.getByText('expires in 4').waitFor();
    await devices.getByText('linux, x64, svc 1.4.2, last seen').waitFor();
    await devices.getByRole('button', { name: 'Revoke “work laptop”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “work laptop”?' });
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    expect(codeOf(await device.api.listWorkspaces())).toBe('ok');
    await dialog.getByRole('button', { name: 'Revoke device' }).click();
    await devices.getByText('1 revoked device').click();
    await devices.getByRole('list', { name: 'Revoked devices' }).getByText('work laptop').waitFor();
    expect(codeOf(await device.api.listWorkspaces())).toBe('DEVICE_REVOKED');
  });

  test('[D5] deleting an account requires email and password, and fails for a sole owner of a shared workspace', async () => {
    const [person, member] = [await server.signUp(), await server.signUp()];
    const team = await createTeam(person, [member]);
    const { page, part } = await open(person);
    const end = part('Delete account');
    const confirm = async (password: string) => {
      await end.getByRole('button', { name: 'Delete account' }).click();
      const dialog = page.getByRole('dialog', { name: `Delete account ${person.email}?` });
      const button = dialog.getByRole('button', { name: 'Delete account' });
      expect(await button.isDisabled()).toBe(true);
      expect(await descriptionOf(button)).toBe(`Type ${person.email} first.`);
      await dialog.getByLabel('Account email').fill(person.email);
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await button.click();
      return dialog;
    };
    const dialog = await confirm('not the password');
    await dialog.getByRole('alert').getByText('The password is wrong.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await confirm(person.password);
    await end.getByRole('alert').getByText('the only owner of a shared workspace').waitFor();
    expect(await end.getByRole('link', { name: 'Team' }).getAttribute('href')).toBe(`/workspaces/${team}`);

    bodyOf(
      await person.api.changeMember({
        params: { id: team, userId: member.user.userId },
        body: { role: 'owner', password: person.password },
      }),
    );
    await confirm(person.password);
    await page.getByRole('heading', { name: 'Account deleted' }).waitFor();
    await page.getByRole('link', { name: 'Sign up' }).waitFor();
    expect(codeOf(await logIn(person.email, person.password))).toBe('UNAUTHENTICATED');
  });

  test('[D5] the settings create a team workspace', async () => {
    const person = await server.signUp();
    const { page, part } = await open(person);
    await part('Workspaces').getByRole('button', { name: 'New team workspace' }).click();
    const dialog = page.getByRole('dialog', { name: 'New team workspace' });
    await dialog.getByRole('button', { name: 'Create workspace' }).click();
    await dialog.getByText('This must be').waitFor();
    await dialog.getByLabel('Name').fill('Payments');
    await dialog.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  });

  test('an ended session is renewed in a dialog, and the page keeps its input', async () => {
    const person = await server.signUp();
    const { page, part } = await open(person);
    const form = part('Password');
    await form.getByLabel('Current password', { exact: true }).fill(person.password);
    await form.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    bodyOf(await person.api.logOut());
    await form.getByRole('button', { name: 'Change password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe(person.email);
    expect(await dialog.getByLabel('Email').isEditable()).toBe(false);

    await dialog.getByRole('button', { name: 'Close' }).click();
    await form.getByRole('alert').getByText('Your session has ended. Sign in and try again.').waitFor();
    expect(await form.getByLabel('New password', { exact: true }).inputValue()).toBe(NEW_PASSWORD);

    await form.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Wrong email or password').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(person.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await form.getByRole('status').getByText('Password changed.').waitFor();
    expect(await dialog.isVisible()).toBe(false);
    expect(codeOf(await logIn(person.email, NEW_PASSWORD))).toBe('ok');
  });

  test('a page opened after the session ended loads once the user has signed in again', async () => {
    const person = await server.signUp();
    const { page, part } = await open(person);
    bodyOf(await person.api.logOut());
    await part('Workspaces').getByRole('link', { name: 'Personal' }).click();
    await signInOver(page, person);
    await page.getByRole('heading', { level: 1, name: 'Personal' }).waitFor();
  });

  test('after a session ended the user signs in once, even if more errors arrive late', async () => {
    const person = await server.signUp();
    const { page, part } = await open(person);
    await part('Devices').getByText('No devices are connected.').waitFor();
    const form = part('Password');
    await form.getByLabel('Current password', { exact: true }).fill(person.password);
    await form.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    const isBack = Promise.withResolvers<void>();
    let held = 0;
    const holdFirst = async (route: Route) => {
      held += 1;
      if (held > 1) return route.continue();
      const response = await route.fetch();
      await isBack.promise;
      return route.fulfill({ response });
    };
    // Without `times: 1`: Playwright misses the response to a request that is sent while it removes the route.
    await page.route('**/api/v1/devices', holdFirst);
    bodyOf(await person.api.logOut());
    await comeBack(page);
    const dialog = await signInOver(page, person);
    await dialog.waitFor({ state: 'hidden' });
    const isAnswered = page.waitForResponse((answer) => answer.url().endsWith('/devices') && answer.ok());
    isBack.resolve();
    await isAnswered;
    expect(await dialog.isVisible()).toBe(false);
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByRole('status').getByText('Password changed.').waitFor();
  });

  test('a page reloads if another account signs in', async () => {
    const [person, other] = [await server.signUp(), await server.signUp()];
    const watched = await open(person);
    const { page, part } = watched;
    await part('Profile').getByText(person.email).waitFor();
    await watched.signIn(other.cookie);
    await comeBack(page);
    await part('Profile').getByText(other.email).waitFor();
    expect(await page.content()).not.toContain(person.email);
  });

  /** @returns the sign-in dialog. */
  async function signInOver(page: Page, { password }: SessionActor): Promise<Locator> {
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    return dialog;
  }

  /** Waits long enough for the page to refetch the session. */
  async function comeBack(page: Page): Promise<void> {
    await page.clock.install();
    await page.clock.runFor(MINUTE_MS);
    const asked = page.waitForResponse('**/api/v1/session');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await asked;
  }
});
