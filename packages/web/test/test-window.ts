/** A window of a real browser, which one test after another has to itself: opening one takes longer than many a test. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { WAITED_MS_MAX, watch } from './page-watch.ts';

export interface WatchOptions {
  /** Of another server than the suite's. */
  readonly url?: string;
  readonly theme?: 'light' | 'dark';
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Of whoever is signed in, as in a Cookie header. */
  readonly cookie?: string;
  /** Complaints that the test itself brings about, such as requests that it lets fail. */
  readonly expected?: RegExp;
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Signs in whoever the cookie belongs to. */
  signIn(cookie: string): Promise<void>;
}

export interface TestWindow extends WatchedPage {
  /** Makes it what the next test asks for. */
  begin(options: WatchOptions): Promise<void>;
  /**
   * Forgets what the test did, or closes.
   * @param isWanted whether the next test could have it.
   * @returns what the page complained about, and whether the next test may have the window.
   */
  end(isWanted: boolean): Promise<{ readonly complaints: readonly string[]; readonly isReusable: boolean }>;
}

/** @param url the server's own, `http://127.0.0.1:<port>`; paths given to `page.goto` are below it. */
export async function openWindow(browser: Browser, url: string): Promise<TestWindow> {
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  let complaints: string[] = [];
  let expected: RegExp | undefined;
  watch(context, url, (complaint) => {
    if (expected?.test(complaint) !== true) complaints.push(complaint);
  });
  const isMarked = noticeMarks(context);
  const page = await context.newPage();
  page.setDefaultTimeout(WAITED_MS_MAX);
  async function signIn(pair: string): Promise<void> {
    const [name = '', value = ''] = pair.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  }
  return {
    page,
    context,
    signIn,
    async begin({ theme = 'light', width = 1280, height = 800, cookie, expected: given }) {
      complaints = [];
      expected = given;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme, media: null, forcedColors: null });
      if (cookie !== undefined) await signIn(cookie);
    },
    async end(isWanted) {
      await unrouteAll(context);
      const isReusable = isWanted && !isMarked() && context.pages().length === 1 && !page.isClosed();
      if (isReusable) await forget(page);
      else await context.close();
      return { complaints, isReusable };
    },
  };
}

async function forget(page: Page): Promise<void> {
  for (const type of ['request', 'requestfinished', 'requestfailed', 'dialog'])
    await page.removeAllListeners(type, { behavior: 'ignoreErrors' });
  // A small page of the same server: for the empty one the browser would begin another process.
  await page.goto('/health');
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await page.context().clearCookies();
}

/** Whether something was done to a window that lasts as long as the window. */
function noticeMarks(context: BrowserContext): () => boolean {
  let isMarked = false;
  const { clock } = context;
  const [addInitScript, setOffline, install] = [
    context.addInitScript.bind(context),
    context.setOffline.bind(context),
    clock.install.bind(clock),
  ];
  const marked =
    <Given extends unknown[], Result>(method: (...given: Given) => Result) =>
    (...given: Given) => {
      isMarked = true;
      return method(...given);
    };
  context.addInitScript = marked(addInitScript) as typeof context.addInitScript;
  context.setOffline = marked(setOffline);
  clock.install = marked(install);
  return () => isMarked;
}

/** What is still asked for by then fails in the hands of whoever answers it for a test, and that is nobody's failure. */
async function unrouteAll(context: BrowserContext): Promise<void> {
  await Promise.all(
    [context, ...context.pages()].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })),
  );
}
