/** The sign-up page where signing up takes an invitation or the setup token, or is closed, in a real browser. */
import { bodyOf, readSetupToken } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

const PASSWORD = 'new horses run far away';
const ADMIN = 'boss@example.test';

async function fill(page: Page, email: string, setupToken?: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  if (setupToken !== undefined) await page.getByLabel('Setup token', { exact: true }).fill(setupToken);
  await page.getByRole('button', { name: 'Make the account' }).click();
}

describePages('sign-up of the administrator', () => {
  const { server, watch } = browserSuite({ config: { platformAdminEmail: ADMIN, signUp: 'closed' } });

  test('[T25] the page asks for the setup token at /signup?setup, says that it is wrong, and takes it', async () => {
    const { page } = await watch();
    await page.goto('/signup?setup');
    await page.getByRole('heading', { name: 'Make the administrator' }).waitFor();
    await fill(page, ADMIN, 'a wrong token');
    await page.getByRole('alert').getByText('The email or the setup token is wrong').waitFor();
    await fill(page, ADMIN, readSetupToken(server.dataDir));
    await page.getByRole('heading', { name: 'Keep your recovery code' }).waitFor();
    await page.getByLabel('I have kept the code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'svc is ready' }).waitFor();
    await page.getByRole('button', { name: 'boss' }).click();
    await page.getByRole('menuitem', { name: 'Administration' }).waitFor();
  });

  test('[D24] where sign-up is closed, no page offers it, and its own says so', async () => {
    const { page } = await watch();
    for (const path of ['/', '/login', '/sample', '/invitations/nothing']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await page.getByRole('link', { name: /make an account|sign up/i }).count()]).toEqual([
        path,
        0,
      ]);
    }
    await page.goto('/signup');
    await page.getByText('This service does not take new accounts.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
  });
});

describePages('sign-up by invitation', () => {
  const { server, watch } = browserSuite({ config: { platformAdminEmail: ADMIN, signUp: 'invited' } });

  test('[D24] a guest signs up from the invitation and joins; without one the page says what is needed', async () => {
    const owner = await server.signUp({ email: ADMIN });
    const { workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } }));
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
    const path = `/invitations/${url.split('/').at(-1)}`;
    const { page } = await watch();
    await page.goto('/signup');
    await page.getByText('You need an invitation to make an account here.').waitFor();
    await page.goto(path);
    await page.getByRole('main').getByRole('link', { name: 'Make an account' }).click();
    await fill(page, 'guest@example.test');
    await page.getByLabel('I have kept the code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Join “Team”?' }).waitFor();
    await page.getByRole('button', { name: 'Join the workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team', exact: true }).waitFor();

    const late = await watch();
    await late.page.goto(`/signup?next=${path}`);
    await fill(late.page, 'late@example.test');
    await late.page.getByRole('alert').getByText('This invitation is not open any more.').waitFor();
  });
});
