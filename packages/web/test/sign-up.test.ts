/** The sign-up page with an invitation, with the setup token and with closed sign-up, in a real browser. */
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
  await page.getByRole('button', { name: 'Create account' }).click();
}

describePages('sign-up of the administrator', () => {
  const { server, watch } = browserSuite({ config: { platformAdminEmail: ADMIN, signUp: 'closed' } });

  test('[T25] /signup?setup asks for the setup token, rejects a wrong one and accepts the right one', async () => {
    const { page } = await watch();
    await page.goto('/signup?setup');
    await page.getByRole('heading', { name: 'Create administrator' }).waitFor();
    await fill(page, ADMIN, 'a wrong token');
    await page.getByRole('alert').getByText('Wrong email or setup token').waitFor();
    await fill(page, ADMIN, readSetupToken(server.dataDir));
    await page.getByRole('heading', { name: 'Save your recovery code' }).waitFor();
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Get started' }).waitFor();
    await page.getByRole('button', { name: 'boss' }).click();
    await page.getByRole('menuitem', { name: 'Administration' }).waitFor();
  });

  test('[D24] with sign-up closed, no page offers it and the sign-up page says so', async () => {
    const { page } = await watch();
    for (const path of ['/', '/login', '/sample', '/invitations/nothing']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect([path, await page.getByRole('link', { name: /create account|sign up/i }).count()]).toEqual([
        path,
        0,
      ]);
    }
    await page.goto('/signup');
    await page.getByText('This service does not accept new accounts.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).waitFor();
  });
});

describePages('sign-up by invitation', () => {
  const { server, watch } = browserSuite({ config: { platformAdminEmail: ADMIN, signUp: 'invited' } });

  test('[D24] a guest signs up from an invitation and joins; without an invitation the page says that one is required', async () => {
    const owner = await server.signUp({ email: ADMIN });
    const { workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } }));
    const { url } = bodyOf(await owner.api.createInvitation({ params: { id: workspaceId } }));
    const path = `/invitations/${url.split('/').at(-1)}`;
    const { page } = await watch();
    await page.goto('/signup');
    await page.getByText('You need an invitation to create an account here.').waitFor();
    await page.goto(path);
    await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
    await fill(page, 'guest@example.test');
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Join “Team”?' }).waitFor();
    await page.getByRole('button', { name: 'Join workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team', exact: true }).waitFor();

    const late = await watch();
    await late.page.goto(`/signup?next=${path}`);
    await fill(late.page, 'late@example.test');
    await late.page.getByRole('alert').getByText('This invitation is no longer valid.').waitFor();
  });
});
