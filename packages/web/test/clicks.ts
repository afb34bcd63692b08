/** Counting what a user does, to compare it with the goals of the pages. */
import type { Page } from 'playwright-core';

/**
 * Counts the clicks of the user from now on, until another document is loaded. Choosing in a `<select>` takes two
 * clicks that no page sees, so tests with this count choose nothing there.
 */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    'window.clicks = 0; addEventListener("click", ({ isTrusted }) => { window.clicks += isTrusted ? 1 : 0; }, true)',
  );
  return () => page.evaluate<number>('window.clicks');
}

/** The API calls of a page with this method, from now on, as paths with their queries. */
export function callsOf(page: Page, method: string): readonly string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === method && pathname.startsWith('/api/')) calls.push(`${pathname}${search}`);
  });
  return calls;
}
