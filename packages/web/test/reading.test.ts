/** The report page in a real browser: filter, search, open, copy and print. */
import { DAY_MS } from '@svc/contract/durations';
import type { Severity } from '@svc/contract';
import {
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  findingBody,
  newLocalId,
  reportBody,
  shareOf,
  syncReport,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';
import type { WatchOptions } from './test-window.ts';

const finding = (number: number, severity: Severity, more: Record<string, unknown> = {}) => ({
  ...findingBody(number),
  severity,
  ...more,
});

/** Findings of different categories: one is an accepted risk, and one has most of the optional fields. */
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
  const statusOf = (page: Page, name: string) => page.getByRole('button', { name: `Status of ${name}` });

  test('a report starts with its verdict and worst findings; facet counts follow the other filters, and groups unfold', async () => {
    const { page } = await open(`/reports/${reportId}`);
    await page.getByText('1 critical, 1 high open', { exact: true }).waitFor();
    await page.getByText('1 set aside').waitFor();
    await page.getByText('1 area fully covered, 1 limitation').click();
    await page.getByText('Nothing was run.').waitFor();
    await counted(page, '4 of 4');
    const order = ['Order lookup', 'Old cipher', 'Path is joined', 'A token is'];
    const shown = await titles(page);
    expect(shown.map((text) => order.findIndex((title) => text.includes(title)))).toEqual([0, 1, 2, 3]);
    await expect.poll(() => page.title()).toBe('repository: report · svc');

    await page.getByRole('button', { name: /^Severity/ }).click();
    await page.getByRole('checkbox', { name: 'High 2' }).check();
    await counted(page, '2 of 4');
    // The severity counts stay; the other counts change.
    await page.getByRole('checkbox', { name: 'Low 1' }).waitFor();
    await page.getByRole('button', { name: /^Category/ }).click();
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
    await page.getByLabel('Group').selectOption('severity');
    await page.getByRole('button', { name: 'High 2' }).waitFor();
    await page.getByLabel('Group').selectOption('status');
    await page.getByRole('button', { name: /Open \d$/ }).waitFor();
  });

  test('[T12] a finding shows prose as text, code with lines and only web links, and is marked in forced colours', async () => {
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

  test('[D26] Markdown of a rule is rendered, and findings show their tool and rule', async () => {
    const remediation =
      '# Risk\n\n| Setting | Value |\n|---|---|\n| `a` | 1 |\n\n[More](https://example.com/more) [not](javascript:alert(1))\n\n<details>\nInner words\n</details>';
    const imported = await reportOf([
      finding(1, 'high', {
        title: 'Of the first',
        remediation,
        tags: ['tool:Semgrep', 'rule:no-eval', 'sast'],
      }),
      finding(2, 'low', { title: 'Of the second', tags: ['tool:CodeQL', 'rule:js/eval'] }),
      finding(3, 'low', { title: 'Of no tool' }),
    ]);
    const { page } = await open(`/reports/${imported}?finding=F-1`);
    const body = article(page);
    await body.getByRole('heading', { name: 'Risk', level: 4 }).waitFor();
    await body.getByRole('columnheader', { name: 'Setting' }).waitFor();
    expect(await body.getByRole('cell').allInnerTexts()).toEqual(['a', '1']);
    await body.getByText('Inner words', { exact: true }).waitFor();
    expect(await body.getByRole('link', { name: 'More' }).getAttribute('href')).toBe(
      'https://example.com/more',
    );
    await body.getByText('[not](javascript:alert(1))').waitFor();
    const text = await body.innerText();
    expect(text).not.toMatch(/# Risk|\| ?`|<details>|tool:|rule:/);
    expect(text).toMatch(/Tool\s+Semgrep\s+Rule\s+no-eval/);
    expect(text).toMatch(/Tags\s+sast\s/);

    await page.getByRole('button', { name: /^Tool/ }).click();
    await page.getByRole('checkbox', { name: /CodeQL/ }).click();
    await page.getByRole('button', { name: 'Remove Tool: CodeQL' }).waitFor();
    await counted(page, '1 of 3');
    await page.getByRole('button', { name: 'Remove Tool: CodeQL' }).click();
    await page.getByRole('searchbox').fill('rule:no-eval');
    await counted(page, '1 of 3');
    await page.getByRole('searchbox').fill('-tool:semgrep');
    await counted(page, '2 of 3');
  });

  test('the search covers all text, supports qualifiers, and adds no history entry', async () => {
    const { page } = await open(`/reports/${reportId}`);
    const field = page.getByRole('searchbox', { name: 'Search findings' });
    await page.keyboard.press('/');
    await page.keyboard.type('severity:high -category:crypto path:src/');
    await counted(page, '1 of 4');
    await field.fill('orders.get nothing-of-this');
    await page.getByText('No findings match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await counted(page, '4 of 4');

    const entries = await page.evaluate('history.length');
    await page.getByRole('searchbox').fill('"order lookup"');
    await page.waitForURL(/q=%22order\+lookup%22/);
    expect(await page.evaluate('history.length')).toBe(entries);
    await page.reload();
    await counted(page, '1 of 4');
    expect(await page.getByRole('searchbox').inputValue()).toBe('"order lookup"');
  });

  test('Back restores filters, selection and scroll position; opening a finding changes no filter', async () => {
    const many = await reportOf(
      Array.from({ length: 60 }, (_, at) => finding(at + 1, 'medium', { title: `Finding number ${at + 1}` })),
    );
    const { page } = await open(`/reports/${many}?severity=medium`, { width: 600 });
    const chosen = line(page, 'Finding number 55');
    // The list moves when content above it appears late, so wait for that content.
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

  test('shortcuts work except while typing, and a selected path is copied exactly', async () => {
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
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.getByText('Copy finding as Markdown').waitFor();
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

  test('closing a finding does not take the focus from a field that gets it at the same moment', async () => {
    const { page } = await open(`/reports/${reportId}`);
    await line(page, 'Order lookup').click();
    await article(page).waitFor();
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (document.querySelector('article') !== null) return;
      observer.disconnect();
      document.querySelector('[type=search]').focus();
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.keyboard.press('Escape');
    await article(page).waitFor({ state: 'detached' });
    await page.keyboard.type('jxj');
    expect(await page.getByRole('searchbox').inputValue()).toBe('jxj');
    expect(await article(page).count()).toBe(0);
  });

  test('[D12] a finding gets the status accepted risk, and offers the statuses that can follow', async () => {
    const other = await reportOf([finding(1, 'high')]);
    const { page } = await open(`/reports/${other}?finding=F-1`);
    await statusOf(page, 'F-1: Open').click();
    const items = page.getByRole('menuitem');
    expect(await items.allTextContents()).toEqual(['Fix suggested', 'Accepted risk…', 'False positive…']);
    await items.getByText('Accepted risk').click();
    const dialog = page.getByRole('dialog', { name: 'Set status of F-1' });
    await dialog.getByRole('radio', { name: 'Mitigated' }).check();
    await dialog.getByLabel('Note').fill('A filter in front of it.');
    await dialog.getByLabel('Until').selectOption('30');
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await statusOf(page, 'F-1: Accepted risk').waitFor();
    await page.getByText('No open findings').waitFor();
    await page.reload();
    await statusOf(page, 'F-1: Accepted risk').waitFor();
    const decision = page.getByRole('region', { name: 'Decision' });
    await decision.getByText(/Mitigated · until in 30 days/).waitFor();
    await decision.getByText('A filter in front of it.').waitFor();
  });

  test('[D19] a finding that is open again says who decided, when and why, and nothing moves when the rest arrives', async () => {
    const other = await reportOf([finding(1, 'high'), finding(2, 'low'), finding(3, 'info')]);
    const decide = async (
      findingId: string,
      body: Parameters<typeof owner.api.changeFindingStatus>[0]['body'],
    ) => bodyOf(await owner.api.changeFindingStatus({ params: { id: other, findingId }, body }));
    const note = 'A filter in front of it.';
    await decide('F-1', { status: 'accepted_risk', reason: 'mitigated', note });
    await decide('F-1', { status: 'open' });
    await decide('F-2', { status: 'fix_suggested' });
    const { page } = await watch({ cookie: owner.cookie });
    const asked: string[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/decisions?*', async (route) => {
      asked.push(new URL(route.request().url()).pathname.split('/').at(-2) ?? '');
      await held;
      await route.continue();
    });
    await page.goto(`/reports/${other}?finding=F-1`);
    const decision = page.getByRole('region', { name: 'Decision' });
    await decision.getByText(`Open by ${owner.user.displayName} just now`).waitFor();
    const summary = article(page).getByRole('heading', { name: 'Summary' });
    const before = await summary.boundingBox();
    release();
    await page.getByText('1 earlier decision').click();
    const earlier = page.getByRole('list', { name: 'Earlier decisions' });
    await earlier.getByText('· Mitigated').waitFor();
    await earlier.getByText(note).waitFor();
    await page.getByText('1 earlier decision').click();
    expect(await summary.boundingBox()).toEqual(before);
    await page.keyboard.press('j');
    await decision.getByText(`Fix suggested by ${owner.user.displayName} just now`).waitFor();
    // The page cancels the request of a finding that is left.
    await expect.poll(() => asked).toEqual(['F-1', 'F-2']);
    await page.keyboard.press('j');
    await statusOf(page, 'F-3: Open').waitFor();
    await page.getByText('Seen in 1 report').waitFor();
    expect(await decision.count()).toBe(0);
    expect(asked).toEqual(['F-1', 'F-2']);
    await statusOf(page, 'F-3: Open').click();
    await page.getByRole('menuitem', { name: 'Fix suggested' }).click();
    await decision.getByText(`Fix suggested by ${owner.user.displayName}`).waitFor();

    const { slug } = await shareOf(owner, other);
    const { page: shared } = await watch();
    await shared.route('**/decisions*', () => asked.push('through a share'));
    await shared.goto(`/s/${slug}?finding=F-1`);
    await article(shared).waitFor();
    expect(await shared.getByRole('region', { name: 'Decision' }).count()).toBe(0);
    expect(asked).not.toContain('through a share');
  });

  test('[D19] an accepted risk can end at the end of a chosen day', async () => {
    const other = await reportOf([finding(1, 'high')]);
    const { page } = await open(`/reports/${other}?finding=F-1`);
    const lastDay = new Date(clock.now() + 10 * DAY_MS).toISOString().slice(0, 10);
    await statusOf(page, 'F-1: Open').click();
    await page.getByRole('menuitem', { name: 'Accepted risk' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status of F-1' });
    await dialog.getByLabel('Until').selectOption('date');
    await dialog.getByLabel('Last day').fill(lastDay);
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await statusOf(page, 'F-1: Accepted risk').waitFor();
    const { decisions } = bodyOf(await owner.api.listDecisions({ params: { id: other, findingId: 'F-1' } }));
    expect(decisions.map(({ until }) => until)).toEqual([new Date(`${lastDay}T23:59:59`).toISOString()]);
  });

  test('[D12] a carried-over status links to the previous report, or to the reports of the project', async () => {
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
    await page.getByRole('link', { name: 'View the previous report' }).click();
    await page.waitForURL(`**/reports/${ids[0]}`);
    await page.goto(`/reports/${ids[0]}?finding=F-1`);
    const earlier = page.getByRole('link', { name: 'View the reports of the project' });
    await page.getByText('The status was set in an earlier report.').waitFor();
    expect(await earlier.getAttribute('href')).toBe(`/projects/${project.projectId}?tab=reports`);
    await page.goto(`/reports/${ids[0]}?finding=F-2`);
    await statusOf(page, 'F-2: Open').waitFor();
    expect(await earlier.count()).toBe(0);
  });

  test('[D26] a finding leads to the report before that has it, and the header counts what is open in the project', async () => {
    const project = await bindProject(owner);
    const kept = { fingerprint: 'ab'.repeat(32), title: 'Kept' };
    const before = await syncReport(device, { project, body: { findings: [finding(5, 'low', kept)] } });
    clock.advance(1000);
    // Another tool, which looks for neither.
    const { scan } = reportBody({ localReportId: '' }) as { scan: object };
    const other = await syncReport(device, {
      project,
      body: {
        scan: { ...scan, agent: { name: 'lint', version: '1.0.0' } },
        findings: [finding(1, 'medium', { tags: ['tool:lint'] })],
      },
    });
    clock.advance(1000);
    const body = { findings: [finding(1, 'low', kept), finding(2, 'low')] };
    const { reportId: newest } = await syncReport(device, { project, body });
    const { page } = await open(`/reports/${other.reportId}`);
    await page.getByRole('link', { name: /^1 new, 0 fixed since / }).waitFor();
    await page.getByRole('link', { name: '3 open in the project' }).waitFor();
    await page.goto(`/reports/${newest}?finding=F-2`);
    await page.getByRole('link', { name: /^1 new, 0 fixed since / }).waitFor();
    await page.getByText('New in this report').waitFor();
    await page.goto(`/reports/${newest}?finding=F-1`);
    await page.getByText(/^First seen /).waitFor();
    expect(await page.getByText('New in this report').count()).toBe(0);
    await page.getByText('Seen in 2 reports').click();
    const seenIn = page.getByRole('list', { name: 'Reports with this finding' });
    expect(await seenIn.getByRole('link').getAttribute('href')).toBe(
      `/reports/${before.reportId}?finding=F-5`,
    );
    const earlier = page.getByRole('link', { name: /^Also in the report of / });
    expect(await earlier.getByRole('time').getAttribute('title')).toMatch(/\d, \d\d:\d\d \S+$/);
    await earlier.click();
    await page.waitForURL(`**/reports/${before.reportId}?finding=*`);
    await statusOf(page, 'F-5: Open').waitFor();
    await article(page).getByRole('heading', { name: 'Kept' }).waitFor();
    expect(await page.getByRole('link', { name: /Kept/ }).getAttribute('aria-current')).toBe('true');
  });

  test('[D19] one call sets the status of all findings that can get it, the others stay selected, and undo reverts the change', async () => {
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
    await bar.getByRole('button', { name: 'Set status' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set status of 4 findings' });
    await dialog.getByLabel('Status', { exact: true }).selectOption({ label: 'Fix suggested (3 of 4)' });
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.method()));
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await page.getByText('3 findings set to fix suggested.').waitFor();
    await page.getByText('1 finding can’t get this status and stays selected.').waitFor();
    expect(calls.filter((method) => method === 'PATCH')).toHaveLength(1);
    await bar.getByText('1 finding selected').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select F-3' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 findings restored.').waitFor();
    await line(page, 'First one').getByText('Open').first().waitFor();
  });

  test('a report can be exported in every format', async () => {
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

  test('print contains every finding with its code and no controls', async () => {
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

  test('print contains every finding even if it begins before the page listens for it', async () => {
    const { page, context } = await watch({ cookie: owner.cookie });
    // The medium changes as the page begins to listen, so no event reports the change.
    await context.addInitScript(`{
      const real = matchMedia.bind(window);
      const print = () => ({ matches: false, addEventListener() { this.matches = true; }, removeEventListener() {} });
      window.matchMedia = (query) => (query === 'print' ? print() : real(query));
    }`);
    await page.goto(`/reports/${reportId}`);
    // They are hidden on the screen, which is still the real medium.
    const printed = page.getByRole('article', { includeHidden: true });
    await printed.filter({ hasText: 'Path is joined' }).waitFor({ state: 'attached' });
    expect(await printed.count()).toBe(4);
  });

  test('a long list is windowed with row positions, and is not printed', { tags: 'thorough' }, async () => {
    const long = await reportOf(
      Array.from({ length: 1001 }, (_, at) =>
        finding(at + 1, 'medium', { title: `Finding number ${at + 1}` }),
      ),
    );
    const { page } = await open(`/reports/${long}`);
    const lines = page.getByRole('list', { name: 'Findings', exact: true }).getByRole('listitem');
    // The first rows render before the others.
    await lines.and(page.locator('[aria-setsize="1001"]')).first().waitFor();
    expect(await lines.count()).toBeLessThan(100);
    await page.evaluate("document.querySelector('[data-list-scroller]').scrollTo(0, 1e6)");
    await line(page, 'Finding number 1001').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page
      .getByText(
        'This page prints at most 1,000 findings, and 1,001 are shown. Print the HTML export instead',
      )
      .waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
  });

  test('a report without findings states its coverage', async () => {
    const area = (name: string, status: string) => ({ id: name, name, status });
    const empty = await reportOf([], {
      coverageAreas: [area('Login', 'covered'), area('Billing', 'not_covered')],
    });
    const { page } = await open(`/reports/${empty}`);
    await page.getByText('No findings in 1 of 2 areas.').waitFor();
    await page.getByRole('list', { name: 'Areas not fully covered' }).getByText('Billing').waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
  });

  test('a failed scanner is shown at the top and does not count as an area', async () => {
    const coverageAreas = [
      { id: 'secrets', name: 'Secrets', status: 'partial' },
      { id: 'dependencies', name: 'Dependencies', status: 'covered' },
      { id: 'tool:trivy', name: 'trivy', status: 'covered' },
      {
        id: 'tool:gitleaks',
        name: 'gitleaks',
        status: 'not_covered',
        note: 'gitleaks failed (exit code 1), so its findings are missing.',
      },
    ];
    const incomplete = await reportOf(findings, { coverageAreas });
    const { page } = await open(`/reports/${incomplete}`, { width: 1280, height: 720 });
    const notice = page.getByRole('region', { name: 'Incomplete scan' });
    await notice.getByText('Incomplete scan: findings of 1 tool may be missing.').waitFor();
    await notice.getByText('gitleaks failed (exit code 1)').waitFor();
    const { y = 720, height = 720 } = (await notice.boundingBox()) ?? {};
    expect(y + height).toBeLessThan(720);
    await page.getByText('1 of 2 areas not fully covered').click();
    const left = page.getByRole('list', { name: 'Areas not fully covered' });
    expect(await left.getByRole('listitem').allTextContents()).toEqual([expect.stringContaining('Secrets')]);
  });

  test('[T12] a hostile project name is text, and bidirectional characters in a title are visible', async () => {
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

  test('every row shows its severity as text, even while a finding is open beside the list', async () => {
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
        // A title takes two lines at most, and only on a phone.
        const heightMax = width === 360 ? 52 : 36;
        expect((await line(page, title).boundingBox())?.height).toBeLessThanOrEqual(heightMax);
      }
    }
  });

  test('users without access see "not found", and the owner of a running scan sees its project', async () => {
    const stranger = await server.signUp();
    const theirs = await open(`/reports/${reportId}`, { cookie: stranger.cookie });
    await theirs.page.getByRole('heading', { name: 'Not found' }).waitFor();
    const live = await createShell(device);
    const own = await open(`/reports/${live.reportId}`);
    await own.page.getByText('repository').first().waitFor();
  });

  test('a signed-out user signs in and returns to the requested finding', async () => {
    const { page } = await watch();
    await page.goto(`/reports/${reportId}?finding=F-2`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await article(page).getByRole('heading', { name: 'Order lookup' }).waitFor();
  });

  test('an expired report says so and leaves nothing on the page', async () => {
    const other = bodyOf(await owner.api.getReport({ params: { id: reportId } })).reportId;
    clock.advance(22 * DAY_MS);
    const session = await owner.api.logIn({ body: { email: owner.email, password: owner.password } });
    expect(session.ok).toBe(true);
    const { page } = await open(`/reports/${other}`);
    await page.getByRole('heading', { name: 'Report expired' }).waitFor();
    expect(await page.getByText('Order lookup').count()).toBe(0);
  });
});
