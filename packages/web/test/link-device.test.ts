/** The approval of device links in a real browser. */
import { MINUTE_MS } from '@svc/contract/durations';
import { bodyOf, codeOf, createFakeClock } from '@svc/testkit';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import type { WatchOptions } from './test-window.ts';

const WARNING = 'If a website or a person sent you here, deny it.';

describePages('the page of a device link', () => {
  // The page shows times relative to the browser's clock, so the fake clock of the server starts at the present.
  const clock = createFakeClock(Date.now());
  const { server, visit } = browserSuite({ clock });

  const open = (publicRequestId: string, options: WatchOptions = {}) =>
    visit(`/link/${publicRequestId}`, options);
  const exchange = (link: { publicRequestId: string; verifier: string }) =>
    server.anonymous.api.exchangeDeviceLink({
      params: { id: link.publicRequestId },
      body: { verifier: link.verifier },
    });
  const stateOf = async (publicRequestId: string) => {
    const { api } = await server.signUp();
    return bodyOf(await api.getDeviceLink({ params: { id: publicRequestId } }));
  };

  test('[T7] a new user signs up, returns to the same code and approves, and the device gets its token', async () => {
    const link = await server.beginLink({ deviceName: 'build <script>alert(1)</script>' });
    const { page } = await open(link.publicRequestId);
    const heading = page.getByRole('heading', {
      name: 'Connect “build <script>alert(1)</script>” to your account?',
    });
    const { matchCode } = await stateOf(link.publicRequestId);
    await heading.waitFor();
    await page.getByText(matchCode, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Create account' }).waitFor();
    await page.getByLabel('Email').fill('new@example.test');
    await page.getByLabel('Password', { exact: true }).fill('new horses run far');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();

    await heading.waitFor();
    await page.getByText(matchCode, { exact: true }).waitFor();
    for (const fact of ['linux, x64', 'svc 1.0.0', 'Can create and upload reports; can’t read or share them'])
      await page.getByText(fact).waitFor();
    await page.getByText(WARNING).waitFor();
    await page.getByText('new@example.test').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'is approved' }).waitFor();

    expect(bodyOf(await exchange(link)).email).toBe('new@example.test');
    await page.reload();
    await page.getByRole('heading', { name: 'is connected' }).waitFor();
    await page.getByRole('link', { name: 'View your devices' }).click();
    await page.getByRole('list', { name: 'Connected devices' }).getByText('build <script>').waitFor();
  });

  test('[T7] a user who signs in on the page sees the same code and can deny', async () => {
    const person = await server.signUp();
    const link = await server.beginLink();
    const { page } = await open(link.publicRequestId);
    const { matchCode } = await stateOf(link.publicRequestId);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Deny' }).waitFor();
    await page.getByText(matchCode, { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/link/${link.publicRequestId}`);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: '“laptop” was denied' }).waitFor();
    expect((await stateOf(link.publicRequestId)).state).toBe('denied');
    await page.reload();
    await page.getByRole('heading', { name: '“laptop” was denied' }).waitFor();
  });

  test('[T7] opening and reloading the page does not approve a device', async () => {
    const person = await server.signUp();
    const link = await server.beginLink();
    const { page } = await open(link.publicRequestId, { cookie: person.cookie });
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(codeOf(await exchange(link))).toBe('DEVICE_LINK_NOT_APPROVED');
  });

  test('[T7] after switching the account, the device belongs to the new one', async () => {
    const [first, second] = [await server.signUp(), await server.signUp()];
    const link = await server.beginLink();
    const { page } = await open(link.publicRequestId, { cookie: first.cookie });
    await page.getByText(first.email).waitFor();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByLabel('Email').fill(second.email);
    await page.getByLabel('Password', { exact: true }).fill(second.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(second.email).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'is approved' }).waitFor();
    expect(bodyOf(await exchange(link)).email).toBe(second.email);
  });

  test('[T7] after the account was switched in another tab, the new account is shown before it can decide', async () => {
    const [first, second] = [await server.signUp(), await server.signUp()];
    const link = await server.beginLink();
    const watched = await open(link.publicRequestId, { cookie: first.cookie });
    const { page } = watched;
    await page.getByText(first.email).waitFor();
    await watched.signIn(second.cookie);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(second.email).waitFor();
    expect((await stateOf(link.publicRequestId)).state).toBe('pending');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'is approved' }).waitFor();
  });

  test('[D4] a decision about a device link that has changed meanwhile shows its current state', async () => {
    const person = await server.signUp();
    const other = await server.signUp();
    const link = await server.beginLink();
    const params = { id: link.publicRequestId };
    const { page } = await open(link.publicRequestId, { cookie: person.cookie });
    bodyOf(await other.api.denyDeviceLink({ params }));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'was denied' }).waitFor();
  });

  test('[D4] an expired device link says so and how to start again', async () => {
    const person = await server.signUp();
    const link = await server.beginLink();
    const { page } = await open(link.publicRequestId, { cookie: person.cookie });
    clock.advance(10 * MINUTE_MS);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Device link expired' }).waitFor();
    expect(await page.getByRole('group', { name: 'Command' }).textContent()).toBe('svc login');
  });
});
