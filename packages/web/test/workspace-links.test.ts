/** The active shares and the audit log of a workspace, for owners and members, in a real browser. */
import { DAY_MS } from '@svc/contract/durations';
import {
  bindProject,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  newLocalId,
  shareOf,
  syncReport,
  type SessionActor,
} from '@svc/testkit';
import { beforeAll, expect, test } from 'vitest';
import { findingsOf } from './axe.ts';
import { browserSuite, describePages } from './browser-suite.ts';
import type { WatchOptions } from './test-window.ts';

const OPERATOR = 'operator@example.test';

describePages('links and audit of a workspace', () => {
  const clock = createFakeClock(Date.now());
  const { server, watch, visit } = browserSuite({
    clock,
    generousPlans: true,
    config: { platformAdminEmail: OPERATOR },
  });

  let operator: SessionActor;
  beforeAll(async () => {
    operator = await server.signUp({ email: OPERATOR, displayName: 'Olga' });
  });

  async function open(person: SessionActor, workspaceId: string, options: WatchOptions = {}) {
    const watched = await visit(`/workspaces/${workspaceId}`, { cookie: person.cookie, ...options });
    const part = (name: string) => watched.page.getByRole('region', { name, exact: true });
    const links = part('Share links').getByRole('list', { name: 'Active share links' }).getByRole('listitem');
    const entries = part('Audit log')
      .getByRole('list', { name: 'Entries, newest first' })
      .getByRole('listitem');
    return { ...watched, part, links, entries };
  }

  /** A team of Ada and Bob with a report each. */
  async function teamWithReports() {
    const ada = await server.signUp({ displayName: 'Ada' });
    const bob = await server.signUp({ displayName: 'Bob' });
    const team = await createTeam(ada, [bob]);
    const project = await bindProject(ada, team);
    const reportOf = async (person: SessionActor) =>
      (await syncReport(await server.linkDevice(person), { project })).reportId;
    return { ada, bob, team, reports: { ada: await reportOf(ada), bob: await reportOf(bob) } };
  }

  test('[D16] an owner sees all active share links and revokes their own after confirmation', async () => {
    const { ada, bob, team, reports } = await teamWithReports();
    const expiresAt = new Date(clock.now() + 3.5 * DAY_MS).toISOString();
    const { url } = await shareOf(ada, reports.ada, { label: 'For the auditors', password: 'secret words' });
    await shareOf(bob, reports.bob, { mode: 'anyone_with_link', anonymousAllowed: false, expiresAt });
    const { page, part, links } = await open(ada, team);
    const [own, others] = [
      links.filter({ hasText: 'For the auditors' }),
      links.filter({ hasText: 'by Bob' }),
    ];
    await own
      .getByText('Anyone with the link, password required · expires with the report · 0 views')
      .waitFor();
    await others.getByText('Owned by Bob; only they can revoke it').waitFor();
    await others.getByText('Anyone with the link who has an account · expires in 3 days').waitFor();
    expect(await links.count()).toBe(2);
    expect(await others.getByRole('button').count()).toBe(0);
    expect(await page.content()).not.toContain(url.slice(url.lastIndexOf('/') + 1));

    await own.getByRole('button', { name: 'Revoke For the auditors' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke “For the auditors”?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await own.getByRole('button', { name: 'Revoke For the auditors' }).click();
    await dialog.getByRole('button', { name: 'Revoke link' }).click();
    await own.waitFor({ state: 'hidden' });
    await dialog.waitFor({ state: 'hidden' });
    // The browser moves the focus from a hidden element only with the next frame.
    await page.evaluate('new Promise(requestAnimationFrame)');
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true);
    const slug = url.slice(url.lastIndexOf('/') + 1);
    expect(codeOf(await server.anonymous.api.readShare({ params: { slug } }))).toBe('SHARE_NOT_AVAILABLE');
    await part('Audit log').getByText('Share link revoked').waitFor();
  });

  test('[D16] a member sees only their own share links, with a note, and no audit log', async () => {
    const { ada, bob, team, reports } = await teamWithReports();
    await shareOf(ada, reports.ada, { label: 'For the auditors' });
    const { page, part, links } = await open(bob, team);
    await part('Share links').getByText('Owners see those of all members.').waitFor();
    await part('Share links').getByText('No active share links.').waitFor();
    await shareOf(bob, reports.bob, { label: 'For a friend' });
    await page.reload();
    await links.getByText('For a friend').waitFor();
    expect(await links.count()).toBe(1);
    expect(await part('Audit log').count()).toBe(0);
    expect(await page.content()).not.toContain('For the auditors');
  });

  test('shares and projects are sorted, and the order is in the URL', async () => {
    const { ada, team, reports } = await teamWithReports();
    await shareOf(ada, reports.ada, { label: 'For Ada' });
    clock.advance(1000);
    await shareOf(ada, reports.ada, { label: 'For Bob' });
    const body = { workspaceId: team, name: 'bank', bindingPublicId: newLocalId() };
    bodyOf(await ada.api.createProject({ body }));
    const { page } = await visit(`/workspaces/${team}/shares`, { cookie: ada.cookie });
    const shows = async (list: string, names: readonly string[]) => {
      const items = page.getByRole('list', { name: list }).locator(':scope > li');
      await expect.poll(async () => (await items.allInnerTexts()).map(startOf)).toEqual(names);
    };
    const startOf = (text: string) => /^(?:For )?\w+/.exec(text)?.[0];
    await shows('Active share links', ['For Bob', 'For Ada']);
    await page.getByLabel('Sort').selectOption('name');
    await shows('Active share links', ['For Ada', 'For Bob']);
    expect(new URL(page.url()).search).toBe('?sort=name');
    await page.reload();
    await shows('Active share links', ['For Ada', 'For Bob']);
    expect(await findingsOf(page, 'light')).toEqual([]);

    await page.goto(`/workspaces/${team}/projects?sort=open`);
    await shows('Open findings', ['repository', 'bank']);
    await page.getByLabel('Sort').selectOption('name');
    await shows('Open findings', ['bank', 'repository']);
    expect(await findingsOf(page, 'dark')).toEqual([]);
  });

  test('[D16] the audit log shows actions and actors, and names no administrator', async () => {
    const { ada, bob, team, reports } = await teamWithReports();
    await shareOf(ada, reports.ada);
    bodyOf(
      await ada.api.changeMember({
        params: { id: team, userId: bob.user.userId },
        body: { role: 'owner', password: ada.password },
      }),
    );
    bodyOf(await operator.api.changeWorkspacePlan({ params: { id: team }, body: { plan: 'pro' } }));
    const { page, entries } = await open(ada, team);
    await entries.first().getByText('Plan changed to pro').waitFor();
    const lines = await entries.locator('> div').allTextContents();
    expect(lines.slice(0, 3)).toEqual([
      'Plan changed to proby support',
      'Role changed to owner Bobby Ada',
      expect.stringMatching(/^Share link createdby Ada · rep_\w+ · shr_\w+$/),
    ]);
    expect(lines.at(-1)).toBe('Workspace createdby Ada');
    expect(await page.content()).not.toContain('Olga');
    await entries.filter({ hasText: 'Share link created' }).getByRole('link', { name: reports.ada }).click();
    await page.getByRole('heading', { level: 1, name: 'repository' }).waitFor();
  });

  test(
    '[D16] [D17] earlier audit entries load below the newest in a workspace, and on a separate page in the administration',
    { tags: 'thorough' },
    async () => {
      const owner = await server.signUp();
      const team = await createTeam(owner, []);
      const made = await Promise.all(
        Array.from({ length: 205 }, () => owner.api.createInvitation({ params: { id: team } })),
      );
      made.forEach(bodyOf);
      const { part, entries } = await open(owner, team);
      await entries.first().waitFor();
      expect(await entries.count()).toBe(200);
      await part('Audit log').getByRole('button', { name: 'Show earlier' }).click();
      await entries.getByText('Workspace created').waitFor();
      const ids = (await entries.allTextContents()).map((text) => /inv_\w+/.exec(text)?.[0]);
      expect(new Set(ids).size).toBe(206);
      expect(ids).toHaveLength(206);
      expect(await part('Audit log').getByRole('button', { name: 'Show earlier' }).count()).toBe(0);

      const { page } = await watch({ cookie: operator.cookie });
      await page.goto('/admin/audit');
      const shown = page.getByRole('list', { name: 'Entries, newest first' }).locator(':scope > li');
      const { entries: newest } = bodyOf(await operator.api.listAdminAudit({}));
      const oldest = newest[0]?.sequence ?? 0;
      const earlier = shown.first().getByText(new RegExp(`entry ${(oldest - 1).toLocaleString('en')}$`));
      await page.getByRole('link', { name: 'Show earlier' }).click();
      await earlier.waitFor();
      await page.reload();
      await earlier.waitFor();
      await page.getByRole('link', { name: 'Newest' }).click();
      await page.getByText('End of the log').first().waitFor();
      expect(await shown.count()).toBe(200);
      await page.goBack();
      await earlier.waitFor();
    },
  );
});
