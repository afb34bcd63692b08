/** A person who has no mouse: what there is to do is done by keys alone, from page to page. */
import { bindProject, codeOf, createTeam, findingBody, syncReport } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { keysOf } from './keys.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';

const PASSWORD = 'correct horse battery staple';

describePages('by keys alone', () => {
  const { server, watch, visit, newcomer } = browserSuite();

  const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

  test('a person signs up, keeps the code, goes through the settings and the API, and signs out', async () => {
    const watched = await watch();
    const { page } = watched;
    const keys = keysOf(page);
    await page.goto('/signup');
    await h1(page, 'Make an account').waitFor();
    await keys.tabTo(page.getByRole('textbox', { name: 'Email' }));
    await keys.type('keys@example.test');
    await keys.tabTo(page.getByLabel('Password', { exact: true }));
    await keys.type(PASSWORD);
    await keys.press('Enter');

    await h1(page, 'Keep your recovery code').waitFor();
    await keys.pressOn(page.getByRole('button', { name: 'Copy recovery code' }));
    await keys.pressOn(page.getByRole('checkbox'), 'Space');
    await keys.pressOn(page.getByRole('button', { name: 'Continue' }));
    await page.waitForURL(`${server.url}/`);

    await page.goto('/docs');
    await h1(page, 'API reference').waitFor();
    await keys.press('Tab');
    await keys.isOn(page.getByRole('link', { name: 'Skip to the page' }));
    await keys.press('Enter');
    await keys.tabTo(page.getByRole('searchbox', { name: 'Search' }));
    await keys.type('getSession');
    await page.getByText(/^1 of \d+ operations$/).waitFor();
    await keys.pressOn(page.getByRole('link', { name: 'Who is signed in' }).first());
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
    // A page that comes in place of another is told of, and the keys go on from there.
    await keys.isOn(h1(page, 'Settings'));

    await keys.tabTo(page.getByTitle('Your account'), 'Shift+Tab');
    await keys.moveTo(item('Settings'), 'Enter');
    await keys.moveTo(item('Sign out'), 'End');
    // Released in the document that comes: one that goes may never say that it has heard of a key.
    await page.keyboard.down('Enter');
    await page.waitForURL(`${server.url}/`);
    await page.keyboard.up('Enter');
    expect(await watched.context.cookies()).toEqual([]);
  });

  test('[D4] a device is approved, and denied after all before it came for its token', async () => {
    const person = await server.signUp();
    const { publicRequestId, verifier } = await server.beginLink();
    const { page } = await visit(`/link/${publicRequestId}`, { cookie: person.cookie });
    const keys = keysOf(page);
    await keys.pressOn(page.getByRole('button', { name: 'Approve' }));
    await page.getByRole('heading', { level: 1, name: 'is approved' }).waitFor();
    await keys.isSomewhere();
    await keys.pressOn(page.getByRole('button', { name: 'Deny after all' }));
    await page.getByRole('heading', { level: 1, name: 'was denied' }).waitFor();
    const params = { id: publicRequestId };
    const exchanged = await server.anonymous.api.exchangeDeviceLink({ params, body: { verifier } });
    expect(codeOf(exchanged)).toBe('FORBIDDEN');
    await keys.isSomewhere();
  });

  test('somebody is brought into a workspace', { tags: 'thorough' }, async () => {
    const [owner, guest] = [await server.signUp(), await server.signUp()];
    const team = await createTeam(owner, []);
    const { page } = await visit(`/workspaces/${team}`, { cookie: owner.cookie });
    const keys = keysOf(page);
    await keys.pressOn(page.getByRole('button', { name: 'Make an invitation link' }));
    await keys.isOn(page.getByRole('button', { name: 'Make another invitation link' }));
    await keys.tabTo(page.getByRole('button', { name: 'Copy invitation link' }), 'Shift+Tab');
    await untilCopied(page, () => keys.press('Enter'));
    const invitation = new URL(await clipboardOf(page)).pathname;

    const guests = await visit(invitation, { cookie: guest.cookie });
    const theirs = keysOf(guests.page);
    await theirs.pressOn(guests.page.getByRole('button', { name: /^Join/ }));
    await guests.page.getByRole('heading', { level: 1, name: 'Team', exact: true }).waitFor();
    await theirs.isSomewhere();
  });

  test(
    '[D12] two reports of a project are compared, and others are chosen',
    { tags: 'thorough' },
    async () => {
      const { owner, device } = await newcomer();
      const project = await bindProject(owner);
      for (const count of [1, 2, 4]) {
        const findings = Array.from({ length: count }, (_, at) => findingBody(at + 1));
        await syncReport(device, { project, body: { findings } });
      }
      const { page } = await visit(`/projects/${project.projectId}`, { cookie: owner.cookie });
      const keys = keysOf(page);
      await page.getByText(/^2 new, /).waitFor();
      await keys.tabTo(page.getByRole('combobox', { name: 'From' }));
      await keys.press('ArrowDown');
      await page.getByText(/^3 new, /).waitFor();
      await keys.isOn(page.getByRole('combobox', { name: 'From' }));
      await keys.pressOn(page.getByRole('link', { name: 'Order lookup' }).first());
      await page.getByRole('article').waitFor();
      await keys.isSomewhere();
    },
  );
});
