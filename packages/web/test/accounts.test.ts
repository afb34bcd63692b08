/** Sign-up, sign-in and account recovery in a real browser. */
import { readFile } from 'node:fs/promises';
import { APP_ORIGIN, codeOf, createFakeClock, startServer } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { lateEffects } from './late-effects.ts';
import { clipboardOf, descriptionOf, untilCopied } from './page-watch.ts';
import { passTimeUntil } from './passing-time.ts';

const NEW_PASSWORD = 'new horses run far away';
const CODE = /^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/;

describePages('accounts', () => {
  const { server, watch } = browserSuite();

  const pathOf = (page: Page) => {
    const { pathname, search, hash } = new URL(page.url());
    return pathname + search + hash;
  };
  async function logIn(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  }
  async function signUp(page: Page, email: string, password: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
  }

  test('a user who saved the recovery code continues without a warning, although the page is slow', async () => {
    const { page, context } = await watch();
    await context.addInitScript(lateEffects);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto('/signup?next=/settings');
    await signUp(page, 'slow@example.test', NEW_PASSWORD);
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => [...asked, pathOf(page)]).toEqual(['/settings']);
  });

  test('[D3] a new user signs up, is warned before leaving without saving the recovery code, and continues to the requested page', async () => {
    const { page } = await watch();
    await page.goto('/signup?next=/settings');
    await page.getByLabel('Name (optional)').fill('Ada Lovelace');
    await signUp(page, 'Ada@Example.test', NEW_PASSWORD);
    await page.getByRole('heading', { name: 'Save your recovery code' }).waitFor();
    const code = (await page.getByRole('group', { name: 'Recovery code' }).textContent()) ?? '';
    expect(code).toMatch(CODE);

    await untilCopied(page, () => page.getByRole('button', { name: 'Copy recovery code' }).click());
    expect(await clipboardOf(page)).toBe(code);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('svc-recovery-code.txt');
    const text = await readFile(await file.path(), 'utf8');
    for (const part of ['ada@example.test', server.url, code]) expect(text).toContain(part);

    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'svc' }).click();
    await expect.poll(() => asked).toEqual([expect.stringContaining('without saving the recovery code')]);
    expect(await page.getByRole('heading', { name: 'Save your recovery code' }).isVisible()).toBe(true);

    const goOn = page.getByRole('button', { name: 'Continue' });
    expect(await goOn.isDisabled()).toBe(true);
    expect(await descriptionOf(goOn)).toBe('Select the checkbox above to continue.');
    await page.getByLabel('I have saved the recovery code').check();
    await goOn.click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.getByRole('button', { name: 'Ada Lovelace' }).waitFor();
    expect(pathOf(page)).toBe('/settings');
    const recovered = await server.anonymous.api.recover({
      body: { email: 'ada@example.test', recoveryCode: code, newPassword: 'another few words' },
    });
    expect(codeOf(recovered)).toBe('ok');
  });

  test('[D3] the recovery code stays if the header fails', async () => {
    const { page } = await watch({ expected: /^uncaught: / });
    await page.route('**/api/v1/workspaces', (route) => route.fulfill({ json: { workspaces: [null] } }));
    const failed = page.waitForEvent('pageerror');
    await page.goto('/signup');
    await signUp(page, 'headless@example.test', NEW_PASSWORD);
    await failed;
    expect(await page.getByRole('banner').count()).toBe(0);
    expect(await page.getByRole('group', { name: 'Recovery code' }).innerText()).toMatch(CODE);
  });

  test('[D3] the recovery code is shown if the service fails after sign-up, and the user continues once it works', async () => {
    const { page } = await watch({ expected: /^failed: / });
    await page.goto('/signup?next=/settings');
    await page.getByLabel('Email').waitFor();
    await page.route(/\/api\/v1\/(?!auth)/, (route) => route.abort());
    await signUp(page, 'unlucky@example.test', NEW_PASSWORD);
    await page.getByLabel('I have saved the recovery code').check();
    expect(await page.getByRole('group', { name: 'Recovery code' }).innerText()).toMatch(CODE);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  test('[D3] the sign-up form shows errors at its fields and keeps the input', async () => {
    const taken = await server.signUp();
    const { page } = await watch();
    await page.goto('/signup');
    const email = page.getByLabel('Email');
    const password = page.getByLabel('Password', { exact: true });
    await signUp(page, 'nobody', 'short');
    await page.getByText('This must be one email address').waitFor();
    await email.and(page.locator(':focus')).waitFor();
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    expect(await password.inputValue()).toBe('short');

    await signUp(page, 'someone@example.test', '123456789012');
    await page.getByText('This is one of the most common passwords').waitFor();
    await signUp(page, 'someone@example.test', 'someone has a password');
    await page.getByText('must not contain the name part of the email address').waitFor();
    await signUp(page, taken.email, NEW_PASSWORD);
    await page.getByRole('alert').getByText('An account with this email already exists').waitFor();
    expect(await email.inputValue()).toBe(taken.email);
  });

  test('[D3] signing in works by keyboard alone, and a wrong password shows an error in the form', async () => {
    const person = await server.signUp();
    const { page } = await watch();
    await page.goto('/login');
    await page.getByLabel('Email').focus();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Wrong email or password').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: person.user.displayName }).waitFor();
    // The account menu appears before the next page replaces the form.
    await page.waitForURL(`${server.url}/`);
  });

  test('[T6] signing in continues only on this origin, at the requested page', async () => {
    const person = await server.signUp();
    const { page, context } = await watch();
    for (const [next, path] of [
      ['//evil.test/x', '/'],
      ['javascript:alert(1)', '/'],
      ['/settings#password', '/settings#password'],
    ] as const) {
      await context.clearCookies();
      await page.goto(`/login?next=${encodeURIComponent(next)}`);
      await logIn(page, person.email, person.password);
      await page.getByRole('button', { name: person.user.displayName }).waitFor();
      await page.waitForURL((url) => url.pathname !== '/login');
      expect(pathOf(page)).toBe(path);
    }
  });

  test('[T6] next passes from one form to the others, and signed-in users are redirected immediately', async () => {
    const person = await server.signUp();
    const watched = await watch();
    const { page } = watched;
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('link', { name: 'Use your recovery code' }).click();
    await page.getByRole('heading', { name: 'Reset password' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Create account' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/settings');
    await watched.signIn(person.cookie);
    for (const form of ['login', 'signup']) {
      await page.goto(`/${form}?next=/settings`);
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
    }
    await page.goto('/login?next=%2F%2Fevil.test');
    await page.waitForURL(`${server.url}/`);
  });

  test('[D3] the recovery code resets the password and is replaced', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const { page } = await watch();
    await page.goto('/recover?next=/settings');
    const fill = async (recoveryCode: string, newPassword: string) => {
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Recovery code').fill(recoveryCode);
      await page.getByLabel('New password', { exact: true }).fill(newPassword);
      await page.getByRole('button', { name: 'Set new password' }).click();
    };
    await fill('AAAAA-AAAAA-AAAAA-AAAAA-AAAAA', NEW_PASSWORD);
    await page.getByRole('alert').getByText('Wrong email or recovery code').waitFor();
    await fill(person.recoveryCode, 'short');
    await page.getByText('This must be text of 12').waitFor();
    await page.getByLabel('Keep my devices connected').check();
    await fill(person.recoveryCode.toLowerCase().replaceAll('-', ' '), NEW_PASSWORD);
    await page.getByRole('heading', { name: 'Save your recovery code' }).waitFor();
    expect(await page.getByRole('main').textContent()).not.toContain(person.recoveryCode);
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();

    const { api } = server.anonymous;
    const withPassword = (password: string) => api.logIn({ body: { email: person.email, password } });
    expect(codeOf(await withPassword(person.password))).toBe('UNAUTHENTICATED');
    expect(codeOf(await withPassword(NEW_PASSWORD))).toBe('ok');
    expect(codeOf(await person.api.listSessions())).toBe('UNAUTHENTICATED');
    expect(codeOf(await device.api.listWorkspaces())).toBe('ok');
  });

  test('[D24] account recovery revokes devices unless the checkbox is selected', async () => {
    const person = await server.signUp();
    const device = await server.linkDevice(person);
    const { page } = await watch();
    await page.goto('/recover');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Recovery code').fill(person.recoveryCode);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await page.getByRole('heading', { name: 'Save your recovery code' }).waitFor();
    expect(codeOf(await device.api.listWorkspaces())).toBe('DEVICE_REVOKED');
  });

  test('[D3] the forms label their fields for password managers', async () => {
    const { page } = await watch();
    const held: Record<string, unknown> = {};
    for (const form of ['login', 'signup', 'recover']) {
      await page.goto(`/${form}`);
      await page.getByLabel('Email').waitFor();
      const fields = await page.getByRole('main').locator('input').all();
      held[form] = await Promise.all(
        fields.map((field) => Promise.all([field.getAttribute('type'), field.getAttribute('autocomplete')])),
      );
    }
    expect(held).toEqual({
      login: [
        ['email', 'username'],
        ['password', 'current-password'],
      ],
      signup: [
        ['email', 'username'],
        [null, 'name'],
        ['password', 'new-password'],
      ],
      recover: [
        ['email', 'username'],
        [null, 'off'],
        ['password', 'new-password'],
        ['checkbox', null],
      ],
    });
    await page.goto('/login');
    await page.getByLabel('Password', { exact: true }).fill('shown');
    await page.getByRole('button', { name: 'Show password' }).click();
    await page.getByLabel('Password', { exact: true }).and(page.locator('[type=text]')).waitFor();
  });

  test('[D3] the sign-in form shows when to retry after too many attempts', async () => {
    await using throttled = await startServer({ throttled: true, clock: createFakeClock(Date.now()) });
    const person = await throttled.signUp();
    for (let guess = 0; guess < 10; guess += 1)
      await throttled.anonymous.api.logIn({ body: { email: person.email, password: 'not the password' } });
    const watched = await watch({ url: throttled.url });
    await watched.page.goto('/login');
    await logIn(watched.page, person.email, person.password);
    await watched.page
      .getByRole('alert')
      .getByText('Too many attempts. Try again in 15 min.', { exact: true })
      .waitFor();
  });

  test('a form shows an error and stays if the service is unreachable', async () => {
    const person = await server.signUp();
    const { page, context } = await watch({ expected: /^failed: .*\/auth\/login / });
    await page.goto('/login');
    await page.getByLabel('Email').waitFor();
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await logIn(page, person.email, person.password);
    await page.getByRole('alert').getByText('Can’t reach the service').waitFor();
    await context.setOffline(false);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: person.user.displayName }).waitFor();
  });

  test("a page whose code can't be loaded shows an error and loads on retry", async () => {
    const { page, context } = await watch({
      expected: /^failed: .*\/(session|assets\/.*) |^error: ConnectionError/,
    });
    await page.goto('/login');
    await page.getByLabel('Email').waitFor();
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    const tryAgain = page.getByRole('button', { name: 'Try again' });
    await page.evaluate(`document.documentElement.dataset.document = 'first'`);
    await context.setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByRole('link', { name: 'API', exact: true }).click();
    const failed = heading('Can’t reach the service');
    await failed.evaluate((node) => (node.dataset['try'] = 'first'));
    await tryAgain.click();
    await failed.and(page.locator(':not([data-try])')).waitFor();
    await context.setOffline(false);
    await tryAgain.click();
    await heading('API reference').waitFor();
    // The browser believes it is online, but nothing responds.
    await context.route('**/*', (route) => route.abort());
    await page.getByRole('link', { name: 'svc' }).click();
    await heading('Can’t reach the service').waitFor();
    expect(await page.locator('html').getAttribute('data-document')).toBe('first');
    await context.unroute('**/*');
    await tryAgain.click();
    await heading('Security reports you can share safely').waitFor();
  });

  test('a failed page loads on retry', async () => {
    const person = await server.signUp();
    const { page } = await watch({
      cookie: person.cookie,
      expected: /^failed: .*\/devices |^error: ConnectionError/,
    });
    await page.route('**/api/v1/devices', (route) => route.abort());
    await page.clock.install();
    await page.goto('/settings');
    const failed = page.getByRole('heading', { level: 1, name: 'Can’t reach the service' });
    // Retries are delayed.
    await passTimeUntil(failed);
    await page.unroute('**/api/v1/devices');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  });

  test('[D15] the well-known URL links to the password settings without a redirect', async () => {
    const watched = await watch({
      expected: /^foreign: http:\/\/svc\.test\//,
    });
    const { page } = watched;
    await page.route(`${APP_ORIGIN}/**`, (route) => route.fulfill({ body: 'settings' }));
    const answer = await page.goto('/.well-known/change-password');
    expect(answer?.status()).toBe(200);
    await page.getByRole('link', { name: 'Go to the password' }).click();
    await page.waitForURL(`${APP_ORIGIN}/settings#password`);

    const person = await server.signUp();
    await watched.signIn(person.cookie);
    await page.goto('/settings#password');
    const section = page.getByRole('region', { name: 'Password' });
    await section.waitFor();
    await expect.poll(async () => (await section.boundingBox())?.y ?? 800).toBeLessThan(400);
  });

  test('signing out leaves no data on the page', async () => {
    const person = await server.signUp();
    const { page } = await watch({ cookie: person.cookie });
    await page.goto('/settings');
    await page.getByRole('button', { name: person.user.displayName }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${server.url}/`);
    expect(codeOf(await person.api.getSession())).toBe('UNAUTHENTICATED');
    expect(await page.content()).not.toContain(person.email);
  });
});
