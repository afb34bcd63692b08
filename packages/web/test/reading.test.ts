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
import { expectNoAxeFindings, themes, untilCopied, type WatchOptions } from './page-watch.ts';

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

describePages('reading a report', { timeout: 90_000 }, () => {
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

  test('it begins with a verdict, and its findings stand worst first', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
    await page.getByText('1 critical, 2 high and 1 low findings, 3 of them verified.').waitFor();
    await page.getByText('1 of 1 area covered in full.').waitFor();
    await page.getByText('Nothing was run.').waitFor();
    await counted(page, '4 of 4');
    const order = ['Order lookup', 'Old cipher', 'Path is joined', 'A token is'];
    const shown = await titles(page);
    expect(shown.map((text) => order.findIndex((title) => text.includes(title)))).toEqual([0, 1, 2, 3]);
    await expect.poll(() => page.title()).toBe('repository: report · svc');
    expect(watched.complaints).toEqual([]);
  });

  test('[T12] a finding shows all that it has: prose as text, code with its lines, links to the web alone', async () => {
    await using watched = await open(`/reports/${reportId}?finding=F-2`);
    const { page } = watched;
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
    expect(watched.complaints).toEqual([]);
  });

  test('[T12] a title that turns the direction of writing reads as what it is', async () => {
    const id = await reportOf([finding(1, 'low', { title: 'Runs evil.\u202Eexe' })]);
    await using watched = await open(`/reports/${id}`);
    await watched.page.getByRole('link', { name: 'Runs evil.[U+202E]exe' }).click();
    await article(watched.page).getByRole('heading', { name: 'Runs evil.[U+202E]exe' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  test('facets count under the other filters, and what is chosen can be taken away', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
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
    expect(watched.complaints).toEqual([]);
  });

  test('the search goes over all words, takes qualifiers, and says when nothing is left', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
    const field = page.getByRole('searchbox', { name: 'Search the findings' });
    await page.keyboard.press('/');
    await page.keyboard.type('severity:high -category:crypto path:src/');
    await counted(page, '1 of 4');
    await field.fill('orders.get nothing-of-this');
    await page.getByText('No finding matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear them' }).click();
    await counted(page, '4 of 4');
    expect(watched.complaints).toEqual([]);
  });

  test('Back brings back filters, choice and place; opening changes no filter', async () => {
    const many = await reportOf(
      Array.from({ length: 60 }, (_, at) => finding(at + 1, 'medium', { title: `Finding number ${at + 1}` })),
    );
    await using watched = await open(`/reports/${many}?severity=medium`, { width: 600 });
    const { page } = watched;
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
    expect(watched.complaints).toEqual([]);
  });

  test('typing leaves one entry in the history, whatever was typed, quotes too', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
    const entries = await page.evaluate('history.length');
    await page.getByRole('searchbox').fill('"order lookup"');
    await page.waitForURL(/q=%22order\+lookup%22/);
    expect(await page.evaluate('history.length')).toBe(entries);
    await page.reload();
    await counted(page, '1 of 4');
    expect(await page.getByRole('searchbox').inputValue()).toBe('"order lookup"');
    expect(watched.complaints).toEqual([]);
  });

  test('groups are folded, with how many they hold', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
    await page.getByLabel('Group').selectOption('category');
    const group = page.getByRole('button', { name: 'Broken access control 1' });
    expect(await group.getAttribute('aria-expanded')).toBe('false');
    expect(await line(page, 'Order lookup').count()).toBe(0);
    await group.click();
    await line(page, 'Order lookup').waitFor();
    await page.getByLabel('Group').selectOption('file');
    await page.getByRole('button', { name: 'src/orders/read-2.ts 1' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  test('everything has a key, none of which works while somebody types', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page, context } = watched;
    await page.keyboard.press('j');
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
    await page.keyboard.press('j');
    await article(page).getByRole('heading', { name: 'Old cipher' }).waitFor();
    expect(await page.getByRole('link', { name: 'Old cipher' }).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('k');
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
    const clipboard = () => page.evaluate('navigator.clipboard.readText()');
    await page.keyboard.press('y');
    await page.getByText('Link copied').waitFor();
    expect(await clipboard()).toBe(`${server.url}/reports/${reportId}?finding=F-2`);
    await page.keyboard.press('c');
    await page.getByText('Markdown copied').waitFor();
    expect(await clipboard()).toContain('### <a id="f-2"></a>F-2: Order lookup trusts its caller');
    await untilCopied(page, () => page.getByRole('button', { name: 'Copy location' }).click());
    expect(await clipboard()).toBe('src/orders/read-2.ts:41');
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
    expect(watched.complaints).toEqual([]);
  });

  test('a path that is selected in the list is copied as it is', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
    await line(page, 'Order lookup').locator('code').waitFor();
    await page.evaluate("navigator.clipboard.writeText('what was there before')");
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('ol a code'))");
    await page.keyboard.press('ControlOrMeta+c');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('src/orders/read-2.ts:41');
    expect(watched.complaints).toEqual([]);
  });

  test('[D12] a finding is set aside, and offered what it can become', async () => {
    const other = await reportOf([finding(1, 'high')]);
    await using watched = await open(`/reports/${other}?finding=F-1`);
    const { page } = watched;
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
    expect(watched.complaints).toEqual([]);
  });

  test('[D12] what was decided in an earlier report says so, and leads to the reports of the project', async () => {
    const decided = finding(1, 'low', { status: 'accepted_risk', tags: ['carried-status'] });
    const later = await reportOf([decided, finding(2, 'low')]);
    const { projectId } = bodyOf(await owner.api.getReport({ params: { id: later } }));
    await using watched = await open(`/reports/${later}?finding=F-2`);
    const { page } = watched;
    const earlier = page.getByRole('link', { name: 'See the reports of the project' });
    await page.getByRole('combobox', { name: 'New status of F-2' }).waitFor();
    expect(await earlier.count()).toBe(0);
    await page.goto(`/reports/${later}?finding=F-1`);
    await page.getByText('Its status was decided in an earlier report.').waitFor();
    expect(await earlier.getAttribute('href')).toBe(`/projects/${projectId}`);
    expect(watched.complaints).toEqual([]);
  });

  test('[D12] a status that was carried over leads to the report before this one, while there is one', async () => {
    const project = await bindProject(owner);
    const decided = finding(1, 'low', { status: 'accepted_risk', tags: ['carried-status'] });
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) {
      ids.push((await syncReport(device, { project, body: { findings: [decided] } })).reportId);
      clock.advance(1000);
    }
    await using watched = await open(`/reports/${ids[1]}?finding=F-1`);
    const { page } = watched;
    await page.getByRole('link', { name: 'See the report before this one' }).click();
    await page.waitForURL(`**/reports/${ids[0]}`);
    await page.goto(`/reports/${ids[0]}?finding=F-1`);
    await page.getByRole('link', { name: 'See the reports of the project' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  test('[D12] of many that are selected those that can not be moved stay selected and say why', async () => {
    const other = await reportOf([
      finding(1, 'high', { title: 'First one' }),
      finding(2, 'high', { title: 'Second one' }),
      finding(3, 'low', { title: 'Third one', status: 'fix_suggested' }),
      finding(4, 'info', { title: 'Fourth one' }),
    ]);
    await using watched = await open(`/reports/${other}`);
    const { page } = watched;
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
    expect(watched.complaints).toEqual([]);
  });

  test('it can be saved in every format', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
    for (const [name, file] of [
      ['HTML', '.html'],
      ['JSON', '.json'],
      ['Markdown', '.md'],
      ['SARIF', '.sarif'],
      ['SARIF for GitHub', '.sarif'],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name, exact: true }).click();
      expect((await download).suggestedFilename().endsWith(file)).toBe(true);
    }
    expect(watched.complaints).toEqual([]);
  });

  test('on paper every finding is there with its code, and nothing to press', async () => {
    await using watched = await open(`/reports/${reportId}`);
    const { page } = watched;
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('heading', { name: 'Path is joined' }).waitFor();
    await page.getByText(/scanned \d+ \w+ \d{4}, \d\d:\d\d/).waitFor();
    expect(await page.getByRole('article').count()).toBe(4);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByText('return orders.get(id);').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('article').first().waitFor({ state: 'detached' });
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    expect(watched.complaints).toEqual([]);
  });

  test('where nothing was found it says in how much', async () => {
    const area = (name: string, status: string) => ({ id: name, name, status });
    const empty = await reportOf([], {
      coverageAreas: [area('Login', 'covered'), area('Billing', 'not_covered')],
    });
    await using watched = await open(`/reports/${empty}`);
    const { page } = watched;
    await page.getByText('No findings in 1 of 2 areas.').waitFor();
    await page.getByRole('list', { name: 'Areas not covered in full' }).getByText('Billing').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(watched.complaints).toEqual([]);
  });

  test('[T12] a hostile name of a project is text', async () => {
    const name = `0"'></title><img src=//e.test onerror=document.title='ran'>`;
    const { workspaceId } = await bindProject(owner);
    const body = { workspaceId, name, bindingPublicId: newLocalId() };
    const { projectId } = bodyOf(await owner.api.createProject({ body }));
    const shell = await syncReport(device, {
      project: { workspaceId, projectId },
      body: { project: { name } },
    });
    await using watched = await open(`/reports/${shell.reportId}`);
    const { page } = watched;
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await expect.poll(() => page.title()).toBe(`${name}: report · svc`);
    expect(watched.complaints).toEqual([]);
  });

  test('a finding that there is none of says so', async () => {
    await using watched = await open(`/reports/${reportId}?finding=F-99`);
    await watched.page.getByText('This report has no finding F-99.').waitFor();
    expect(watched.complaints).toEqual([]);
  });

  test.each(
    themes.flatMap((theme) =>
      [1280, 768, 360].flatMap((width) =>
        ['', '?finding=F-2&severity=critical'].map((search) => ({ theme, width, search })),
      ),
    ),
  )('nothing of it is hard to use: $theme, $width, $search', async ({ theme, width, search }) => {
    await using watched = await open(`/reports/${reportId}${search}`, { theme, width });
    const { page } = watched;
    await page.getByRole('heading', { name: search === '' ? 'Findings' : 'Order lookup' }).waitFor();
    await expectNoAxeFindings(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(watched.complaints).toEqual([]);
  });

  test.each([360, 1024])('a severity has its word in every line, beside a finding too: %s', async (width) => {
    const search = width === 360 ? '' : '?finding=F-2';
    await using watched = await open(`/reports/${reportId}${search}`, { width });
    const { page } = watched;
    for (const [title, severity] of [
      ['Order lookup', 'Critical'],
      ['A token is', 'Low'],
    ] as const) {
      const word = line(page, title).getByText(severity, { exact: true });
      expect((await word.boundingBox())?.width).toBeGreaterThan(20);
      expect((await line(page, title).boundingBox())?.height).toBeLessThanOrEqual(36);
    }
    expect(watched.complaints).toEqual([]);
  });

  test('the chosen finding stands out in the colours of the system too', async () => {
    await using watched = await open(`/reports/${reportId}?finding=F-2`);
    const { page } = watched;
    await page.emulateMedia({ forcedColors: 'active' });
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
    const edges = await page
      .getByRole('list', { name: 'Findings', exact: true })
      .getByRole('listitem')
      .evaluateAll((items) =>
        items.map((item) => item.computedStyleMap().get('border-left-width')?.toString()),
      );
    expect(edges).toEqual(['4px', '0px', '0px', '0px']);
    expect(watched.complaints).toEqual([]);
  });

  test('whoever may not read it sees that there is nothing, and a report under way says so', async () => {
    const stranger = await server.signUp();
    await using theirs = await open(`/reports/${reportId}`, { cookie: stranger.cookie });
    await theirs.page.getByRole('heading', { name: 'Not found' }).waitFor();
    const live = await createShell(device);
    await using own = await open(`/reports/${live.reportId}`);
    await own.page.getByText('repository').first().waitFor();
    expect([...theirs.complaints, ...own.complaints]).toEqual([]);
  });

  test('whoever is signed out signs in and is then at the finding that they came for', async () => {
    await using watched = await watch();
    const { page } = watched;
    await page.goto(`/reports/${reportId}?finding=F-2`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
    expect(watched.complaints).toEqual([]);
  });

  test('once it has expired it says so, and nothing of it is left', async () => {
    const other = bodyOf(await owner.api.getReport({ params: { id: reportId } })).reportId;
    clock.advance(22 * DAY_MS);
    const session = await owner.api.logIn({ body: { email: owner.email, password: owner.password } });
    expect(session.ok).toBe(true);
    await using watched = await open(`/reports/${other}`);
    await watched.page.getByRole('heading', { name: 'This report has expired' }).waitFor();
    expect(await watched.page.getByText('Order lookup').count()).toBe(0);
    expect(watched.complaints).toEqual([]);
  });
});
