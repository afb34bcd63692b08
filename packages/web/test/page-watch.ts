/**
 * Watches a page for problems: logged errors, requests to other hosts and failed loads. Also records the responses
 * that it gets.
 */
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';

/** A generous timeout for one event on a busy machine. */
export const WAITED_MS_MAX = 120_000;

/** Calls `complain` for every problem in a window. API errors are problems only with status 500. */
export function watch(context: BrowserContext, url: string, complain: (complaint: string) => void): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // Logged for error responses and failed loads; the handlers below report both.
    if (message.text().startsWith('Failed to load resource')) return;
    complain(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => complain(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== url) complain(`foreign: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Navigation and cancelled queries abort requests.
    if (reason !== 'net::ERR_ABORTED') complain(`failed: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    const status = response.status();
    if (isAnswered(response.request()) ? status === 500 : status >= 400)
      complain(`${status}: ${response.url()}`);
  });
}

/** Documents and API calls may get error responses other than 500; assets may not. */
function isAnswered(request: Request): boolean {
  return ['document', 'fetch', 'xhr', 'eventsource'].includes(request.resourceType());
}

/**
 * Records all responses to a window from now on: URLs, headers and bodies. The test fetches on behalf of the window,
 * since the browser does not keep bodies that a page reads as a stream.
 */
export async function keepAnswers(context: BrowserContext): Promise<readonly string[]> {
  const received: string[] = [];
  await context.route('**/*', async (route) => {
    const response = await route.fetch();
    received.push(response.url(), JSON.stringify(response.headers()), await response.text());
    await route.fulfill({ response });
  });
  return received;
}

/**
 * Presses a copy button and waits for its confirmation. The confirmation is visible only briefly, so a function in the
 * page watches for it. Playwright cannot poll, since the Content-Security-Policy forbids evaluating strings.
 */
export async function untilCopied(page: Page, press: () => Promise<void>): Promise<void> {
  const confirmed = page.evaluate(`new Promise((resolve, reject) => {
    const isTold = () => [...document.querySelectorAll('[role="status"]')].some((each) => each.textContent === 'Copied');
    const look = () => (isTold() ? resolve() : setTimeout(look, 50));
    setTimeout(() => reject(new Error('Nothing was copied.')), ${WAITED_MS_MAX});
    look();
  })`);
  await Promise.all([confirmed, press()]);
}

export async function clipboardOf(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}

/** The accessible description of an element. */
export async function descriptionOf(element: Locator): Promise<string> {
  return element.evaluate((node) => node.ariaDescribedByElements?.[0]?.textContent ?? '');
}
