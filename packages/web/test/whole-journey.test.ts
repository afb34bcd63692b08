/**
 * The main journey of a user: with the commands on the pages, the built CLI, and a viewer in a separate
 * window.
 */
import { readFile } from 'node:fs/promises';
import { freePort } from '@svc/testkit';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { countClicks } from './clicks.ts';
import { clipboardOf, keepAnswers, untilCopied } from './page-watch.ts';
import { passTimeUntil } from './passing-time.ts';
import { openTerminal, type Terminal, type Typed } from './terminal.ts';

const EMAIL = 'mira@example.test';
const PASSWORD = 'correct horse battery staple';
const LINK_PASSWORD = 'four green teas';
const LABEL = 'For the auditors';
const REPOSITORY = 'moonlit-shop';
/** A secret that the built-in search for secrets finds, generated at run time. */
const secret = ['AKIA', 'Z7QF3KJ2', 'LMNP4RST'].join('');
const imported = ['Orders are read by their id alone', 'A page is made of what was typed'] as const;

const log = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Linter', version: '2.0' } },
      results: imported.map((text, at) => ({
        ruleId: `planted-${at}`,
        level: at === 0 ? 'error' : 'note',
        message: { text },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: `src/till-${at}.js` },
              region: { startLine: 1, snippet: { text: `open(drawer_${at})` } },
            },
          },
        ],
      })),
    },
  ],
});
const files = {
  'src/keys.js': `const key = '${secret}';\n`,
  'src/till-0.js': 'open(drawer_0)\n',
  'src/till-1.js': 'open(drawer_1)\n',
  'linter.sarif': log,
};
/** Content hidden by a share without names, code and one of the findings. */
const hidden = [REPOSITORY, 'till-0', 'till-1', 'drawer_0', 'drawer_1', 'keys.js', 'AWS', EMAIL, secret];

const port = await freePort();

describePages('the whole journey', () => {
  // URLs have the real origin of the service, so that they work as copied.
  const { watch } = browserSuite({ config: { port, appBaseUrl: `http://127.0.0.1:${port}` } });

  const h1 = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
  const commandTo = (page: Page, what: string) =>
    page.getByRole('group', { name: `Command to ${what}` }).innerText();
  const done = (page: Page, step: string) => page.getByRole('status').filter({ hasText: `${step}: done` });

  async function saved(page: Page, pressed: Locator): Promise<string> {
    const download = page.waitForEvent('download');
    await pressed.click();
    return readFile(await (await download).path(), 'utf8');
  }

  async function signUp(page: Page): Promise<void> {
    await page.goto('/');
    await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    const code = await page.getByRole('group', { name: 'Recovery code' }).innerText();
    await untilCopied(page, () => page.getByRole('button', { name: 'Copy recovery code' }).click());
    expect(await clipboardOf(page)).toBe(code);
    const file = await saved(page, page.getByRole('button', { name: 'Download' }));
    for (const part of [EMAIL, code]) expect(file).toContain(part);
    await page.getByLabel('I have saved the recovery code').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await h1(page, 'Get started').waitFor();
  }

  /** Uses a second page; the first page ticks the step automatically. @returns the clicks of the user. */
  async function linkTerminal(page: Page, terminal: Terminal): Promise<number> {
    const login = terminal.type(await commandTo(page, 'link this machine'));
    const address = await login.shows(/http:\S+\/link\/[0-9A-Za-z]{32}/);
    const beside = await page.context().newPage();
    await beside.goto(address);
    const clicks = await countClicks(beside);
    const code = await beside
      .getByRole('group', { name: 'Your terminal must show the same code' })
      .innerText();
    expect(await login.shows(/\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/)).toBe(code);
    await beside.getByRole('button', { name: 'Approve' }).click();
    await h1(beside, /is (?:approved|connected)$/).waitFor();
    await login.done;
    const count = await clicks();
    await beside.close();
    await passTimeUntil(done(page, 'Link this machine'));
    return count;
  }

  async function followScan(page: Page, terminal: Terminal, scanning: Typed): Promise<void> {
    await passTimeUntil(done(page, 'Scan a repository'));
    await page.getByRole('link', { name: 'Watch the scan' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Searching for secrets: in progress' }).waitFor();
    await page.evaluate('window.isSame = true');
    expect(await page.getByText('Searching for duplicates').count()).toBe(0);
    await terminal.finishScanner();
    await scanning.done;
    await passTimeUntil(page.getByRole('link', { name: imported[0] }));
    expect(await page.getByRole('heading', { name: 'Phases' }).count()).toBe(0);
    expect(await page.evaluate('window.isSame')).toBe(true);
  }

  async function readAndDecide(page: Page): Promise<void> {
    await page.getByText('3 of 3', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('severity:low');
    await page.getByText('1 of 3', { exact: true }).waitFor();
    await page.getByRole('link', { name: imported[1] }).click();
    const article = page.getByRole('article');
    await article.getByText('open(drawer_1)').waitFor();
    await page.getByRole('button', { name: /^Status of/ }).click();
    await page.getByRole('menuitem', { name: 'Accepted risk' }).click();
    await page.getByRole('button', { name: 'Set status' }).click();
    await article.getByRole('button', { name: /: Accepted risk$/ }).waitFor();
    await page.keyboard.press('Escape');
    // Closing goes back in history, which restores the filters.
    await article.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Search: severity:low' }).click();
    await page.getByText('3 of 3', { exact: true }).waitFor();
  }

  /** @returns the copied URL of the share. */
  async function share(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Share' }).click();
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText(REPOSITORY).first().waitFor();
    await sheet.getByLabel('Hide names').check();
    await preview.getByText(REPOSITORY).first().waitFor({ state: 'detached' });
    await sheet.getByText('Customize').click();
    await sheet.getByLabel('All except the selected ones').check();
    await sheet
      .getByRole('group', { name: /^Selected/ })
      .getByRole('checkbox', { name: 'AWS' })
      .check();
    await preview.getByText('2 findings', { exact: true }).waitFor();
    await preview.getByText(imported[0]).click();
    await preview.getByRole('article').waitFor();
    const shown = await preview.innerText();
    expect(hidden.filter((word) => shown.includes(word))).toEqual([]);
    await sheet.getByLabel('Require a password').check();
    await sheet.getByLabel('Link password', { exact: true }).fill(LINK_PASSWORD);
    await sheet.getByLabel('Label (optional)').fill(LABEL);
    await sheet.getByRole('button', { name: 'Create share link' }).click();
    await untilCopied(page, () => sheet.getByRole('button', { name: 'Copy link', exact: true }).click());
    return clipboardOf(page);
  }

  async function open(page: Page, address: string): Promise<void> {
    await page.goto(address);
    await h1(page, 'Password required').waitFor();
    for (const password of ['four black teas', LINK_PASSWORD]) {
      await page.getByLabel('Password of this link', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Open' }).click();
      if (password !== LINK_PASSWORD) await page.getByText('Wrong password').waitFor();
    }
    await page.getByRole('link', { name: imported[0] }).click();
    await page.getByRole('article').getByRole('heading', { name: imported[0] }).waitFor();
  }

  async function revoke(page: Page): Promise<void> {
    const sheet = page.getByRole('dialog', { name: 'Share report' });
    await sheet.getByRole('button', { name: 'Show all share links' }).click();
    await sheet.getByText(/password required · 1 view/).waitFor();
    await sheet.getByRole('button', { name: `Revoke link ${LABEL}` }).click();
    await sheet.getByRole('button', { name: 'Revoke link', exact: true }).click();
    await sheet.getByText('No active share links.').waitFor();
  }

  test('leads from the home page through a scan to a share link that is revoked', async () => {
    await using terminal = await openTerminal(REPOSITORY, files);
    const { page } = await watch();
    await page.clock.install();
    await signUp(page);
    // Sharing a new report takes two more clicks: three in all, with three commands (install, link, scan).
    expect(await linkTerminal(page, terminal)).toBe(1);
    const scan = await commandTo(page, 'scan a repository');
    await followScan(page, terminal, terminal.type(`${scan} --sarif linter.sarif`));
    await readAndDecide(page);
    const address = await share(page);

    const guest = await watch();
    const answers = await keepAnswers(guest.context);
    await guest.page.clock.install();
    await open(guest.page, address);
    await guest.page.getByRole('button', { name: 'Download' }).click();
    const received = [
      await saved(guest.page, guest.page.getByRole('link', { name: 'JSON' })),
      await guest.page.content(),
      answers.join('\n'),
    ];
    for (const text of received) {
      expect(text).toContain(imported[0]);
      expect(hidden.filter((word) => text.includes(word))).toEqual([]);
    }

    await revoke(page);
    await guest.page.clock.runFor(31_000);
    await h1(guest.page, 'Share link not available').waitFor();
    expect(await guest.page.content()).not.toContain(imported[0]);
  });
});
