/** A report by keyboard alone: read, filtered, triaged, exported, shared and opened. */
import { findingBody, shareOf, syncReport, wholePolicy, type SessionActor } from '@svc/testkit';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { keysOf, type Keys } from './keys.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';

const PASSWORD = 'four green teas';

describePages('a report by keyboard alone', () => {
  const { visit, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let reportId: string;

  beforeEach(async () => {
    const { owner: newOwner, device } = await newcomer();
    owner = newOwner;
    const findings = (['critical', 'high', 'high', 'low'] as const).map((severity, at) => ({
      ...findingBody(at + 1),
      severity,
      title: `Number ${at + 1}`,
    }));
    ({ reportId } = await syncReport(device, { body: { findings } }));
  });

  const open = () => visit(`/reports/${reportId}`, { cookie: owner.cookie });
  const line = (page: Page, number: number) => page.getByRole('link', { name: `Number ${number}` });
  const counted = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();
  const shown = (page: Page, number: number) =>
    page
      .getByRole('article')
      .getByRole('heading', { name: `Number ${number}` })
      .waitFor();

  test('a report is read finding by finding and exported', async () => {
    const { page } = await open();
    const keys = keysOf(page);
    await counted(page, '4 of 4');
    await keys.press('j');
    await shown(page, 1);
    await keys.moveTo(line(page, 1), 'Escape');
    await keys.pressOn(line(page, 3));
    await shown(page, 3);
    await keys.moveTo(line(page, 3), 'Escape');
    await keys.pressBackOn(page.getByRole('button', { name: 'Export' }));
    const saved = page.waitForEvent('download');
    await keys.pressOn(page.getByRole('link', { name: 'Markdown', exact: true }));
    expect((await saved).suggestedFilename()).toMatch(/\.md$/);
    await keys.isOn(page.getByRole('button', { name: 'Export' }));
  });

  test('a report is searched and filtered, and filters are removed', { tags: 'thorough' }, async () => {
    const { page } = await open();
    const keys = keysOf(page);
    await counted(page, '4 of 4');
    await keys.moveTo(page.getByRole('searchbox'), '/');
    await keys.type('number severity:high');
    await counted(page, '2 of 4');
    await keys.press('ControlOrMeta+A');
    await keys.press('Delete');
    await counted(page, '4 of 4');
    await keys.pressOn(page.getByRole('button', { name: /^Severity/ }));
    await keys.pressOn(page.getByRole('checkbox', { name: 'High 2' }), 'Space');
    await keys.pressOn(page.getByRole('checkbox', { name: 'Low 1' }), 'Space');
    await counted(page, '3 of 4');
    await keys.moveTo(page.getByRole('button', { name: /^Severity/ }), 'Escape');
    await keys.pressOn(page.getByRole('button', { name: 'Remove Severity: Low' }));
    await counted(page, '2 of 4');
    await keys.isSomewhere();
    await keys.pressOn(page.getByRole('button', { name: 'Remove Severity: High' }));
    await counted(page, '4 of 4');
    await keys.isSomewhere();
  });

  test('[D12] several selected findings get the same status', { tags: 'thorough' }, async () => {
    const { page } = await open();
    const keys = keysOf(page);
    await counted(page, '4 of 4');
    await keys.pressOn(line(page, 1), 'x');
    await keys.pressOn(line(page, 3), 'Shift+X');
    const bar = page.getByRole('group', { name: 'Selected findings' });
    await bar.getByText('3 findings selected').waitFor();
    await keys.pressOn(bar.getByRole('button', { name: 'Set status' }));
    const dialog = page.getByRole('dialog', { name: 'Set status of 3 findings' });
    await keys.isOn(dialog.getByLabel('Status', { exact: true }));
    await keys.press('A');
    expect(await dialog.getByLabel('Status', { exact: true }).inputValue()).toBe('accepted_risk');
    await keys.pressOn(dialog.getByRole('button', { name: 'Set status' }));
    await page.getByText('3 findings set to accepted risk.').waitFor();
    await bar.waitFor({ state: 'detached' });
    await keys.isSomewhere();
  });

  async function makeLink(page: Page, keys: Keys, sheet: Locator): Promise<void> {
    await keys.pressOn(sheet.getByLabel('Hide names'), 'Space');
    await keys.pressOn(sheet.getByText('Customize'));
    await keys.pressOn(sheet.getByLabel('Evidence', { exact: true }), 'Space');
    await keys.pressOn(sheet.getByLabel('Require a password'), 'Space');
    await keys.tabTo(sheet.getByLabel('Link password', { exact: true }));
    await keys.type(PASSWORD);
    await keys.tabTo(sheet.getByLabel('Label (optional)'));
    await keys.type('For Kim');
    await keys.press('Escape');
    await sheet.getByText('You have unsaved changes.').waitFor();
    await keys.pressBackOn(sheet.getByRole('button', { name: 'Keep editing' }));
    await keys.isSomewhere();
    await keys.pressOn(sheet.getByRole('button', { name: 'Create share link' }));
    await keys.isOn(sheet.getByRole('heading', { name: 'Share link created' }));
    const copiesLink = sheet.getByRole('button', { name: 'Copy link', exact: true });
    await keys.tabTo(copiesLink);
    await untilCopied(page, () => keys.press('Enter'));
    expect(await clipboardOf(page)).toMatch(/\/s\/[0-9A-Za-z]{27}$/);
  }

  test(
    'a report is shared, and its share link edited and revoked after confirmation',
    { tags: 'thorough' },
    async () => {
      const { page } = await open();
      const keys = keysOf(page);
      await keys.pressOn(page.getByRole('button', { name: /^Share/ }));
      const sheet = page.getByRole('dialog', { name: 'Share report' });
      await makeLink(page, keys, sheet);
      await keys.pressOn(sheet.getByRole('button', { name: 'Show all share links' }));
      await keys.isSomewhere();
      await keys.pressOn(sheet.getByRole('button', { name: 'Edit For Kim' }));
      await keys.isSomewhere();
      await keys.tabTo(sheet.getByRole('radio', { name: 'Anyone with the link', exact: true }));
      for (const name of ['Anyone with the link who has an account', 'Members of the workspace'])
        await keys.moveTo(sheet.getByRole('radio', { name }), 'ArrowDown');
      await keys.pressOn(sheet.getByRole('button', { name: 'Save changes' }));
      await sheet.getByText(/^Members of the workspace · /).waitFor();
      await keys.isSomewhere();
      await keys.pressOn(sheet.getByRole('button', { name: 'Revoke link For Kim' }));
      await keys.isSomewhere();
      await keys.pressOn(sheet.getByRole('button', { name: 'Revoke link', exact: true }));
      await sheet.getByText('No active share links.').waitFor();
      await keys.isSomewhere();
      await keys.moveTo(page.getByRole('button', { name: /^Share/ }), 'Escape');
    },
  );

  test('a share link with a password is opened and read', { tags: 'thorough' }, async () => {
    const { slug } = await shareOf(owner, reportId, { password: PASSWORD, defaultPolicy: wholePolicy });
    const { page } = await visit(`/s/${slug}`);
    const keys = keysOf(page);
    await keys.tabTo(page.getByLabel('Password of this link', { exact: true }));
    await keys.type(PASSWORD);
    await keys.press('Enter');
    await line(page, 2).waitFor();
    await keys.pressOn(line(page, 2));
    await shown(page, 2);
    await keys.moveTo(line(page, 2), 'Escape');
  });
});
