/** Pages other than reports, by keyboard alone. */
import { bindProject, codeOf, createTeam, findingBody, syncReport } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { keysOf } from './keys.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';

const PASSWORD = 'correct horse battery staple';

describePages('pages by keyboard alone', () => {
  const { server, watch, visit, newcomer } = browserSuite();

  const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('a user signs up, saves the code, visits the settings and the API reference, and signs out', async () => {
    const watched = await watch();
    const { page } = watched;
    const keys = keysOf(page);
    await page.goto('/signup');
    await h1(page, 'Create account').waitFor();
    await keys.tabTo(page.getByRole('textbox', { name: 'Email' }));
    await keys.type('keys@example.test');
    await keys.tabTo(page.getByLabel('Password', { exact: true }));
    await keys.type(PASSWORD);
    await keys.press('Enter');

    await h1(page, 'Save your recovery code').waitFor();
    await keys.pressOn(page.getByRole('button', { name: 'Copy recovery code' }));
    await keys.pressOn(page.getByRole('checkbox'), 'Space');
    await keys.pressOn(page.getByRole('button', { name: 'Continue' }));
    await page.waitForURL(`${server.url}/`);

    await page.goto('/docs');
    await h1(page, 'API reference').waitFor();
    await keys.press('Tab');
    await keys.isOn(page.getByRole('link', { name: 'Skip to content' }));
    await keys.press('Enter');
    await keys.tabTo(page.getByRole('searchbox', { name: 'Search' }));
    await keys.type('getSession');
    await page.getByText(/^1 of \d+ operations$/).waitFor();
    await keys.pressOn(page.getByRole('link', { name: 'Get the signed-in user' }).first());
    await page.waitForURL(`${server.url}/docs#getSession`);
    await keys.tabTo(page.getByRole('button', { name: /^Copy the example/ }));
    await untilCopied(page, () => keys.press('Enter'));

    await keys.press('Home');
    const item = (name: string) => page.getByRole('menuitem', { name });
    await keys.tabTo(page.getByTitle('Your account'), 'Shift+Tab');
    await keys.moveTo(item('Settings'), 'Enter');
    await keys.moveTo(item('Sign out'), 'ArrowDown');
    await keys.moveTo(item('Settings'), 'ArrowUp');
    await keys.press('Enter');
    await h1(page, 'Settings').waitFor();
    // After navigation the new page is announced, and the focus continues there.
    await keys.isOn(h1(page, 'Settings'));

    await keys.tabTo(page.getByTitle('Your account'), 'Shift+Tab');
    await keys.moveTo(item('Settings'), 'Enter');
    await keys.moveTo(item('Sign out'), 'End');
    // The key is released in the next document, since the old one may not process it.
    await page.keyboard.down('Enter');
    await page.waitForURL(`${server.url}/`);
    await page.keyboard.up('Enter');
    expect(await watched.context.cookies()).toEqual([]);
  });

  test('[D4] an approved device can be denied before it fetches its token', async () => {
    const person = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    const { page } = await visit(`/link/${publicRequestId}`, { cookie: person.cookie });
    const keys = keysOf(page);
    await keys.pressOn(page.getByRole('button', { name: 'Approve' }));
    await page.getByRole('heading', { level: 1, name: 'is approved' }).waitFor();
    await keys.isSomewhere();
    await keys.pressOn(page.getByRole('button', { name: 'Deny device' }));
    await page.getByRole('heading', { level: 1, name: 'was denied' }).waitFor();
    const params = { id: publicRequestId };
    const exchanged = await server.anonymous.api.exchangeDeviceLink({ params, body: { verifier } });
    expect(codeOf(exchanged)).toBe('FORBIDDEN');
    await keys.isSomewhere();
  });

  test('an owner invites a user into a workspace', { tags: 'thorough' }, async () => {
    const [owner, guest] = [await server.signUp(), await server.signUp()];
    const team = await createTeam(owner, []);
    const { page } = await visit(`/workspaces/${team}`, { cookie: owner.cookie });
    const keys = keysOf(page);
    await keys.pressOn(page.getByRole('button', { name: 'Create invitation link' }));
    await keys.isOn(page.getByRole('button', { name: 'Create another invitation link' }));
    await keys.tabTo(page.getByRole('button', { name: 'Copy invitation link' }), 'Shift+Tab');
    await untilCopied(page, () => keys.press('Enter'));
    const invitation = new URL(await clipboardOf(page)).pathname;

    const guests = await visit(invitation, { cookie: guest.cookie });
    const theirs = keysOf(guests.page);
    await theirs.pressOn(guests.page.getByRole('button', { name: /^Join/ }));
    await guests.page.getByRole('heading', { level: 1, name: 'Team', exact: true }).waitFor();
    await theirs.isSomewhere();
  });

  test('[D12] two reports of a project are compared, then two others', { tags: 'thorough' }, async () => {
    const { owner, device } = await newcomer();
    const project = await bindProject(owner);
    for (const count of [1, 2, 4]) {
      const findings = Array.from({ length: count }, (_, at) => findingBody(at + 1));
      await syncReport(device, { project, body: { findings } });
    }
    const { page } = await visit(`/projects/${project.projectId}?tab=compare`, { cookie: owner.cookie });
    const keys = keysOf(page);
    await page.getByText(/^2 new, /).waitFor();
    await keys.tabTo(page.getByRole('combobox', { name: 'From' }));
    await keys.press('ArrowDown');
    await page.getByText(/^3 new, /).waitFor();
    await keys.isOn(page.getByRole('combobox', { name: 'From' }));
    await keys.pressOn(page.getByRole('link', { name: 'Order lookup' }).first());
    await page.getByRole('article').waitFor();
    await keys.isSomewhere();
  });
});
