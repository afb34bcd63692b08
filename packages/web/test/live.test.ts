/** Live reports in a browser: in one tab, in many, and when access ends. */
import { randomUUID } from 'node:crypto';
import type { ProgressEvent } from '@svc/contract';
import { HOUR_MS } from '@svc/contract/durations';
import {
  bindProject,
  bodyOf,
  createShell,
  reportBytes,
  startServer,
  syncReport,
  upload,
  type DeviceActor,
  type SessionActor,
  type Shell,
} from '@svc/testkit';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';
import { passTimeUntil } from './passing-time.ts';
import type { WatchOptions } from './test-window.ts';

type Said = Omit<ProgressEvent, 'eventId' | 'reportId' | 'occurredAt'>;

/** Simulates a hidden page. */
const hide = `Object.defineProperty(document, 'hidden', { value: true, configurable: true });
document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`;
const withoutLocks = `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`;
const deniedLocks = `Object.defineProperty(Navigator.prototype, 'locks', {
  value: { request: () => Promise.reject(new DOMException('No.', 'SecurityError')) },
})`;
/** Timers that can be held, to show that something did not wait for a timer. */
const withHeldTimers = `const { setTimeout: begin } = window;
window.held = null;
window.setTimeout = (run, ...rest) =>
  begin((...given) => (held === null ? run(...given) : held.push(() => run(...given))), ...rest);`;
const holdTimers = 'held = []';
const letTimersGo = 'held.forEach((run) => run()); held = null';

describePages('a live report', () => {
  const { watch, newcomer } = browserSuite({ generousPlans: true });
  let owner: SessionActor;
  let device: DeviceActor;
  let shell: Shell;
  beforeEach(async () => {
    ({ owner, device } = await newcomer());
    shell = await createShell(device);
  });

  const say = (...events: Said[]) => sayAt(Date.now(), ...events);

  async function sayAt(time: number, ...events: Said[]): Promise<void> {
    const { reportId } = shell;
    const occurredAt = new Date(time).toISOString();
    const body = {
      events: events.map((event) => ({ ...event, reportId, eventId: randomUUID(), occurredAt })),
    };
    bodyOf(await device.api.sendProgress({ params: { id: reportId }, body }));
  }

  async function finalize(): Promise<void> {
    const { reportId, localReportId } = shell;
    const uploadId = await upload(device, reportId, reportBytes({ localReportId }));
    bodyOf(await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } }));
  }

  const watchReport = (given: WatchOptions = {}) => watch({ cookie: owner.cookie, ...given });
  const path = () => `/reports/${shell.reportId}`;
  const phase = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text });
  const lines = (page: Page) => page.getByRole('group', { name: 'Events' }).getByRole('listitem');
  /** Matches the whole path, because usage events also have a URL that contains `events`. */
  const isStream = (request: Request) => /\/reports\/[^/]+\/events/.test(request.url());

  /** The pages that currently hold a stream. */
  function streamsOf(context: BrowserContext): () => Page[] {
    const open = new Map<Request, Page>();
    context.on('request', (request) => {
      if (isStream(request)) open.set(request, request.frame().page());
    });
    context.on('requestfinished', (request) => open.delete(request));
    context.on('requestfailed', (request) => open.delete(request));
    return () => [...open.values()].filter((page) => !page.isClosed());
  }

  test('[D7] the live page updates automatically and shows the final report', async () => {
    await say({ type: 'scan_started' }, { type: 'phase_started', phase: 'inventory' });
    const { page } = await watchReport();
    await page.clock.install();
    await page.goto(path());
    await phase(page, 'Listing files: in progress').waitFor();
    // Only phases are announced to screen readers.
    await page.getByRole('status').filter({ hasText: 'Listing files: in progress' }).waitFor();
    expect(await page.getByRole('main').locator('[aria-live], [role=log], [role=alert]').count()).toBe(0);
    await page.evaluate('window.isSame = true');
    await say(
      { type: 'phase_completed', phase: 'inventory', safeCode: 'ok' },
      { type: 'phase_started', phase: 'secret_review' },
      { type: 'finding_recorded', phase: 'secret_review' },
      { type: 'heartbeat' },
      { type: 'tool_completed', phase: 'secret_review', safeCode: 'tool_failed' },
    );
    await phase(page, 'Listing files: done').waitFor();
    await page.getByText('Tool completed · Searching for secrets · tool failed').waitFor();
    await page.getByText('1 finding so far').waitFor();
    expect(await lines(page).count()).toBe(6);
    // As on a finished report, the path stands above the name of the project.
    const { y: top = 0, height = 0 } =
      (await page.getByRole('navigation', { name: 'Breadcrumb' }).boundingBox()) ?? {};
    const { y: below = 0 } = (await page.getByRole('heading', { level: 1 }).boundingBox()) ?? {};
    expect(top + height).toBeLessThanOrEqual(below);

    await finalize();
    await passTimeUntil(page.getByRole('link', { name: 'Order lookup trusts the id it is given' }));
    expect(await page.getByRole('heading', { name: 'Phases' }).count()).toBe(0);
    expect(await page.evaluate('window.isSame')).toBe(true);
  });

  test('the end of a scan makes the page ask immediately whether the report is final', async () => {
    const { context, page } = await watchReport();
    await context.addInitScript(withHeldTimers);
    await page.goto(path());
    // Connecting needs timers, so they are held only once an event has arrived.
    await say({ type: 'phase_started', phase: 'inventory' });
    await phase(page, 'Listing files: in progress').waitFor();
    await page.evaluate(holdTimers);
    const looked = page.waitForRequest((request) => new URL(request.url()).pathname === `/api/v1${path()}`);
    await say({ type: 'scan_completed' });
    await looked;
    await finalize();
    await page.evaluate(letTimersGo);
    await page.getByRole('link', { name: 'Order lookup trusts the id it is given' }).waitFor();
  });

  test('[D7] a scan that sent nothing for an hour counts as stopped until it sends something', async () => {
    await say({ type: 'scan_started' }, { type: 'phase_started', phase: 'inventory' });
    const { page } = await watchReport();
    await page.clock.install({ time: Date.now() + HOUR_MS });
    await page.goto(path());
    await page.getByText(/^No progress since .*\. The scan may have stopped/).waitFor();
    await phase(page, 'Listing files: stopped').waitFor();
    await sayAt(Date.now() + HOUR_MS, { type: 'heartbeat' });
    await phase(page, 'Listing files: in progress').waitFor();
    await page.getByText('The scan is running.').waitFor();
  });

  test('the overview and the project name the scans that failed, and those that lack a tool', async () => {
    const project = await bindProject(owner);
    const area = { id: 'tool:Bandit', name: 'Bandit', status: 'not_covered' };
    await syncReport(device, { project, body: { coverageAreas: [area] } });
    const running = shell;
    for (const type of [
      'scan_failed',
      'scan_failed',
      'scan_failed',
      'scan_failed',
      'scan_cancelled',
    ] as const) {
      shell = await createShell(device, project);
      await say({ type: 'scan_started' }, { type });
    }
    const { page } = await watchReport();
    await page.goto('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('heading', { name: '6 incomplete scans' }).waitFor();
    const items = attention.getByRole('region', { name: '6 incomplete scans' }).getByRole('listitem');
    expect(await items.getByRole('link').count()).toBe(5);
    await attention.getByRole('button', { name: '1 more' }).click();
    expect(await items.getByRole('link').count()).toBe(6);
    await items.getByRole('link', { name: 'No results from Bandit' }).waitFor();
    const rows = page.getByRole('list', { name: 'Newest reports' }).getByRole('listitem');
    await rows.filter({ hasText: 'Scan cancelled' }).waitFor();
    expect(await rows.filter({ hasText: 'Scan failed' }).count()).toBe(4);
    // The scan that runs is first, although the others are newer.
    expect(await rows.first().innerText()).toContain('Scan running');
    expect(await rows.first().getByRole('link').getAttribute('href')).toBe(`/reports/${running.reportId}`);
    expect(await page.getByText('Scan running').count()).toBe(1);
    await page.goto(`/projects/${project.projectId}?tab=reports`);
    await page.getByText('Scan cancelled').waitFor();
    expect(await page.getByText('Scan running').count()).toBe(0);
  });

  test('three tabs share one stream, and another tab takes over when the leader is closed or hidden', async () => {
    await say({ type: 'phase_started', phase: 'inventory' });
    const { context, page: first } = await watchReport();
    await context.addInitScript(withHeldTimers);
    const streams = streamsOf(context);
    await first.goto(path());
    await phase(first, 'Listing files: in progress').waitFor();
    const others = await Promise.all(Array.from({ length: 2 }, () => context.newPage()));
    for (const page of others) {
      await page.goto(path());
      await phase(page, 'Listing files: in progress').waitFor();
    }
    expect(streams()).toHaveLength(1);
    await say({ type: 'phase_completed', phase: 'inventory' });
    await Promise.all([first, ...others].map((page) => phase(page, 'Listing files: done').waitFor()));

    await Promise.all(others.map((page) => page.evaluate(holdTimers)));
    await Promise.all([context.waitForEvent('request', isStream), first.close()]);
    await Promise.all(others.map((page) => page.evaluate(letTimersGo)));
    await say({ type: 'phase_started', phase: 'verification' });
    await Promise.all(others.map((page) => phase(page, 'Verifying: in progress').waitFor()));
    expect(await Promise.all(others.map((page) => lines(page).count()))).toEqual(others.map(() => 3));
    expect(streams()).toHaveLength(1);

    // A hidden tab passes its stream to a visible one and still receives updates.
    const [holder] = streams();
    await Promise.all([context.waitForEvent('request', isStream), holder?.evaluate(hide)]);
    await say({ type: 'phase_completed', phase: 'verification' });
    await Promise.all(others.map((page) => phase(page, 'Verifying: done').waitFor()));
    expect(streams()).toEqual(others.filter((page) => page !== holder));

    await say({ type: 'scan_completed' });
    await finalize();
    await Promise.all(
      others.map((page) => page.getByRole('heading', { name: 'Phases' }).waitFor({ state: 'detached' })),
    );
  });

  test.each([
    ['lacks', withoutLocks],
    ['denies', deniedLocks],
  ])(
    'in a browser that %s Web Locks each tab follows the scan on its own',
    { tags: 'thorough' },
    async (_verb, script) => {
      const { context, page } = await watchReport();
      await context.addInitScript(script);
      const streams = streamsOf(context);
      const pages = [page, await context.newPage()];
      for (const each of pages) {
        await each.goto(path());
        await each.getByText('No events yet.').waitFor();
      }
      await say({ type: 'phase_started', phase: 'inventory' });
      for (const each of pages) await phase(each, 'Listing files: in progress').waitFor();
      expect(streams()).toHaveLength(2);
      await finalize();
      for (const each of pages)
        await each.getByRole('heading', { name: 'Phases' }).waitFor({ state: 'detached' });
    },
  );

  test('[T13] a user whose session has ended must sign in again, and the page keeps nothing of the scan', async () => {
    await say({ type: 'phase_started', phase: 'inventory' });
    const { context, page } = await watchReport();
    await page.goto(path());
    const other = await context.newPage();
    await other.goto(path());
    for (const each of [page, other]) await phase(each, 'Listing files: in progress').waitFor();
    bodyOf(await owner.api.logOut());
    for (const each of [page, other]) {
      await each.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      expect(await each.getByText('Listing files').count()).toBe(0);
    }
  });

  test('a live report that is deleted shows that it is gone', async () => {
    const { page } = await watchReport();
    await page.goto(path());
    await page.getByText('No events yet.').waitFor();
    bodyOf(await owner.api.deleteReport({ params: { id: shell.reportId } }));
    await page.getByRole('heading', { level: 1, name: /expired|Not found/ }).waitFor();
  });

  test('a failing stream shows a notice and is retried automatically', async () => {
    await say({ type: 'phase_started', phase: 'inventory' });
    const { page } = await watchReport({ expected: /\/events\?/ });
    await page.route('**/events?*', (route) => route.abort('connectionreset'));
    await page.goto(path());
    await page.getByText('Live updates are paused').waitFor();
    await page.unroute('**/events?*');
    // The delay grows with every failure.
    await phase(page, 'Listing files: in progress').waitFor();
    expect(await page.getByText('Live updates are paused').count()).toBe(0);
  });

  test('[D7] a stream that ends as planned reconnects silently', async () => {
    const short = await startServer({
      config: { streams: { lifetimeMs: 250, perUserMax: 50, allMax: 100 } },
    });
    const reader = await short.signUp();
    const theirs = await short.linkDevice(reader);
    const { reportId } = await createShell(theirs);
    const { context, page } = await watch({ url: short.url, cookie: reader.cookie });
    await page.goto(`/reports/${reportId}`);
    await page.getByText('No events yet.').waitFor();
    const again = () => context.waitForEvent('request', { predicate: isStream });
    await again();
    const notices = page.getByText('Live updates are paused');
    expect(await notices.count()).toBe(0);
    const event = { type: 'phase_started', phase: 'inventory' } as const;
    const body = {
      events: [{ ...event, reportId, eventId: randomUUID(), occurredAt: new Date().toISOString() }],
    };
    bodyOf(await theirs.api.sendProgress({ params: { id: reportId }, body }));
    await phase(page, 'Listing files: in progress').waitFor();
    await again();
    expect(await lines(page).count()).toBe(1);
    expect(await notices.count()).toBe(0);
  });

  test('the event feed scrolls with new events only at its end', async () => {
    const alternating = Array.from({ length: 25 }, (_, index) => ({
      type: index % 2 === 0 ? ('tool_started' as const) : ('tool_completed' as const),
    }));
    await say(...alternating);
    await say(...alternating);
    const { page } = await watchReport();
    await page.goto(path());
    const feed = page.getByRole('group', { name: 'Events' });
    await lines(page).nth(48).waitFor();
    await page.getByText(/^Times in [A-Z]\S+$/).waitFor();
    const isAtEnd = () =>
      feed.evaluate((place) => place.scrollHeight - place.scrollTop - place.clientHeight < 8);
    expect(await isAtEnd()).toBe(true);
    await feed.focus();
    await page.keyboard.press('Home');
    // Smooth scrolling would undo the jump to the end below.
    await expect.poll(() => feed.evaluate((place) => place.scrollTop)).toBe(0);
    expect(await isAtEnd()).toBe(false);
    await say({ type: 'finding_recorded' }, { type: 'candidate_found' });
    const more = page.getByRole('button', { name: '2 new' });
    await more.waitFor();
    expect(await isAtEnd()).toBe(false);
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(await isAtEnd()).toBe(true);
    await say({ type: 'finding_merged' });
    await page.getByText('Evidence added to a finding').waitFor();
    expect(await isAtEnd()).toBe(true);
  });
});
