/** People read a report on its page, in a real browser: they filter, search, open, copy and print. */
import type { Severity } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  newLocalId,
  syncReport,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';
import type { WatchOptions } from './test-window.ts';

const DAY_MS = 86_400_000;

const finding = (number: number, severity: Severity, more: Record<string, unknown> = {}) => ({
  ...findingBody(number),
  severity,
  ...more,
});

/** Two of them in one category, one that was decided on, and one with all that a finding can have. */
const findings = [
  finding(1, 'low', {
    title: 'A token is written to the log',
    category: 'secrets',
    verification: 'needs_review',
  }),
  finding(2, 'critical', {
    title: 'Order lookup trusts its caller',
    summary:
      'Reads `orders` by id.\n\n- any customer\n- any order\n\n<b>not bold</b> ![x](//e.test/x)\n\nSee https://example.com/a?b=c, not javascript://e.test.',
    evidence: [
      {
        kind: 'source',
        description: 'By id alone.',
        snippet: 'const id = 1; // the id\nreturn orders.get(id);',
        location: 'src/orders/read-2.ts:40-41',
      },
    ],
    affected: { component: 'orders api', file: 'src/orders/read-2.ts', lineStart: 41, lineEnd: 41 },
    references: ['https://cwe.mitre.org/639', 'javascript:alert(1)'],
    taxonomy: ['CWE-639'],
    reproduction: 'Ask for another order.',
    secretReferences: [
      { label: 'Signing key', kind: 'aws', fingerprint: 'a1b2c3', location: 'src/key.ts:1' },
    ],
    fixHistory: [
      { at: '2026-03-04T05:06:07.000Z', action: 'suggested', verified: false, note: 'Look here.' },
    ],
  }),
  finding(3, 'high', { status: 'accepted_risk', title: 'Old cipher', category: 'crypto' }),
  finding(4, 'high', { title: 'Path is joined', category: 'path_traversal' }),
];

describePages('reading a report', () => {
  const clock = createFakeClock(Date.now());
  const { server, watch, visit, newcomer } = browserSuite({ clock, generousPlans: true });
  let owner: SessionActor;
  let device: DeviceActor;
  let reportId: string;

  beforeAll(async () => {
    ({ owner, device } = await newcomer());
    reportId = await reportOf(findings);
  });

  const reportOf = async (given: readonly Record<string, unknown>[], more: Record<string, unknown> = {}) =>
    (await syncReport(device, { body: { findings: given, ...more } })).reportId;

  const open = (path: string, options: WatchOptions = {}) =>
    visit(path, { cookie: owner.cookie, ...options });
  const titles = (page: Page) =>
    page
      .getByRole('link')
      .filter({ has: page.locator('code') })
      .allTextContents();
  const line = (page: Page, title: string) => page.getByRole('link', { name: title });
  const counted = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();
  const article = (page: Page) => page.getByRole('article');

  test('it begins with a verdict, worst findings first; facets count under the other filters, and groups are folded', async () => {
    const { page } = await open(`/reports/${reportId}`);
    await page.getByText('1 critical, 2 high and 1 low findings, 3 of them verified.').waitFor();
    await page.getByText('1 of 1 area covered in full.').waitFor();
    await page.getByText('Nothing was run.').waitFor();
    await counted(page, '4 of 4');
    const order = ['Order lookup', 'Old cipher', 'Path is joined', 'A token is'];
    const shown = await titles(page);
    expect(shown.map((text) => order.findIndex((title) => text.includes(title)))).toEqual([0, 1, 2, 3]);
    await expect.poll(() => page.title()).toBe('repository: report · svc');

    await page.getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('checkbox', { name: 'High 2' }).check();
    await counted(page, '2 of 4');
    // The counts of severity itself stay; those of others follow.
    await page.getByRole('checkbox', { name: 'Low 1' }).waitFor();
    await page.getByRole('button', { name: 'Category' }).click();
    expect(await page.getByRole('group', { name: 'Category' }).getByRole('checkbox').count()).toBe(2);
    await page.getByRole('checkbox', { name: 'Crypto 1' }).check();
    await counted(page, '1 of 4');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove Severity: High' }).click();
    await page.getByRole('button', { name: 'Remove Category: Crypto' }).click();
    await counted(page, '4 of 4');

    await page.getByLabel('Group').selectOption('category');
    const group = page.getByRole('button', { name: 'Broken access control 1' });
    expect(await group.getAttribute('aria-expanded')).toBe('false');
    expect(await line(page, 'Order lookup').count()).toBe(0);
    await group.click();
    await line(page, 'Order lookup').waitFor();
    await page.getByLabel('Group').selectOption('file');
    await page.getByRole('button', { name: 'src/orders/read-2.ts 1' }).waitFor();
  });

  test('[T12] a finding shows all that it has: prose as text, code with its lines, links to the web alone; it stands out in forced colours', async () => {
    const { page } = await open(`/reports/${reportId}?finding=F-2`);
    const body = article(page);
    await body.getByRole('heading', { name: 'Order lookup trusts its caller' }).waitFor();
    for (const part of [
      'Summary',
      'Impact',
      'Evidence',
      'Reproduction',
      'Remediation',
      'Verification plan',
      'References',
      'Secrets',
      'History',
    ])
      expect(await body.getByRole('heading', { name: part, exact: true }).isVisible()).toBe(true);
    await body.getByText('<b>not bold</b> ![x](//e.test/x)').waitFor();
    expect(await body.getByText('any order').evaluate((element) => element.closest('li') !== null)).toBe(
      true,
    );
    const code = body.getByRole('group', { name: 'Code, evidence 1 of F-2' });
    await code.locator('.text-accent-text').first().waitFor();
    expect(
      await code.locator('[data-line]').evaluateAll((lines) => lines.map((each) => each.dataset['line'])),
    ).toEqual(['40', '41']);
    expect(await code.locator('.bg-chosen').count()).toBe(1);
    expect(
      await body
        .getByRole('link')
        .evaluateAll((links) =>
          links.map((each) => `${each.getAttribute('href')} ${each.getAttribute('rel')}`),
        ),
    ).toEqual([
      'https://example.com/a?b=c noreferrer noopener nofollow',
      'https://cwe.mitre.org/639 noreferrer noopener nofollow',
    ]);

    await page.emulateMedia({ forcedColors: 'active' });
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
    const edges = await page
      .getByRole('list', { name: 'Findings', exact: true })
      .getByRole('listitem')
      .evaluateAll((items) =>
        items.map((item) => item.computedStyleMap().get('border-left-width')?.toString()),
      );
    expect(edges).toEqual(['4px', '0px', '0px', '0px']);
  });

  test('the search goes over all words, takes qualifiers, and leaves one entry in the history', async () => {
    const { page } = await open(`/reports/${reportId}`);
    const field = page.getByRole('searchbox', { name: 'Search the findings' });
    await page.keyboard.press('/');
    await page.keyboard.type('severity:high -category:crypto path:src/');
    await counted(page, '1 of 4');
    await field.fill('orders.get nothing-of-this');
    await page.getByText('No finding matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear them' }).click();
    await counted(page, '4 of 4');

    const entries = await page.evaluate('history.length');
    await page.getByRole('searchbox').fill('"order lookup"');
    await page.waitForURL(/q=%22order\+lookup%22/);
    expect(await page.evaluate('history.length')).toBe(entries);
    await page.reload();
    await counted(page, '1 of 4');
    expect(await page.getByRole('searchbox').inputValue()).toBe('"order lookup"');
  });

  test('Back brings back filters, choice and place; opening changes no filter', async () => {
    const many = await reportOf(
      Array.from({ length: 60 }, (_, at) => finding(at + 1, 'medium', { title: `Finding number ${at + 1}` })),
    );
    const { page } = await open(`/reports/${many}?severity=medium`, { width: 600 });
    const chosen = line(page, 'Finding number 55');
    // What comes late and stands above the list moves it.
    await page.getByRole('button', { name: 'Share' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select F-55' }).waitFor();
    await chosen.scrollIntoViewIfNeeded();
    const before = await page.evaluate('scrollY');
    await chosen.click();
    await article(page).getByRole('heading', { name: 'Finding number 55' }).waitFor();
    expect(new URL(page.url()).searchParams.toString()).toBe('severity=medium&finding=F-55');
    expect(await chosen.isVisible()).toBe(false);
    await page.goBack();
    await chosen.waitFor();
    expect(await page.evaluate('scrollY')).toBe(before);
    expect(await chosen.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true);
    await counted(page, '60 of 60');
    await page.goForward();
    await article(page).getByRole('heading', { name: 'Finding number 55' }).waitFor();
    await page.getByRole('button', { name: 'All findings' }).click();
    await chosen.waitFor();
    expect(await page.evaluate('scrollY')).toBe(before);
  });

  test('everything has a key, none of which works while somebody types; a selected path is copied as it is', async () => {
    const { page, context } = await open(`/reports/${reportId}`);
    await page.keyboard.press('j');
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
    await page.keyboard.press('j');
    await article(page).getByRole('heading', { name: 'Old cipher' }).waitFor();
    expect(await page.getByRole('link', { name: 'Old cipher' }).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('k');
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
    await page.keyboard.press('y');
    await page.getByText('Link copied').waitFor();
    expect(await clipboardOf(page)).toBe(`${server.url}/reports/${reportId}?finding=F-2`);
    await page.keyboard.press('c');
    await page.getByText('Markdown copied').waitFor();
    expect(await clipboardOf(page)).toContain('### <a id="f-2"></a>F-2: Order lookup trusts its caller');
    await untilCopied(page, () => page.getByRole('button', { name: 'Copy location' }).click());
    expect(await clipboardOf(page)).toBe('src/orders/read-2.ts:41');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.getByText('Copy the finding as Markdown').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await page.keyboard.press('Escape');
    await article(page).waitFor({ state: 'detached' });
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('jxj?');
    expect(await article(page).count()).toBe(0);
    expect(context.pages()).toHaveLength(1);

    await page.getByRole('searchbox').fill('');
    await line(page, 'Order lookup').locator('code').waitFor();
    await page.evaluate("navigator.clipboard.writeText('what was there before')");
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('ol a code'))");
    await page.keyboard.press('ControlOrMeta+c');
    await expect.poll(() => clipboardOf(page)).toBe('src/orders/read-2.ts:41');
  });

  test('[D12] a finding is set aside, and offered what it can become', async () => {
    const other = await reportOf([finding(1, 'high')]);
    const { page } = await open(`/reports/${other}?finding=F-1`);
    const status = page.getByLabel('New status of F-1');
    await status.waitFor();
    expect(await status.locator('option').allTextContents()).toEqual([
      'Fix suggested',
      'Accepted risk',
      'False positive',
    ]);
    await status.selectOption('accepted_risk');
    await page.getByRole('button', { name: 'Change status' }).click();
    await article(page).getByRole('list', { name: 'Properties' }).getByText('Accepted risk').waitFor();
    await page.getByRole('list', { name: 'Verification and status' }).getByText('accepted risk').waitFor();
    await page.reload();
    await article(page).getByRole('list', { name: 'Properties' }).getByText('Accepted risk').waitFor();
  });

  test('[D12] a status that was carried over says so, and leads to the report before this one, or to those of the project', async () => {
    const project = await bindProject(owner);
    const decided = finding(1, 'low', { status: 'accepted_risk', tags: ['carried-status'] });
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      ids.push(
        (await syncReport(device, { project, body: { findings: [decided, finding(2, 'low')] } })).reportId,
      );
      clock.advance(1000);
    }
    const { page } = await open(`/reports/${ids[1]}?finding=F-1`);
    await page.getByRole('link', { name: 'See the report before this one' }).click();
    await page.waitForURL(`**/reports/${ids[0]}`);
    await page.goto(`/reports/${ids[0]}?finding=F-1`);
    const earlier = page.getByRole('link', { name: 'See the reports of the project' });
    await page.getByText('Its status was decided in an earlier report.').waitFor();
    expect(await earlier.getAttribute('href')).toBe(`/projects/${project.projectId}`);
    await page.goto(`/reports/${ids[0]}?finding=F-2`);
    await page.getByRole('combobox', { name: 'New status of F-2' }).waitFor();
    expect(await earlier.count()).toBe(0);
  });

  test('[D12] of many that are selected those that can not be moved stay selected and say why', async () => {
    const other = await reportOf([
      finding(1, 'high', { title: 'First one' }),
      finding(2, 'high', { title: 'Second one' }),
      finding(3, 'low', { title: 'Third one', status: 'fix_suggested' }),
      finding(4, 'info', { title: 'Fourth one' }),
    ]);
    const { page } = await open(`/reports/${other}`);
    await page.getByRole('checkbox', { name: 'Select F-1' }).click();
    await page.getByRole('checkbox', { name: 'Select F-3' }).focus();
    await page.keyboard.press('Shift+X');
    const bar = page.getByRole('group', { name: 'Selected findings' });
    await bar.getByText('3 findings selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 4 matching' }).click();
    await bar.getByText('4 findings selected').waitFor();
    await bar.getByRole('combobox').selectOption('fix_suggested');
    await bar.getByRole('button', { name: 'Change status' }).click();
    await page.getByText('3 findings changed.').waitFor();
    await page.getByText('1 finding could not be changed and stays selected.').waitFor();
    await bar.getByText('1 finding selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select F-3' }).isChecked()).toBe(true);
  });

  test('it can be saved in every format', async () => {
    const { page } = await open(`/reports/${reportId}`);
    await page.getByRole('button', { name: 'Export' }).click();
    const files: string[] = [];
    for (const name of ['HTML', 'JSON', 'Markdown', 'SARIF', 'SARIF for GitHub']) {
      const href = await page.getByRole('link', { name, exact: true }).getAttribute('href');
      const { headers } = await owner.fetch(href ?? '');
      files.push(/filename="[^"]*(\.\w+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '');
    }
    expect(files).toEqual(['.html', '.json', '.md', '.sarif', '.sarif']);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'SARIF for GitHub' }).click();
    expect((await download).suggestedFilename()).toMatch(/\.sarif$/);
  });

  test('on paper every finding is there with its code, and nothing to press', async () => {
    const { page } = await open(`/reports/${reportId}`);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('heading', { name: 'Path is joined' }).waitFor();
    await page.getByText(/scanned \d+ \w+ \d{4}, \d\d:\d\d/).waitFor();
    expect(await page.getByRole('article').count()).toBe(4);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByText('return orders.get(id);').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('article').first().waitFor({ state: 'detached' });
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });

  test(
    'of a long list the page holds a window, with what each line is among all, and prints none of it',
    { tags: 'thorough' },
    async () => {
      const long = await reportOf(
        Array.from({ length: 1001 }, (_, at) =>
          finding(at + 1, 'medium', { title: `Finding number ${at + 1}` }),
        ),
      );
      const { page } = await open(`/reports/${long}`);
      const lines = page.getByRole('list', { name: 'Findings', exact: true }).getByRole('listitem');
      // The first lines come before the others.
      await lines.and(page.locator('[aria-setsize="1001"]')).first().waitFor();
      expect(await lines.count()).toBeLessThan(100);
      await page.evaluate('scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" })');
      await line(page, 'Finding number 1001').waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.getByText('1,001 findings are more than this page prints. Print the HTML export').waitFor();
      expect(await page.getByRole('article').count()).toBe(0);
    },
  );

  test('where nothing was found it says in how much', async () => {
    const area = (name: string, status: string) => ({ id: name, name, status });
    const empty = await reportOf([], {
      coverageAreas: [area('Login', 'covered'), area('Billing', 'not_covered')],
    });
    const { page } = await open(`/reports/${empty}`);
    await page.getByText('No findings in 1 of 2 areas.').waitFor();
    await page.getByRole('list', { name: 'Areas not covered in full' }).getByText('Billing').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
  });

  test('[T12] a hostile name of a project is text, and a title that turns the direction of writing reads as what it is', async () => {
    const name = `0"'></title><img src=//e.test onerror=document.title='ran'>`;
    const { workspaceId } = await bindProject(owner);
    const body = { workspaceId, name, bindingPublicId: newLocalId() };
    const { projectId } = bodyOf(await owner.api.createProject({ body }));
    const shell = await syncReport(device, {
      project: { workspaceId, projectId },
      body: { project: { name }, findings: [finding(1, 'low', { title: 'Runs evil.\u202Eexe' })] },
    });
    const { page } = await open(`/reports/${shell.reportId}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expect.poll(() => page.title()).toBe(`${name}: report · svc`);
    await line(page, 'Runs evil.[U+202E]exe').click();
    await article(page).getByRole('heading', { name: 'Runs evil.[U+202E]exe' }).waitFor();
    await page.goto(`/reports/${shell.reportId}?finding=F-99`);
    await page.getByText('This report has no finding F-99.').waitFor();
  });

  test('a severity has its word in every line, beside a finding too', async () => {
    const { page } = await open(`/reports/${reportId}`, { width: 360 });
    for (const width of [360, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      if (width === 1024) await line(page, 'Order lookup').click();
      for (const [title, severity] of [
        ['Order lookup', 'Critical'],
        ['A token is', 'Low'],
      ] as const) {
        const word = line(page, title).getByText(severity, { exact: true });
        await expect.poll(async () => (await word.boundingBox())?.width).toBeGreaterThan(20);
        expect((await line(page, title).boundingBox())?.height).toBeLessThanOrEqual(36);
      }
    }
  });

  test('whoever may not read it sees that there is nothing, and a report under way says so', async () => {
    const stranger = await server.signUp();
    const theirs = await open(`/reports/${reportId}`, { cookie: stranger.cookie });
    await theirs.page.getByRole('heading', { name: 'Not found' }).waitFor();
    const live = await createShell(device);
    const own = await open(`/reports/${live.reportId}`);
    await own.page.getByText('repository').first().waitFor();
  });

  test('whoever is signed out signs in and is then at the finding that they came for', async () => {
    const { page } = await watch();
    await page.goto(`/reports/${reportId}?finding=F-2`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
  });

  test('once it has expired it says so, and nothing of it is left', async () => {
    const other = bodyOf(await owner.api.getReport({ params: { id: reportId } })).reportId;
    clock.advance(22 * DAY_MS);
    const session = await owner.api.logIn({ body: { email: owner.email, password: owner.password } });
    expect(session.ok).toBe(true);
    const { page } = await open(`/reports/${other}`);
    await page.getByRole('heading', { name: 'This report has expired' }).waitFor();
    expect(await page.getByText('Order lookup').count()).toBe(0);
  });
});
