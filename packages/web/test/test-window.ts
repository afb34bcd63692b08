/** A window of a real browser, which tests reuse one after another: opening one takes longer than many tests. */
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { followRequests } from './failure-scene.ts';
import { WAITED_MS_MAX, watch } from './page-watch.ts';

export interface WatchOptions {
  /** The URL of a server other than the suite's. */
  readonly url?: string;
  readonly theme?: 'light' | 'dark';
  /** The width in pixels. */
  readonly width?: number;
  readonly height?: number;
  /** The window of a phone with a touch screen. */
  readonly isPhone?: true;
  /** The Cookie header of the signed-in user. */
  readonly cookie?: string;
  /** Problems that the test causes itself, such as requests that it makes fail. */
  readonly expected?: RegExp;
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Signs in the user of the cookie. */
  signIn(cookie: string): Promise<void>;
}

export interface TestWindow extends WatchedPage {
  /** The requests without a complete response. */
  readonly requests: ReadonlySet<Request>;
  /** Sets the window up for the next test. */
  begin(options: WatchOptions): Promise<void>;
  /**
   * Resets or closes the window.
   * @param isWanted false if no other test of the suite can use the window.
   * @returns the problems of the page, and whether the next test may use the window.
   */
  end(isWanted: boolean): Promise<{ readonly complaints: readonly string[]; readonly isReusable: boolean }>;
}

const phone = { isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const sizes = { phone: { width: 360, height: 740 }, screen: { width: 1280, height: 800 } };

/** @param url the server's URL, `http://127.0.0.1:<port>`; the base of paths for `page.goto`. */
export async function openWindow(browser: Browser, url: string, isPhone = false): Promise<TestWindow> {
  const size = isPhone ? sizes.phone : sizes.screen;
  const context = await browser.newContext({
    baseURL: url,
    ...(isPhone && phone),
    // New pages of the window have this size, too.
    viewport: size,
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
  const requests = followRequests(context);
  const page = await context.newPage();
  page.setDefaultTimeout(WAITED_MS_MAX);
  async function signIn(pair: string): Promise<void> {
    const [name = '', value = ''] = pair.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  }
  return {
    page,
    context,
    requests,
    signIn,
    async begin({ theme = 'light', width = size.width, height = size.height, cookie, expected: given }) {
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
  // A small page of the same server: for a blank page the browser would start another process.
  await page.goto('/health');
  await page.evaluate('localStorage.clear(), sessionStorage.clear()');
  await page.context().clearCookies();
}

/** Whether the test changed something that lasts as long as the window. */
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

/** Pending requests fail in the route handlers of the test, which is not an error. */
async function unrouteAll(context: BrowserContext): Promise<void> {
  await Promise.all(
    [context, ...context.pages()].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' })),
  );
}
