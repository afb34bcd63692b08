/** The share sheet in a real browser: create, edit and revoke shares. */
import {
  bodyOf,
  createShell,
  createTeam,
  findingBody,
  joinTeam,
  reportBytes,
  shareOf,
  syncReport,
  upload,
  type SessionActor,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { countClicks } from './clicks.ts';
import { clipboardOf, descriptionOf, untilCopied } from './page-watch.ts';
import { passTimeUntil } from './passing-time.ts';

const PASSWORD = 'four green teas';
const DAY_MS = 86_400_000;

describePages('sharing a report', () => {
  const { server, watch } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let reportId: string;
  beforeEach(async () => {
    owner = await server.signUp();
    const findings = [
      { ...findingBody(2), severity: 'low', title: 'The log tells too much' },
      { ...findingBody(1), severity: 'critical' },
    ];
    ({ reportId } = await syncReport(await server.linkDevice(owner), { body: { findings } }));
  });

  async function openSheet() {
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('button', { name: /^Share/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    await sheet.waitFor();
    return { page, sheet };
  }

  const linksNow = async () => bodyOf(await owner.api.listShares({ params: { id: reportId } })).shares;
  const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });

  test('the summary sentence and the preview match the created share', async () => {
    const { page, sheet } = await openSheet();
    await sheet
      .getByText(
        /^Anyone with the link can read all 2 findings with evidence, reproduction steps, .*, until \d+ /,
      )
      .waitFor();
    const lines = preview(page).getByRole('list', { name: 'Findings in this view' });
    await lines.waitFor();
    expect(await lines.locator('summary').allInnerTexts()).toEqual([
      expect.stringMatching(/^Critical/),
      expect.stringMatching(/^Low/),
    ]);
    await sheet.getByText('Customize').click();
    await sheet.getByLabel('Highest severity to show').selectOption('high');
    await sheet
      .getByText(/^Anyone with the link can read 1 of 2 findings \(none above high\) with/)
      .waitFor();
    await preview(page).getByText('1 finding', { exact: true }).waitFor();
    expect(await preview(page).getByText('Order lookup').count()).toBe(0);

    await sheet.getByLabel('Require a password').check();
    await sheet.getByLabel('Link password', { exact: true }).fill(PASSWORD);
    await sheet.getByLabel('Label (optional)').fill('For the auditors');
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText('Shown once').waitFor();
    await untilCopied(page, () => sheet.getByRole('button', { name: 'Copy link and password' }).click());
    const copied = await clipboardOf(page);
    const slug = /\/s\/([0-9A-Za-z]{27})\nPassword: four green teas$/.exec(copied)?.[1] ?? '';
    const read = bodyOf(await server.anonymous.api.readShare({ params: { slug }, sharePassword: PASSWORD }));
    expect(read.report.findings?.map(({ title }) => title)).toEqual(['The log tells too much']);
    expect(JSON.stringify(read)).not.toContain('src/orders');

    await sheet.getByRole('button', { name: 'Show all share links' }).click();
    const links = sheet.getByRole('list', { name: 'Active share links' });
    await links.getByText('For the auditors', { exact: true }).waitFor();
    await links.getByText(/password required · 1 view/).waitFor();
  });

  test('each person can have a separate view, which the preview shows', async () => {
    const guest = await server.signUp();
    const { page, sheet } = await openSheet();
    await sheet.getByLabel('Only the people listed here').check();
    const making = sheet.getByRole('button', { name: 'Create share link' });
    expect(await making.isDisabled()).toBe(true);
    await sheet.getByText('Add at least one person.').waitFor();
    expect(await descriptionOf(making)).toBe('Add at least one person.');
    const add = sheet.getByRole('button', { name: 'Add' });
    expect([await add.isDisabled(), await descriptionOf(add)]).toEqual([
      true,
      expect.stringContaining('Enter email addresses'),
    ]);
    await sheet.getByLabel('People', { exact: true }).fill(guest.email);
    await page.keyboard.press('Enter');
    await sheet.getByText('The service does not verify email addresses').waitFor();
    await sheet.getByLabel('View for').selectOption(guest.email);
    await sheet.getByLabel('Use a separate view').check();
    await sheet.getByLabel('Critical only').check();
    await preview(page)
      .getByRole('heading', { name: `Preview for ${guest.email}` })
      .waitFor();
    await preview(page).getByText('The log tells too much').first().waitFor({ state: 'detached' });
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText('Shown once').waitFor();
    const [share] = await linksNow();
    expect(share).toMatchObject({ mode: 'private', anonymousAllowed: false, hasPassword: false });
    expect(share?.principals[0]).toMatchObject({
      principalValue: guest.email,
      policy: { findings: { mode: 'allow_all', minSeverity: 'critical' } },
    });
  });

  test('an invalid email shows an error at its field and keeps the input', async () => {
    const { sheet } = await openSheet();
    await sheet.getByLabel('Additional people').fill('max');
    await sheet.getByRole('button', { name: 'Add' }).click();
    await sheet.getByLabel('Label (optional)').fill('Kept');
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText(/must be an email address/).waitFor();
    expect(await sheet.getByLabel('Label (optional)').inputValue()).toBe('Kept');
    await sheet.getByRole('button', { name: 'Remove max' }).click();
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText('Shown once').waitFor();
  });

  test('editing a share starts from the stored one and sends only changes; revoking asks once', async () => {
    await shareOf(owner, reportId, { label: 'For Kim' });
    const { page, sheet } = await openSheet();
    await sheet.getByRole('button', { name: 'Edit For Kim' }).click();
    const [before] = await linksNow();
    await sheet.getByText('No changes yet.').waitFor();
    expect(await sheet.getByRole('button', { name: 'Save changes' }).isDisabled()).toBe(true);
    await sheet.getByLabel('Members of the workspace').check();
    await sheet
      .getByRole('row', { name: 'Who can open it Anyone with the link Members of the workspace' })
      .waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await sheet.getByRole('button', { name: 'Save changes' }).click();
    expect((await sent).postDataJSON()).toEqual({ reportId, mode: 'workspace', anonymousAllowed: false });
    await sheet.getByText(/^Members of the workspace · /).waitFor();
    const [after] = await linksNow();
    expect(after).toEqual({ ...before, mode: 'workspace', anonymousAllowed: false });

    const revoke = sheet.getByRole('button', { name: 'Revoke link For Kim' });
    await revoke.click();
    await sheet.getByRole('button', { name: 'Keep link' }).click();
    expect((await linksNow())[0]?.revokedAt).toBeNull();
    await revoke.click();
    await sheet.getByRole('button', { name: 'Revoke link', exact: true }).click();
    await sheet.getByText('No active share links.').waitFor();
    await sheet.getByText('Ended (1)').waitFor();
    expect((await linksNow())[0]?.revokedAt).not.toBeNull();
  });

  test('a share that has expired is among the ended ones, with the time since it expired', async () => {
    await shareOf(owner, reportId, { label: 'For Kim' });
    const expiresAt = Date.now() - 2 * DAY_MS;
    const { read } = server.service.database;
    await read.updateTable('shares').set({ expiresAt }).where('reportId', '=', reportId).execute();
    const { sheet } = await openSheet();
    await sheet.getByText('Ended (1)').click();
    await sheet.getByText('Never opened · expired 2 days ago').waitFor();
  });

  test('the share sheet asks before discarding unsaved changes', async () => {
    const { page, sheet } = await openSheet();
    await sheet.getByLabel('Label (optional)').fill('Half done');
    await page.keyboard.press('Escape');
    await sheet.getByText('You have unsaved changes.').waitFor();
    await sheet.getByRole('button', { name: 'Keep editing' }).click();
    expect(await sheet.getByLabel('Label (optional)').inputValue()).toBe('Half done');
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.getByRole('button', { name: 'Discard changes' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(await linksNow()).toEqual([]);
  });

  test('[D10] the share sheet of a live report keeps its input when the report becomes final', async () => {
    const device = await server.linkDevice(owner);
    const shell = await createShell(device);
    const { page } = await watch({ cookie: owner.cookie });
    await page.clock.install();
    await page.goto(`/reports/${shell.reportId}`);
    await page.getByText('The scan is running.').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    await sheet
      .getByText(/^Anyone with the link can read the findings with .*, once the scan has finished,/)
      .waitFor();
    await sheet.getByLabel('Label (optional)').fill('For Kim');
    const uploadId = await upload(
      device,
      shell.reportId,
      reportBytes({ localReportId: shell.localReportId }),
    );
    bodyOf(await device.api.finalizeReport({ params: { id: shell.reportId }, body: { uploadId } }));
    await passTimeUntil(sheet.getByText(/^Anyone with the link can read the only finding with/));
    expect(await sheet.getByLabel('Label (optional)').inputValue()).toBe('For Kim');
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText('Shown once').waitFor();
  });

  test('[D25] sharing high findings and above without code, with a password, for a week takes four clicks', async () => {
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/reports/${reportId}`);
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: /^Share/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    await sheet.getByLabel('High and above').click();
    await sheet.getByLabel('Require a password').click();
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await sheet.getByText('Link copied to the clipboard.').waitFor();
    expect(await clicks()).toBe(4);
    expect(await clipboardOf(page)).toMatch(/\/s\/[0-9A-Za-z]{27}$/);
    const [share] = await linksNow();
    expect(share).toMatchObject({
      hasPassword: true,
      defaultPolicy: { findings: { minSeverity: 'high' }, fields: { code: false } },
    });
    const lifetimeMs = Date.parse(share?.expiresAt ?? '') - Date.parse(share?.createdAt ?? '');
    expect(Math.abs(lifetimeMs - 7 * DAY_MS)).toBeLessThan(120_000);
    await untilCopied(page, () => sheet.getByRole('button', { name: 'Copy link and password' }).click());
    expect(await clipboardOf(page)).toMatch(/\nPassword: \w{4}-\w{4}-\w{4}-\w{4}$/);
  });

  test('[D25] preview and button stay in view, and the preview shows message and sender', async () => {
    const { page, sheet } = await openSheet();
    await sheet.getByLabel('Message (optional)').fill('Please fix these by Friday.');
    await sheet.getByLabel('Show my name as the sender').check();
    await preview(page).getByText('Please fix these by Friday.').waitFor();
    await preview(page).getByText(`Prepared by ${owner.user.displayName}`).waitFor();
    const visible = async () =>
      Promise.all(
        [
          sheet.getByRole('button', { name: 'Create share link' }),
          preview(page).getByRole('heading').first(),
        ].map(async (part) => {
          const box = await part.boundingBox();
          const height = page.viewportSize()?.height ?? 0;
          return box !== null && box.y >= 0 && box.y + box.height <= height;
        }),
      );
    await sheet.getByLabel('Label (optional)').scrollIntoViewIfNeeded();
    expect(await visible()).toEqual([true, true]);
    await sheet.getByLabel('Critical only').scrollIntoViewIfNeeded();
    expect(await visible()).toEqual([true, true]);

    await sheet.getByLabel(/^Customer/).check();
    await sheet.getByText('Names are hidden: viewers see no sender').waitFor();
    await preview(page).getByText('Prepared by').waitFor({ state: 'detached' });
    await sheet.getByText(/without code, file names, reproduction steps and names/).waitFor();
  });

  test('[D25] an owner of the workspace shares the report of a member; a member who may not share it sees why', async () => {
    const member = await server.signUp();
    const workspaceId = await createTeam(owner, [member]);
    const device = await server.linkDevice(member);
    const body = { workspaceId, name: 'team', bindingPublicId: 'b'.repeat(16) };
    const { projectId } = bodyOf(await owner.api.createProject({ body }));
    const { reportId: theirs } = await syncReport(device, { project: { workspaceId, projectId } });
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/reports/${theirs}`);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('dialog', { name: 'Share report' }).waitFor();

    const other = await server.signUp();
    await joinTeam(owner, workspaceId, other);
    const { page: reading } = await watch({ cookie: other.cookie });
    await reading.goto(`/reports/${theirs}`);
    await reading.getByRole('button', { name: 'Share' }).click();
    await reading
      .getByText('Only the owner of this report and the owners of its workspace can share it.')
      .waitFor();
    expect(await reading.getByRole('dialog').count()).toBe(0);
  });
});
