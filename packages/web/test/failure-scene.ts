/** What the pages of a window showed when a test failed, for its log: many failures occur only on a busy machine. */
import type { BrowserContext, Page, Request } from 'playwright-core';

const ANSWER_MS_MAX = 10_000;
const CHARACTERS_MAX = 1500;

/** Follows the requests of a window. */
export function followRequests(context: BrowserContext): ReadonlySet<Request> {
  const open = new Set<Request>();
  context.on('request', (request) => open.add(request));
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  return open;
}

/** Each page's address, state and text, and the requests that have no complete response. */
export async function describeWindow(context: BrowserContext, open: ReadonlySet<Request>): Promise<string> {
  const pages = await Promise.all(context.pages().map(describePage));
  const requests = [...open].map((request) => `unfinished: ${request.method()} ${request.url()}`);
  return [...pages, ...requests, ''].join('\n');
}

async function describePage(page: Page): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`does not answer within ${ANSWER_MS_MAX} ms`), ANSWER_MS_MAX);
  });
  const answer = page
    .evaluate<string>('`${document.readyState}, ${document.visibilityState}\\n${document.body.innerText}`')
    .catch(String);
  const said = await Promise.race([answer, tooLate]);
  clearTimeout(timer);
  return `page ${page.url()}: ${said.slice(0, CHARACTERS_MAX)}`;
}
