/** An owner shares a report from its page, changes what was shared and takes it back; in a real browser. */
import {
  bodyOf,
  createShell,
  createTeam,
  findingBody,
  reportBytes,
  shareOf,
  syncReport,
  upload,
  type SessionActor,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { clipboardOf, descriptionOf, untilCopied } from './page-watch.ts';

const PASSWORD = 'four green teas';

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
    const sheet = page.getByRole('dialog', { name: 'Share this report' });
    await sheet.waitFor();
    return { page, sheet };
  }

  const linksNow = async () => bodyOf(await owner.api.listShares({ params: { id: reportId } })).shares;
  const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });

  test('one sentence and the preview say what the link will do, and it does that', async () => {
    const { page, sheet } = await openSheet();
    await sheet
      .getByText(/^Anyone with the link can read all 2 findings, without code, until \d+ /)
      .waitFor();
    const lines = preview(page).getByRole('list', { name: 'Findings in this view' });
    await lines.waitFor();
    expect(await lines.locator('summary').allInnerTexts()).toEqual([
      expect.stringMatching(/^Critical/),
      expect.stringMatching(/^Low/),
    ]);
    await sheet.getByText('Customize').click();
    await sheet.getByLabel('Severity', { exact: true }).selectOption('high');
    await sheet.getByText(/^Anyone with the link can read 1 of 2 findings, without code/).waitFor();
    await preview(page).getByText('1 finding', { exact: true }).waitFor();
    expect(await preview(page).getByText('Order lookup').count()).toBe(0);

    await sheet.getByLabel('Ask for a password').check();
    await sheet.getByLabel('Password of the link', { exact: true }).fill(PASSWORD);
    await sheet.getByLabel('Your own name for it').fill('For the auditors');
    await sheet.getByRole('button', { name: 'Make the link' }).click();
    await sheet.getByText('Shown once').waitFor();
    await untilCopied(page, () => sheet.getByRole('button', { name: 'Copy link and password' }).click());
    const copied = await clipboardOf(page);
    const slug = /\/s\/([0-9A-Za-z]{27})\nPassword: four green teas$/.exec(copied)?.[1] ?? '';
    const read = bodyOf(await server.anonymous.api.readShare({ params: { slug }, sharePassword: PASSWORD }));
    expect(read.report.findings?.map(({ title }) => title)).toEqual(['The log tells too much']);
    expect(JSON.stringify(read)).not.toContain('src/orders');

    await sheet.getByRole('button', { name: 'Show all links' }).click();
    const links = sheet.getByRole('list', { name: 'Links that work' });
    await links.getByText('For the auditors', { exact: true }).waitFor();
    await links.getByText(/with a password · 1 view/).waitFor();
  });

  test('each person can have a view of their own, and the preview is theirs', async () => {
    const guest = await server.signUp();
    const { page, sheet } = await openSheet();
    await sheet.getByLabel('Only the people named here').check();
    const making = sheet.getByRole('button', { name: 'Make the link' });
    expect(await making.isDisabled()).toBe(true);
    await sheet.getByText('Name somebody first: nobody else could open it.').waitFor();
    expect(await descriptionOf(making)).toBe('Name somebody first: nobody else could open it.');
    const add = sheet.getByRole('button', { name: 'Add' });
    expect([await add.isDisabled(), await descriptionOf(add)]).toEqual([
      true,
      expect.stringContaining('Type email addresses'),
    ]);
    await sheet.getByLabel('People', { exact: true }).fill(guest.email);
    await page.keyboard.press('Enter');
    await sheet.getByText('Addresses are not verified here').waitFor();
    await sheet.getByLabel('View of').selectOption(guest.email);
    await sheet.getByLabel('A view of their own').check();
    await sheet.getByLabel('Counts and coverage, no findings').check();
    await preview(page)
      .getByRole('heading', { name: `What ${guest.email} gets` })
      .waitFor();
    await preview(page).getByText('Order lookup').first().waitFor({ state: 'detached' });
    await sheet.getByRole('button', { name: 'Make the link' }).click();
    await sheet.getByText('Shown once').waitFor();
    const [share] = await linksNow();
    expect(share).toMatchObject({ mode: 'private', anonymousAllowed: false, hasPassword: false });
    expect(share?.principals[0]).toMatchObject({
      principalValue: guest.email,
      policy: { sections: { ids: ['metadata', 'summary', 'coverage'] } },
    });
  });

  test('a name that is none is told at its field, and nothing is lost', async () => {
    const { sheet } = await openSheet();
    await sheet.getByLabel('People besides').fill('max');
    await sheet.getByRole('button', { name: 'Add' }).click();
    await sheet.getByLabel('Your own name for it').fill('Kept');
    await sheet.getByRole('button', { name: 'Make the link' }).click();
    await sheet.getByText(/must be an email address/).waitFor();
    expect(await sheet.getByLabel('Your own name for it').inputValue()).toBe('Kept');
    await sheet.getByRole('button', { name: 'Remove max' }).click();
    await sheet.getByRole('button', { name: 'Make the link' }).click();
    await sheet.getByText('Shown once').waitFor();
  });

  test('a change starts from what is stored and sends what differs; revoking asks once and ends the link', async () => {
    await shareOf(owner, reportId, { label: 'For Kim' });
    const { page, sheet } = await openSheet();
    await sheet.getByRole('button', { name: 'Change For Kim' }).click();
    const [before] = await linksNow();
    await sheet.getByText('Nothing is changed yet.').waitFor();
    expect(await sheet.getByRole('button', { name: 'Save the changes' }).isDisabled()).toBe(true);
    await sheet.getByLabel('Members of the workspace').check();
    await sheet.getByRole('row', { name: 'Who Anyone with the link Members of the workspace' }).waitFor();
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await sheet.getByRole('button', { name: 'Save the changes' }).click();
    expect((await sent).postDataJSON()).toEqual({ reportId, mode: 'workspace', anonymousAllowed: false });
    await sheet.getByText(/^Members of the workspace · /).waitFor();
    const [after] = await linksNow();
    expect(after).toEqual({ ...before, mode: 'workspace', anonymousAllowed: false });

    const revoke = sheet.getByRole('button', { name: 'Revoke link For Kim' });
    await revoke.click();
    await sheet.getByRole('button', { name: 'Keep it' }).click();
    expect((await linksNow())[0]?.revokedAt).toBeNull();
    await revoke.click();
    await sheet.getByRole('button', { name: 'Revoke link', exact: true }).click();
    await sheet.getByText('No link works at the moment.').waitFor();
    await sheet.getByText('Ended (1)').waitFor();
    expect((await linksNow())[0]?.revokedAt).not.toBeNull();
  });

  test('what is not saved is asked about before the sheet closes', async () => {
    const { page, sheet } = await openSheet();
    await sheet.getByLabel('Your own name for it').fill('Half done');
    await page.keyboard.press('Escape');
    await sheet.getByText('What you have set here is not saved.').waitFor();
    await sheet.getByRole('button', { name: 'Keep editing' }).click();
    expect(await sheet.getByLabel('Your own name for it').inputValue()).toBe('Half done');
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.getByRole('button', { name: 'Discard it' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect(await linksNow()).toEqual([]);
  });

  test('[D10] a scan under way can be shared, and what is being set stays when it becomes final', async () => {
    const device = await server.linkDevice(owner);
    const shell = await createShell(device);
    const { page } = await watch({ cookie: owner.cookie });
    await page.goto(`/reports/${shell.reportId}`);
    await page.getByText('The scan is running.').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    const sheet = page.getByRole('dialog', { name: 'Share this report' });
    await sheet
      .getByText(/^Anyone with the link can read the findings, once the scan has finished,/)
      .waitFor();
    await sheet.getByLabel('Your own name for it').fill('For Kim');
    const uploadId = await upload(
      device,
      shell.reportId,
      reportBytes({ localReportId: shell.localReportId }),
    );
    bodyOf(await device.api.finalizeReport({ params: { id: shell.reportId }, body: { uploadId } }));
    await sheet.getByText(/^Anyone with the link can read the one finding, without code, until/).waitFor();
    expect(await sheet.getByLabel('Your own name for it').inputValue()).toBe('For Kim');
    await sheet.getByRole('button', { name: 'Make the link' }).click();
    await sheet.getByText('Shown once').waitFor();
  });

  test('a member of the workspace reads the report, and is offered no sharing of it', async () => {
    const member = await server.signUp();
    const workspaceId = await createTeam(owner, [member]);
    const device = await server.linkDevice(owner);
    const body = { workspaceId, name: 'team', bindingPublicId: 'a'.repeat(16) };
    const { projectId } = bodyOf(await owner.api.createProject({ body }));
    const { reportId: shared } = await syncReport(device, { project: { workspaceId, projectId } });
    const { page } = await watch({ cookie: member.cookie });
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/shares'));
    await page.goto(`/reports/${shared}`);
    expect((await refused).status()).toBe(403);
    await page.getByRole('button', { name: 'Export' }).waitFor();
    expect(await page.getByRole('button', { name: /^Share/ }).count()).toBe(0);
  });
});
