/** The password confirmation dialog in a real browser. */
import { HOUR_MS } from '@svc/contract/durations';
import { bindProject, bodyOf, createFakeClock, createShell, type SessionActor } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

describePages('confirming with the password', () => {
  const clock = createFakeClock(Date.now());
  const { server, visit } = browserSuite({ clock, config: { confirmAfterMs: HOUR_MS } });
  let person: SessionActor;
  beforeEach(async () => {
    person = await server.signUp();
  });

  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm your password' });
  async function confirm(page: Page, password: string) {
    await dialogOf(page).getByLabel('Password', { exact: true }).fill(password);
    await dialogOf(page).getByRole('button', { name: 'Confirm' }).click();
  }

  test('[D24] a device is approved after the password confirmation, and not after cancelling it', async () => {
    clock.advance(HOUR_MS + 1);
    const { publicRequestId: id } = await server.beginLink();
    const { page } = await visit(`/link/${id}`, { cookie: person.cookie, width: 360 });
    await page.getByRole('button', { name: 'Approve' }).click();
    await dialogOf(page).getByLabel('Password', { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Enter your password again to do this.').waitFor();
    expect(bodyOf(await person.api.getDeviceLink({ params: { id } })).state).toBe('pending');
    await page.getByRole('button', { name: 'Approve' }).click();
    await confirm(page, 'not the password');
    await dialogOf(page).getByRole('alert').getByText('The password is wrong.').waitFor();
    await confirm(page, person.password);
    await page.getByRole('heading', { name: 'is approved' }).waitFor();
  });

  test('[D24] a share link is created after the password confirmation with all input', async () => {
    const device = await server.linkDevice(person);
    clock.advance(HOUR_MS + 1);
    const { reportId } = await createShell(device, await bindProject(person));
    const { page } = await visit(`/reports/${reportId}`, { cookie: person.cookie });
    await page.getByRole('button', { name: /^Share/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    await sheet.getByLabel('Label (optional)').fill('For the auditors');
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await confirm(page, person.password);
    await sheet.getByText('Shown once').waitFor();
    const { shares } = bodyOf(await person.api.listShares({ params: { id: reportId } }));
    expect(shares.map(({ label }) => label)).toEqual(['For the auditors']);
  });
});
