/** What a page complains about: what it logs, asks of others, or cannot load. And what else it tells those who watch it. */
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';

/** For one thing to come, on a machine that has other things to do. */
export const WAITED_MS_MAX = 30_000;

/** Tells `complain` of everything that goes wrong in a window, except refusals by the API. */
export function watch(context: BrowserContext, url: string, complain: (complaint: string) => void): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // Refusals of the API are answers; what could not be loaded is told below.
    if (message.text().startsWith('Failed to load resource')) return;
    complain(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => complain(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== url) complain(`foreign: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A page that goes away, or a query that nobody waits for any more, gives its requests up.
    if (reason !== 'net::ERR_ABORTED') complain(`failed: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    const status = response.status();
    if (isAnswered(response.request()) ? status === 500 : status >= 400)
      complain(`${status}: ${response.url()}`);
  });
}

/** Documents and calls may be refused; the parts of a page may not. */
function isAnswered(request: Request): boolean {
  return ['document', 'fetch', 'xhr', 'eventsource'].includes(request.resourceType());
}

/**
 * Keeps everything that the network gives to a window from now on: addresses, headers and bodies. It is fetched for the
 * window, since of what a page reads as a stream the browser keeps nothing for others.
 */
export async function keepAnswers(context: BrowserContext): Promise<readonly string[]> {
  const told: string[] = [];
  await context.route('**/*', async (route) => {
    const response = await route.fetch();
    told.push(response.url(), JSON.stringify(response.headers()), await response.text());
    await route.fulfill({ response });
  });
  return told;
}

/**
 * Presses what copies, and waits for its word. That stays for a moment only, so the page itself looks out for it before; by
 * a function, since its policy lets nothing evaluate a text again and again.
 */
export async function untilCopied(page: Page, press: () => Promise<void>): Promise<void> {
  const told = page.evaluate(`new Promise((resolve, reject) => {
    const isTold = () => [...document.querySelectorAll('[role="status"]')].some((each) => each.textContent === 'Copied');
    const look = () => (isTold() ? resolve() : setTimeout(look, 50));
    setTimeout(() => reject(new Error('Nothing was copied.')), ${WAITED_MS_MAX});
    look();
  })`);
  await Promise.all([told, press()]);
}

export async function clipboardOf(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()');
}

/** What screen readers add to the name of an element. */
export async function descriptionOf(element: Locator): Promise<string> {
  return element.evaluate((node) => node.ariaDescribedByElements?.[0]?.textContent ?? '');
}
