/** A workspace with its members, invitations, plan and projects, in a real browser. */
import { DAY_MS } from '@svc/contract/durations';
import {
  APP_ORIGIN,
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  createTeam,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';
import type { WatchOptions } from './test-window.ts';

describePages('workspaces', () => {
  const clock = createFakeClock(Date.now());
  const { server, watch, visit } = browserSuite({ clock });

  async function open(person: SessionActor, path: string, options: WatchOptions = {}) {
    const watched = await visit(path, { cookie: person.cookie, ...options });
    const part = (name: string) => watched.page.getByRole('region', { name, exact: true });
    return { ...watched, part };
  }
  const signUp = (displayName: string) => server.signUp({ displayName });
  const membersOf = async (person: SessionActor, id: string) =>
    bodyOf(await person.api.listMembers({ params: { id } })).members.map(({ displayName, role }) => [
      displayName,
      role,
    ]);
  const invite = async (owner: SessionActor, id: string) =>
    bodyOf(await owner.api.createInvitation({ params: { id } })).url.slice(APP_ORIGIN.length);

  test('[D5] an owner changes roles and removes members, and at least one owner remains', async () => {
    const [owner, member] = [await signUp('Ada'), await signUp('Bob')];
    const team = await createTeam(owner, [member]);
    const { page, part } = await open(owner, `/workspaces/${team}`);
    await part('Members').getByText('Only owner').waitFor();
    const leave = part('Leave or delete').getByRole('button', { name: 'Leave workspace' });
    expect(await leave.isDisabled()).toBe(true);
    await part('Leave or delete').getByText('make another member an owner first').waitFor();

    await part('Members').getByLabel('Role of Bob').selectOption('Owner');
    const promotion = page.getByRole('dialog', { name: 'Make Bob an owner of “Team”?' });
    await promotion.getByLabel('Your password', { exact: true }).fill('not the password');
    await promotion.getByRole('button', { name: 'Make an owner' }).click();
    await promotion.getByRole('alert').getByText('The password is wrong.').waitFor();
    await promotion.getByLabel('Your password', { exact: true }).fill(owner.password);
    await promotion.getByRole('button', { name: 'Make an owner' }).click();
    // The members are loaded before the dialog closes, and Playwright selects options behind a dialog too.
    await promotion.waitFor({ state: 'hidden' });
    await part('Members').getByLabel('Role of Ada').waitFor();
    expect(await membersOf(owner, team)).toEqual([
      ['Ada', 'owner'],
      ['Bob', 'owner'],
    ]);
    await part('Members').getByLabel('Role of Bob').selectOption('Member');
    const demotion = page.getByRole('dialog', { name: 'Make Bob a member of “Team”?' });
    await demotion.getByLabel('Your password', { exact: true }).fill(owner.password);
    await demotion.getByRole('button', { name: 'Make a member' }).click();
    await part('Members').getByText('Only owner').waitFor();

    await part('Members').getByRole('button', { name: 'Remove Bob' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Bob from “Team”?' });
    await dialog.getByText('pass to Ada').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await membersOf(owner, team)).toHaveLength(2);
    await part('Members').getByRole('button', { name: 'Remove Bob' }).click();
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await part('Members').getByText('Bob', { exact: true }).waitFor({ state: 'hidden' });
    expect(await membersOf(owner, team)).toEqual([['Ada', 'owner']]);
  });

  test('[D5] an owner gives up the role after confirmation', async () => {
    const [owner, other] = [await signUp('Ada'), await signUp('Bob')];
    const team = await createTeam(owner, [other]);
    const params = { id: team, userId: other.user.userId };
    bodyOf(await owner.api.changeMember({ params, body: { role: 'owner', password: owner.password } }));
    const { page, part } = await open(owner, `/workspaces/${team}`);
    await part('Members').getByLabel('Role of Ada').selectOption('Member');
    const dialog = page.getByRole('dialog', { name: 'Give up ownership of “Team”?' });
    await dialog.getByLabel('Your password', { exact: true }).fill(owner.password);
    await dialog.getByRole('button', { name: 'Give up ownership' }).click();
    await part('Members').getByText('Only owners can change roles').waitFor();
    await part('Invitations').getByText('Only owners can invite people.').waitFor();
  });

  test('[D5] a role change fails with a message if the member has left meanwhile', async () => {
    const [owner, member] = [await signUp('Ada'), await signUp('Bob')];
    const team = await createTeam(owner, [member]);
    const { page, part } = await open(owner, `/workspaces/${team}`);
    await part('Members').getByLabel('Role of Bob').waitFor();
    bodyOf(await member.api.removeMember({ params: { id: team, userId: member.user.userId } }));
    await part('Members').getByLabel('Role of Bob').selectOption('Owner');
    const dialog = page.getByRole('dialog', { name: 'Make Bob an owner of “Team”?' });
    await dialog.getByLabel('Your password', { exact: true }).fill(owner.password);
    await dialog.getByRole('button', { name: 'Make an owner' }).click();
    await dialog.getByRole('alert').getByText('Not found, or you have no access to it').waitFor();
  });

  test("[D5] a member sees the other members, can't change them, and leaves after confirmation", async () => {
    const [owner, member] = [await signUp('Ada'), await signUp('Bob')];
    const team = await createTeam(owner, [member]);
    const { page, part } = await open(member, `/workspaces/${team}`);
    await part('Members').getByText(owner.email).waitFor();
    expect(await part('Members').getByRole('button').count()).toBe(0);
    expect(await part('Members').getByRole('combobox').count()).toBe(0);
    await part('Leave').getByText('Your reports in it pass to Ada.').waitFor();
    await part('Leave').getByRole('button', { name: 'Leave workspace' }).click();
    await page
      .getByRole('dialog', { name: 'Leave “Team”?' })
      .getByRole('button', { name: 'Leave workspace' })
      .click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await part('Workspaces').getByRole('link', { name: 'Team' }).first().waitFor({ state: 'detached' });
    expect(await membersOf(owner, team)).toEqual([['Ada', 'owner']]);
    await page.goto(`/workspaces/${team}`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  test('[D5] deleting a workspace requires its name', async () => {
    const owner = await signUp('Ada');
    const team = await createTeam(owner, []);
    const { page, part } = await open(owner, `/workspaces/${team}`);
    await part('Leave or delete').getByRole('button', { name: 'Delete workspace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete “Team”?' });
    const button = dialog.getByRole('button', { name: 'Delete workspace' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Workspace name').fill('Team');
    await button.click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(codeOf(await owner.api.listMembers({ params: { id: team } }))).toBe('NOT_FOUND');
  });

  test('[D16] an invitation link is shown once, and lets a user sign in and join', async () => {
    const [owner, guest] = [await signUp('Ada'), await signUp('Bob')];
    const team = await createTeam(owner, []);
    const { page, part } = await open(owner, `/workspaces/${team}`);
    await part('Invitations').getByRole('button', { name: 'Create invitation link' }).click();
    const link = part('Invitations').getByRole('group', { name: 'Invitation link' });
    const address = (await link.textContent()) ?? '';
    await untilCopied(page, () =>
      part('Invitations').getByRole('button', { name: 'Copy invitation link' }).click(),
    );
    expect(await clipboardOf(page)).toBe(address);
    await page.reload();
    await part('Invitations').getByRole('button', { name: 'Create invitation link' }).waitFor();
    expect((await page.content()).includes(address)).toBe(false);

    const guests = await watch();
    await guests.page.goto(address.slice(APP_ORIGIN.length));
    await guests.page.getByRole('heading', { name: 'Workspace invitation' }).waitFor();
    expect(await guests.page.content()).not.toContain('Team');
    await guests.page.getByLabel('Email').fill(guest.email);
    await guests.page.getByLabel('Password', { exact: true }).fill(guest.password);
    await guests.page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await guests.page.getByRole('heading', { name: 'Join “Team”?' }).waitFor();
    for (const fact of ['Ada', 'a member: you can read every report', guest.email])
      await guests.page.getByText(fact).waitFor();
    await guests.page.getByRole('button', { name: 'Join workspace' }).click();
    await guests.page.getByRole('heading', { level: 1, name: 'Team', exact: true }).waitFor();
    expect(await membersOf(owner, team)).toEqual([
      ['Ada', 'owner'],
      ['Bob', 'member'],
    ]);
  });

  test('[D24] open invitations are listed, and a revoked one can no longer be accepted', async () => {
    const [owner, guest] = [await signUp('Ada'), await signUp('Bob')];
    const team = await createTeam(owner, []);
    const path = await invite(owner, team);
    const { page, part } = await open(owner, `/workspaces/${team}`);
    const list = part('Invitations').getByRole('list', { name: 'Open invitations' });
    await list.getByText('by Ada').waitFor();
    await part('Invitations').getByRole('button', { name: 'Create invitation link' }).click();
    await list.getByRole('listitem').nth(1).waitFor();
    await list.getByRole('button', { name: 'Revoke' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this invitation?' });
    await dialog.getByRole('button', { name: 'Revoke invitation' }).click();
    await list.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
    const params = { token: path.split('/').at(-1) ?? '' };
    expect(codeOf(await guest.api.acceptInvitation({ params }))).toBe('NOT_FOUND');
    await list.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke invitation' }).click();
    await part('Invitations').getByText('No open invitations.').waitFor();
  });

  test('[D16] a used, expired or unknown invitation is not available; a member who opens one does not use it up', async () => {
    const [owner, member, guest] = [await signUp('Ada'), await signUp('Bob'), await signUp('Cyril')];
    const team = await createTeam(owner, [member]);
    const path = await invite(owner, team);
    const members = await open(member, path);
    await members.page.getByRole('button', { name: 'Join workspace' }).click();
    await members.page.getByRole('heading', { name: 'You are already a member of “Team”' }).waitFor();
    await members.page.getByRole('link', { name: 'Go to the workspace' }).click();
    await members.page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();

    const { page } = await open(guest, path);
    await page.getByRole('heading', { name: 'Join “Team”?' }).waitFor();
    const other = await signUp('Dora');
    bodyOf(await other.api.acceptInvitation({ params: { token: path.split('/').at(-1) ?? '' } }));
    await page.getByRole('button', { name: 'Join workspace' }).click();
    await page.getByRole('alert').getByText('This invitation is no longer valid.').waitFor();
    const late = await invite(owner, team);
    clock.advance(7 * DAY_MS);
    for (const closed of [path, late, '/invitations/nothing']) {
      await page.goto(closed);
      await page.getByRole('heading', { name: 'Invitation not available' }).waitFor();
    }
  });

  test('[D5] the quota meter shows the usage of the day and the week', async () => {
    const owner = await signUp('Ada');
    const device = await server.linkDevice(owner);
    const project = await bindProject(owner);
    const { page, part } = await open(owner, `/workspaces/${project.workspaceId}`);
    const plan = part('Free plan');
    const meter = (name: string) => plan.getByRole('meter', { name }).getAttribute('aria-valuetext');
    expect(await meter('Today')).toBe('0 of 5 cloud reports');
    for (let report = 0; report < 5; report += 1) await createShell(device, project);
    await page.reload();
    await plan.getByText('Limit reached.').waitFor();
    expect(await meter('Today')).toBe('5 of 5 cloud reports');
    expect(await meter('This week')).toBe('5 of 15 cloud reports');
    await plan.getByText('Reports are kept for 21 days.').waitFor();
    await part('Members').getByText('Only you can use a personal workspace.').waitFor();
  });

  test('[D5] projects are listed with their open findings; an empty workspace shows how to start', async () => {
    const owner = await signUp('Ada');
    const team = await createTeam(owner, []);
    const { page, part } = await open(owner, `/workspaces/${team}`);
    const command = part('Projects').getByRole('group', { name: 'Command' });
    expect(await command.textContent()).toBe(`svc init --workspace ${team}`);
    const project = await bindProject(owner, team);
    await page.reload();
    await part('Projects').getByText('No report yet').waitFor();
    const device = await server.linkDevice(owner);
    await syncReport(device, { project });
    await page.reload();
    await part('Projects').getByRole('link', { name: 'repository' }).waitFor();
    const counts = part('Projects').getByRole('list', { name: 'Open findings' });
    expect(await counts.getByRole('listitem').allTextContents()).toEqual(['1high']);
  });

  test('[T2] a workspace of other users is not found', async () => {
    const [owner, stranger] = [await signUp('Ada'), await signUp('Eve')];
    const team = await createTeam(owner, []);
    const { page } = await open(stranger, `/workspaces/${team}`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await page.content()).not.toContain('Team');
  });
});
