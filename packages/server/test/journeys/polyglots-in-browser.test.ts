/**
 * A report of hostile texts is uploaded, shared and opened in a real browser in every form: as pages, and as files that
 * are shown, saved and read as Markdown. Nothing in it runs, and nothing sends a request.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportFormats } from '@svc/contract';
import { visibleLine } from '@svc/report/reading/visible-text';
import { HOSTILE_TURNS, hostileReport, htmlOfMarkdown, polyglots } from '@svc/report/hostile-report';
import {
  finalizeWith,
  bytesOf,
  createShell,
  shareOf,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { browserMissing, sharedBrowser } from '@svc/testkit/browser';
import { inLane, unlessShort } from '@svc/testkit/lane';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/**
 * The rounds. In each one, neighbouring fields have different polyglots; over all rounds, each field gets every
 * polyglot that fits. One round is enough for everyday runs: pages take seconds, and treat all fields alike.
 */
const TURNS = Array.from({ length: inLane(1, unlessShort(3, HOSTILE_TURNS)) }, (_, turn) => turn);
const MARKDOWN_ADDRESS = 'http://markdown.test/';
/** Elements that our files and pages never contain. Their own images are the SVG elements that `ours` selects. */
const foreignBeside = (ours: string) =>
  `script, img, iframe, object, embed, base, link, meta[http-equiv=refresh], math, svg:not(${ours})`;
const foreignInFiles = foreignBeside('.sign, .bar');
const foreignInPages = foreignBeside('[aria-hidden]');

interface Shared {
  readonly reportId: string;
  readonly slug: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly markers: ReadonlyMap<string, string>;
  readonly findingIds: readonly string[];
}

/** Parts of a report that only its files show, and the redaction notice, which differs in a projection. */
const notOnPages =
  /^\/(?:methodologyVersion|redactionNotice|project\/(?:defaultBranch|languages\/\d+)|scan\/(?:host\/\w+|tools\/.*)|coverageAreas\/\d+\/id)$/;

describe.skipIf(browserMissing)('hostile texts in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let owner: SessionActor;
  let folder: string;
  const shared: Shared[] = [];

  beforeAll(async () => {
    server = await startServer({ generousPlans: true });
    browser = await sharedBrowser();
    owner = await server.signUp();
    folder = await mkdtemp(join(tmpdir(), 'svc-hostile-'));
    const device = await server.linkDevice(owner);
    for (const turn of TURNS) {
      const { reportId, localReportId } = await createShell(device);
      const { report, texts, markers } = hostileReport(localReportId, turn);
      await finalizeWith(device, reportId, bytesOf(JSON.stringify(report)));
      const { slug } = await shareOf(owner, reportId);
      shared.push({ reportId, slug, texts, markers, findingIds: report.findings.map(({ id }) => id) });
    }
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const addressOf = (slug: string, format: string) =>
    `${server.url}/api/v1/shares/slug/${slug}/export/${format}`;

  /** A page, and everything it did besides rendering. */
  async function open(allowed: string, cookie = ''): Promise<{ page: Page; deeds: string[] }> {
    const context = await browser.newContext();
    const [name = '', value = ''] = cookie.split('=');
    if (value !== '') await context.addCookies([{ name, value, url: server.url }]);
    const page = await context.newPage();
    const deeds: string[] = [];
    page.on('console', (message) => deeds.push(message.text()));
    page.on('pageerror', (error) => deeds.push(error.message));
    page.on('dialog', (dialog) => {
      deeds.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('popup', (popup) => deeds.push(popup.url()));
    page.on('request', (request) => {
      if (!request.url().startsWith(allowed)) deeds.push(request.url());
    });
    return { page, deeds };
  }

  /** Opens a file in the browser instead of saving it, and returns the response. */
  async function showInline(page: Page, address: string, body?: string): Promise<Record<string, string>> {
    let received: Record<string, string> = {};
    await page.route(address, async (route) => {
      const response = await route.fetch();
      received = response.headers();
      const { 'content-disposition': _, ...headers } = received;
      await route.fulfill({ response, headers, ...(body === undefined ? {} : { body }) });
    });
    await page.goto(address);
    return received;
  }

  test.each(TURNS)(
    '[T12] each text of a report is text on its page and on that of a share, and none runs or sends a request: %s',
    { tags: 'repeated' },
    async (turn) => {
      const { slug, reportId, texts, markers, findingIds } = shared[turn]!;
      const expected = [...markers].filter(([path]) => !notOnPages.test(path));
      for (const path of [`/s/${slug}`, `/reports/${reportId}`]) {
        const { page, deeds } = await open(server.url, owner.cookie);
        let read = '';
        for (const [at, id] of findingIds.entries()) {
          await page.goto(`${server.url}${path}?finding=${id}`);
          const title = visibleLine(texts.get(`/findings/${at}/title`) ?? '');
          await page.getByRole('article').getByRole('heading', { name: title }).waitFor();
          await touchEverything(page);
          read += (await page.locator('main').textContent()) ?? '';
          expect(await page.locator('main').locator(foreignInPages).count()).toBe(0);
        }
        expect(expected.filter(([, marker]) => !read.includes(marker)).map(([field]) => field)).toEqual([]);
        expect(deeds).toEqual([]);
        await page.context().close();
      }
    },
  );

  test.each(TURNS)(
    '[T12] no text runs or sends a request in a file that is shown, in any format: %s',
    { tags: 'repeated' },
    async (turn) => {
      const { slug } = shared[turn]!;
      const { page, deeds } = await open(addressOf(slug, ''));
      // The browser shows all other formats as text, so one round of them is enough.
      for (const format of turn === 0 ? exportFormats : (['html'] as const)) {
        const headers = await showInline(page, addressOf(slug, format));
        expect(headers['content-security-policy']).toMatch(/default-src 'none';.*; sandbox$/);
        expect(headers['content-disposition']).toMatch(/^attachment; filename="[0-9A-Za-z.-]+"$/);
        await touchEverything(page);
        expect(await page.locator(foreignInFiles).count()).toBe(0);
        expect(deeds).toEqual([]);
      }
      await page.context().close();
    },
  );

  test.each(TURNS)(
    '[T12] no text runs or sends a request in the saved document, or in the Markdown when HTML is allowed: %s',
    { tags: 'repeated' },
    async (turn) => {
      const { slug, texts } = shared[turn]!;
      const textOf = async (format: string) =>
        (await server.anonymous.fetch(new URL(addressOf(slug, format)).pathname)).text();
      const file = join(folder, `${turn}.html`);
      await writeFile(file, await textOf('html'));
      const markdown = `<!doctype html><meta charset=utf-8><title>kept</title>${htmlOfMarkdown(await textOf('markdown'))}`;
      for (const address of [pathToFileURL(file).href, MARKDOWN_ADDRESS]) {
        const { page, deeds } = await open(address);
        await page.route(MARKDOWN_ADDRESS, (route) =>
          route.fulfill({ contentType: 'text/html', body: markdown }),
        );
        await page.goto(address);
        await touchEverything(page);
        expect(await page.locator('body').textContent()).toContain(texts.get('/findings/0/title'));
        expect(await page.locator('body').locator(foreignInFiles).count()).toBe(0);
        expect(await page.title()).toMatch(/security report$|^kept$/);
        expect(deeds).toEqual([]);
        await page.context().close();
      }
    },
  );

  test('[T12] the headers of a file stop scripts and requests of a text that breaks out', async () => {
    const address = addressOf(shared[0]!.slug, 'html');
    const { page, deeds } = await open(address);
    const broken = `<title>kept</title><script>document.title='ran'</script>${polyglots.slice(0, 2).join('')}`;
    const sent: string[] = [];
    await page.route('http://e.test/**', async (route) => {
      sent.push(route.request().url());
      await route.abort();
    });
    await showInline(page, address, broken);
    await page.locator('img').first().waitFor({ state: 'attached' });
    expect(await page.title()).toBe('kept');
    // The browser logs what it blocked, and sends no request.
    await expect.poll(() => deeds.join('\n')).toMatch(/sandboxed|Content Security Policy/);
    expect(sent).toEqual([]);
    await page.context().close();
  });

  test('the same texts run and send requests in a page that allows it', async () => {
    const { page, deeds } = await open(MARKDOWN_ADDRESS);
    const sign = '<svg class="sign"></svg>';
    const body = `<!doctype html><title>kept</title>${sign}${polyglots.slice(0, 2).join('')}`;
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(MARKDOWN_ADDRESS);
    await expect.poll(() => page.title()).toBe('ran');
    await expect.poll(() => deeds).toContain('http://e.test/');
    // The other tests would find these elements. A `.sign` is allowed in files only.
    const found = async (foreign: string) =>
      page.locator(foreign).evaluateAll((all) => all.map(({ localName }) => localName));
    expect(await found(foreignInFiles)).toEqual(['img', 'script', 'svg']);
    expect(await found(foreignInPages)).toEqual(['svg', 'img', 'script', 'svg']);
    await page.context().close();
  });
});

/** Opens what is closed, and sends every element pointer and keyboard events. */
async function touchEverything(page: Page): Promise<void> {
  await page.evaluate(`for (const element of document.querySelectorAll('*')) {
    if (element.localName === 'details') element.open = true;
    for (const type of ['mouseover', 'mouseenter', 'focus', 'load', 'error', 'toggle', 'animationstart'])
      element.dispatchEvent(new Event(type));
    element.focus?.();
  }`);
}
