/** Goals of the pages that no other test checks: how often a user clicks, and how many calls a page makes. */
import {
  bindProject,
  bodyOf,
  findingBody,
  syncReport,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { callsOf, countClicks } from './clicks.ts';
import { clipboardOf } from './page-watch.ts';

const FINDINGS = 30;
const each = (value: string) => Array.from({ length: FINDINGS }, () => value);

describePages('the goals of the pages', () => {
  const { visit, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let device: DeviceActor;

  beforeAll(async () => {
    ({ owner, device } = await newcomer());
  });

  test('sharing a new report takes two clicks until its link is copied', async () => {
    const { reportId } = await syncReport(device);
    const { page } = await visit(`/reports/${reportId}`, { cookie: owner.cookie });
    const clicks = await countClicks(page);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Create share link' }).click();
    await page.getByText('Link copied to the clipboard.').waitFor();
    expect(await clicks()).toBe(2);
    expect(await clipboardOf(page)).toMatch(/\/s\/[0-9A-Za-z]{27}$/);
  });

  test('[D19] accepting thirty findings with a reason takes four clicks and one call', async () => {
    const findings = Array.from({ length: FINDINGS }, (_, at) => findingBody(at + 1));
    const { reportId } = await syncReport(device, { body: { findings } });
    const { page } = await visit(`/reports/${reportId}`, { cookie: owner.cookie });
    const selectAll = page.getByRole('checkbox', { name: `Select all ${FINDINGS} shown` });
    await selectAll.waitFor();
    const [clicks, changes] = [await countClicks(page), callsOf(page, 'PATCH')];
    await selectAll.click();
    await page.getByRole('button', { name: 'Set status…' }).click();
    const dialog = page.getByRole('dialog', { name: `Set status of ${FINDINGS} findings` });
    await dialog.getByRole('radio', { name: 'Used in tests' }).click();
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await page.getByText(`${FINDINGS} findings set to accepted risk.`).waitFor();
    expect([await clicks(), changes]).toEqual([
      4,
      [expect.stringContaining(`/reports/${reportId}/findings`)],
    ]);

    const { report, decisions } = bodyOf(await owner.api.getReport({ params: { id: reportId } }));
    expect(report?.findings?.map(({ status }) => status)).toEqual(each('accepted_risk'));
    expect(decisions.map(({ reason }) => reason)).toEqual(each('used_in_tests'));
  });

  test('one search and one call find all SQL injections of all projects', async () => {
    const injection = { category: 'sql_injection', severity: 'critical' };
    const given = [
      [{ title: 'The login builds its query from text', ...injection }, {}],
      [{ title: 'SQL injection in the order search' }, { title: 'Injection of shell commands' }],
    ];
    const { workspaceId } = bodyOf(await owner.api.createWorkspace({ body: { name: 'Team' } }));
    for (const changes of given) {
      const findings = changes.map((more, at) => ({ ...findingBody(at + 1), ...more }));
      const project = await bindProject(owner, workspaceId);
      await syncReport(device, { project, body: { findings } });
    }
    const { page } = await visit(`/workspaces/${workspaceId}/findings`, { cookie: owner.cookie });
    const found = page.locator('a[data-key]');
    await expect.poll(() => found.count()).toBe(4);
    const [clicks, calls] = [await countClicks(page), callsOf(page, 'GET')];
    // This key moves the focus to the search.
    await page.keyboard.press('/');
    await page.keyboard.insertText('sql injection');
    await expect
      .poll(async () => (await found.allInnerTexts()).toSorted())
      .toEqual(['SQL injection in the order search', 'The login builds its query from text']);
    expect([await clicks(), calls.filter((call) => call.includes('/findings'))]).toEqual([
      0,
      [expect.stringMatching(/[?&]q=sql/)],
    ]);
  });
});
