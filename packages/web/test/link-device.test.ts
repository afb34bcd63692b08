/** A device asks to be connected, and a person decides in a real browser. */
import { bodyOf, codeOf, createFakeClock } from '@svc/testkit';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import type { WatchOptions } from './test-window.ts';

const WARNING = 'If a website or a person sent you here, deny it.';

describePages('the page of a device link', () => {
  // Its own time can stand still only where the browser's does not matter: it tells how long ago things were.
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

  test('[T7] a new person signs up, comes back to the same code, approves, and the device gets its token', async () => {
    const link = await server.beginLink({ deviceName: 'build <script>alert(1)</script>' });
    const { page } = await open(link.publicRequestId);
    const heading = page.getByRole('heading', {
      name: 'Connect “build <script>alert(1)</script>” to your account?',
    });
    const { matchCode } = await stateOf(link.publicRequestId);
    await heading.waitFor();
    await page.getByText(matchCode, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Make an account' }).click();
    await page.getByRole('heading', { name: 'Make an account' }).waitFor();
    await page.getByLabel('Email').fill('new@example.test');
    await page.getByLabel('Password', { exact: true }).fill('new horses run far');
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByLabel('I have kept the code').check();
    await page.getByRole('button', { name: 'Continue' }).click();

    await heading.waitFor();
    await page.getByText(matchCode, { exact: true }).waitFor();
    for (const fact of ['linux, x64', 'svc 1.0.0', 'create and upload reports; it cannot read or share them'])
      await page.getByText(fact).waitFor();
    await page.getByText(WARNING).waitFor();
    await page.getByText('new@example.test').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'is approved' }).waitFor();

    expect(bodyOf(await exchange(link)).email).toBe('new@example.test');
    await page.reload();
    await page.getByRole('heading', { name: 'is connected' }).waitFor();
    await page.getByRole('link', { name: 'See your devices' }).click();
    await page.getByRole('list', { name: 'Connected devices' }).getByText('build <script>').waitFor();
  });

  test('[T7] who signs in on the page stays on it, sees the same code, and can deny', async () => {
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

  test('[T7] visits and asking in the name of another approve nothing', async () => {
    const person = await server.signUp();
    const link = await server.beginLink();
    const { page } = await open(link.publicRequestId, { cookie: person.cookie });
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    expect(codeOf(await exchange(link))).toBe('DEVICE_LINK_NOT_APPROVED');
  });

  test('[T7] the account can be switched, and the device then belongs to the other one', async () => {
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

  test('[T7] an account that another tab switched to decides nothing before it is seen', async () => {
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

  test('[D4] what happened to a link while it was looked at is shown when somebody decides', async () => {
    const person = await server.signUp();
    const other = await server.signUp();
    const link = await server.beginLink();
    const params = { id: link.publicRequestId };
    const { page } = await open(link.publicRequestId, { cookie: person.cookie });
    bodyOf(await other.api.denyDeviceLink({ params }));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'was denied' }).waitFor();
  });

  test('[D4] a link whose time is over says so, and how to begin again', async () => {
    const person = await server.signUp();
    const link = await server.beginLink();
    const { page } = await open(link.publicRequestId, { cookie: person.cookie });
    clock.advance(10 * 60_000);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
    expect(await page.getByRole('group', { name: 'Command' }).textContent()).toBe('svc login');
  });
});
